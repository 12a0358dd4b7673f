import { notFound } from '#shared/errors/errors.ts';
import type { BrowserSession } from '../browser/browser-session-entity.ts';
import { listBrowserSessions, signOutBrowser } from '../browser/browser-session-service.ts';
import { describeUserAgent } from '../browser/describe-user-agent.ts';
import { runOnAccount, type Stores } from './account-admin.ts';

type SessionAnswer = { sessionId: string; browser: string } & Pick<
  BrowserSession,
  'address' | 'createdAt' | 'lastSeenAt' | 'expiresAt'
>;

/** The browsers signed in to the account, the one last seen first. Throws not_found. */
export function listSessions(databaseUrl: string, email: string): Promise<SessionAnswer[]> {
  return runOnAccount({ databaseUrl }, email, async (session, { id }) =>
    (await listBrowserSessions(session, id)).map(present),
  );
}

/** Throws not_found: the account, or its session. */
export function endSession(stores: Stores, email: string, sessionId: string): Promise<SessionAnswer> {
  return runOnAccount(stores, email, async (session, { id }) => {
    const ended = await signOutBrowser(session, id, sessionId);
    if (ended !== undefined) return present(ended);
    throw notFound('the account has no session with that id');
  });
}

function present({
  id,
  userAgent,
  address,
  createdAt,
  lastSeenAt,
  expiresAt,
}: BrowserSession): SessionAnswer {
  return { sessionId: id, browser: describeUserAgent(userAgent), address, createdAt, lastSeenAt, expiresAt };
}
