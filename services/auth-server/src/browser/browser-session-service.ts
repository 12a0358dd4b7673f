import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addSeconds } from '#shared/time/clock.ts';
import { hashSecret, newSecret } from '#shared/tokens/secret.ts';
import { recordAuditEvent, requestOrigin } from '../audit/audit-trail.ts';
import type { Context } from '../context.ts';
import { runRevocation, type Session } from '../session.ts';
import { signOutPath } from '../sign-in/sign-in-paths.ts';
import { readCookie } from './browser-cookies.ts';
import { type BrowserSession, BrowserSessionEntity } from './browser-session-entity.ts';
import {
  type BrowserOwner,
  deleteBrowserSessions,
  findSignedInAccount,
  notSignedIn,
  type SignedInAccount,
} from './browser-session-repository.ts';
import { csrfToken } from './csrf.ts';
import { describeUserAgent } from './describe-user-agent.ts';

export type SignedInUser = {
  sessionId: string;
  /** Of the secret in this request's cookie. */
  secretHash: Buffer;
  /** Time of the sign-in or the last reauthentication. */
  confirmedAt: Date;
  hasSecondFactor: boolean;
  account: SignedInAccount;
  /** For the sign-out form in the header; undefined without a `csrf` cookie. */
  signOutToken?: string;
};

export const ownerOf = ({ account, sessionId, secretHash }: SignedInUser): BrowserOwner => ({
  accountId: account.id,
  sessionId,
  secretHash,
});

export async function findSignedInUser(
  context: Context,
  req: IncomingMessage,
): Promise<SignedInUser | undefined> {
  const user = await findBrowserUser(context, req);
  return user && lacksSecondFactor(context, user) ? undefined : user;
}

/** Throws token_missing. */
export async function requireSignedInUser(context: Context, req: IncomingMessage): Promise<SignedInUser> {
  const user = await findSignedInUser(context, req);
  if (user !== undefined) return user;
  throw notSignedIn();
}

/** Whether the user must set up a second factor first. */
export function lacksSecondFactor({ config }: Context, user: SignedInUser): boolean {
  return config.secondFactor === 'required' && !user.hasSecondFactor;
}

/**
 * As `findSignedInUser`, including users who must set up a second factor. One statement; extends the session.
 */
export async function findBrowserUser(
  context: Context,
  req: IncomingMessage,
): Promise<SignedInUser | undefined> {
  const secret = readCookie(context, req, 'session');
  if (secret === undefined) return undefined;
  const { config, clock, em, pageSecret } = context;
  const { address, userAgent } = requestOrigin(req, config.trustedProxyHops, 'owner');
  const now = clock.now();
  const secretHash = hashSecret(secret);
  const found = await findSignedInAccount(em, {
    secretHash,
    now,
    expiresAt: addSeconds(now, config.browserSessionTtlSeconds),
    maximumSeconds: config.browserSessionMaximumSeconds,
    address: address ?? '',
    userAgent: userAgent ?? '',
  });
  if (found === undefined) return undefined;
  const { sessionId, confirmedAt, hasSecondFactor, ...account } = found;
  const csrfSecret = readCookie(context, req, 'csrf');
  const signOutToken = csrfSecret === undefined ? undefined : csrfToken(pageSecret, csrfSecret, signOutPath);
  return { sessionId, secretHash, confirmedAt, hasSecondFactor, account, signOutToken };
}

/** `secret`: for the browser's cookie; only its hash is stored. */
export async function startBrowserSession(
  { em, clock, origin }: Session,
  accountId: string,
  lifetimeSeconds: number,
): Promise<{ id: string; secret: string }> {
  const id = randomUUID();
  const secret = newSecret();
  const now = clock.now();
  await em.insert(BrowserSessionEntity, {
    id,
    secretHash: hashSecret(secret),
    accountId,
    address: origin.address ?? '',
    userAgent: origin.userAgent ?? '',
    createdAt: now,
    confirmedAt: null,
    lastSeenAt: now,
    expiresAt: addSeconds(now, lifetimeSeconds),
  });
  return { id, secret };
}

/**
 * Ends the session of a cookie and records it in the audit trail, in the caller's transaction. Returns the
 * account's id; undefined if the session had ended.
 */
export async function endBrowserSession(session: Session, secret: string): Promise<string | undefined> {
  const secretHash = hashSecret(secret);
  const found = await session.em.findOne(BrowserSessionEntity, { secretHash });
  const count = await session.em.nativeDelete(BrowserSessionEntity, { secretHash });
  if (found !== null && count > 0) recordAuditEvent(session, found.accountId, 'signed_out');
  return found?.accountId;
}

/** The account's sessions, the last used first. */
export function listBrowserSessions({ em, clock }: Session, accountId: string): Promise<BrowserSession[]> {
  const orderBy = { lastSeenAt: 'desc', id: 'asc' } as const;
  return em.find(BrowserSessionEntity, { accountId, expiresAt: { $gt: clock.now() } }, { orderBy });
}

/** Ends a session and returns it; undefined if it is not the account's. */
export async function signOutBrowser(
  session: Session,
  accountId: string,
  id: string,
): Promise<BrowserSession | undefined> {
  return runRevocation(session, async (within, affects) => {
    affects(accountId);
    const { em } = within;
    const browsers = await listBrowserSessions(within, accountId);
    const browser = browsers.find((each) => each.id === id.toLowerCase());
    if (browser === undefined) return undefined;
    const count = await em.nativeDelete(BrowserSessionEntity, { accountId, id: browser.id });
    if (count === 0) return undefined;
    const name = describeUserAgent(browser.userAgent);
    recordAuditEvent(within, accountId, 'session_ended', { id: browser.id, name });
    return browser;
  });
}

export async function signOutOtherBrowsers(
  session: Session,
  accountId: string,
  keptId: string,
): Promise<void> {
  await runRevocation(session, async (within, affects) => {
    affects(accountId);
    const count = await deleteBrowserSessions(within.em, accountId, keptId);
    if (count > 0) recordAuditEvent(within, accountId, 'session_ended');
  });
}
