import { recordAuditEvent } from '../audit/audit-trail.ts';
import {
  type BrowserSession,
  deleteSessionOfAccount,
  deleteSessionsOfAccount,
  listSessionsOfAccount,
} from '../browser/browser-session-repository.ts';
import type { Session } from '../session.ts';
import { describeUserAgent } from './user-agent-words.ts';

/** The browsers signed in to the account, the one last seen first. */
export async function listSignedInBrowsers(
  { em, clock }: Session,
  accountId: string,
): Promise<BrowserSession[]> {
  return listSessionsOfAccount(em, accountId, clock.now());
}

/** Signs a browser out; whether the account had it. */
export async function signOutBrowser(session: Session, accountId: string, id: string): Promise<boolean> {
  return session.em.transactional(async (em) => {
    const browsers = await listSessionsOfAccount(em, accountId, session.clock.now());
    const browser = browsers.find((each) => each.id === id.toLowerCase());
    if (browser === undefined || !(await deleteSessionOfAccount(em, accountId, id))) return false;
    const name = describeUserAgent(browser.userAgent);
    recordAuditEvent({ ...session, em }, accountId, 'session_ended', { id: browser.id, name });
    return true;
  });
}

/** Signs out every browser of the account but one. */
export async function signOutOtherBrowsers(
  session: Session,
  accountId: string,
  keptId: string,
): Promise<void> {
  await session.em.transactional(async (em) => {
    const count = await deleteSessionsOfAccount(em, accountId, keptId);
    if (count > 0) recordAuditEvent({ ...session, em }, accountId, 'session_ended');
  });
}
