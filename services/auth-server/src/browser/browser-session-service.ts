import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { requestOrigin } from '../audit/origin.ts';
import type { Context } from '../context.ts';
import type { Session } from '../session.ts';
import { readCookie } from './browser-cookies.ts';
import { deleteSessionBySecret, findVisitorRow, insertBrowserSession } from './browser-session-repository.ts';
import { formToken } from './form-token.ts';

/** Who uses the browser that sent the request. */
export type Visitor = {
  sessionId: string;
  account: {
    id: string;
    email: string;
    timezone: string;
    plan: 'free' | 'premium';
    status: 'active' | 'suspended';
  };
  /** For the form in the header; undefined while the browser has no `csrf` cookie. */
  signOutToken?: string;
};

export const signOutPath = '/sign-out';

/** Undefined when nobody is signed in, or no longer. One statement; it prolongs the session. */
export async function findVisitor(context: Context, req: IncomingMessage): Promise<Visitor | undefined> {
  const secret = readCookie(context, req, 'session');
  if (secret === undefined) return undefined;
  const { config, clock, em, pageSecret } = context;
  const { address, userAgent } = requestOrigin(req, config.trustedProxyHops, 'owner');
  const now = clock.now();
  const row = await findVisitorRow(em, {
    secretHash: hashOf(secret),
    now,
    expiresAt: after(now, config.browserSessionTtlSeconds),
    address: address ?? '',
    userAgent: userAgent ?? '',
  });
  if (row === undefined) return undefined;
  const { sessionId, ...account } = row;
  const browserSecret = readCookie(context, req, 'csrf');
  const signOutToken =
    browserSecret === undefined ? undefined : formToken(pageSecret, browserSecret, signOutPath);
  return { sessionId, account, signOutToken };
}

/** The secret for the browser's cookie, which is known to nobody else: only its hash is kept. */
export async function startBrowserSession(
  { em, clock, origin }: Session,
  accountId: string,
  lifetimeSeconds: number,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const now = clock.now();
  await insertBrowserSession(em, {
    id: randomUUID(),
    secretHash: hashOf(secret),
    accountId,
    address: origin.address ?? '',
    userAgent: origin.userAgent ?? '',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: after(now, lifetimeSeconds),
  });
  return secret;
}

/** Ends the session of a cookie, if it is one, and puts that on its account's trail; within the caller's transaction. */
export async function endBrowserSession(session: Session, secret: string): Promise<void> {
  const ended = await deleteSessionBySecret(session.em, hashOf(secret));
  if (ended !== undefined) recordAuditEvent(session, ended.accountId, 'signed_out');
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
