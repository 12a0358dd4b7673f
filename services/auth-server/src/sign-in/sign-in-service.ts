import type { Plan } from '#shared/plans.ts';
import { EmailTakenError } from '../accounts/account-address.ts';
import { cancelDeletion, findPendingDeletion } from '../accounts/account-deletion-service.ts';
import type { Account } from '../accounts/account-entity.ts';
import {
  findAccountByEmail,
  insertAccount,
  lockAccount,
  prepareAccount,
} from '../accounts/account-service.ts';
import { useMailLink } from '../accounts/mail-link-repository.ts';
import { unmatchableHash, verifyPassword } from '../accounts/password-hash.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { endBrowserSession, startBrowserSession } from '../browser/browser-session-service.ts';
import { describeUserAgent } from '../browser/describe-user-agent.ts';
import { hasSecondFactor } from '../second-factor/second-factor-service.ts';
import { recentlyChangedAccounts, runRevocation, type Session } from '../session.ts';

export type BrowserOptions = {
  lifetimeSeconds: number;
  /** The browser's previous session, which the new one replaces. */
  previousSecret: string | undefined;
  /** Whether the browser is known to the account. */
  isKnownTo(accountId: string): boolean;
};

/** The account, and the version of its credentials when its password or passkey was verified. */
export type PasswordProof = { accountId: string; credentialVersion: number };

/** `isKept`: the sign-in cancelled a deletion. */
export type SignedIn = { secret: string; accountId: string; isKept: boolean };

type Refusal = { refusal: 'wrong' | 'locked' };

/** `proof`: a second factor is still required. */
type SignInResult = SignedIn | { proof: PasswordProof } | Refusal;

const wrong: Refusal = { refusal: 'wrong' };

/**
 * Returns the secret of a new browser session, or the proof if a second factor is required. An unknown
 * account and a wrong password take the same time; that an account is locked is shown only after a correct
 * password. Throws service_unavailable.
 */
export async function signIn(
  session: Session,
  { email, password }: { email: string; password: string },
  options: BrowserOptions,
): Promise<SignInResult> {
  const account = await findAccountByEmail(session, email);
  const verifiedHash = account?.passwordHash ?? unmatchableHash;
  const isRight = await verifyPassword(password, verifiedHash);
  if (account === null || !isRight) return wrong;
  return runRevocation(session, async (within, affects) => {
    // A session created just after a change of the password would survive it.
    const locked = await lockForSignIn(within, account.id, (now) => now.passwordHash === verifiedHash);
    if ('refusal' in locked) return locked;
    const { id: accountId, credentialVersion } = locked;
    if (await hasSecondFactor(within, accountId)) return { proof: { accountId, credentialVersion } };
    return enter(within, accountId, options, affects);
  });
}

/** The same after a passkey or a second factor, if nothing has ended all access meanwhile. */
export async function signInVerified(
  session: Session,
  { accountId, credentialVersion }: PasswordProof,
  options: BrowserOptions,
): Promise<SignedIn | Refusal> {
  return runRevocation(session, async (within, affects) => {
    const isCurrent = (now: Account) => now.credentialVersion === credentialVersion;
    const locked = await lockForSignIn(within, accountId, isCurrent);
    return 'refusal' in locked ? locked : enter(within, accountId, options, affects);
  });
}

/**
 * The account, locked until the end of the transaction. `isCurrent`: whether the earlier verification is
 * still valid.
 */
async function lockForSignIn(
  { em }: Session,
  accountId: string,
  isCurrent: (account: Account) => boolean,
): Promise<Account | Refusal> {
  const account = await lockAccount(em, accountId);
  if (account === null || !isCurrent(account)) return wrong;
  if (account.lockedAt !== null) return { refusal: 'locked' };
  return (await findPendingDeletion(em, accountId))?.hasBegun ? wrong : account;
}

/**
 * Records a wrong password. Call it after the response, whose time must not reveal that the account exists.
 */
export async function recordFailedSignIn(session: Session, email: string): Promise<void> {
  const account = await findAccountByEmail(session, email);
  if (account !== null) await recordFailure(session, account.id);
}

export function recordFailedCode(session: Session, accountId: string): Promise<void> {
  return recordFailure(session, accountId, { id: accountId, name: 'code' });
}

async function recordFailure(
  { em, clock, origin }: Session,
  accountId: string,
  subject?: { id: string; name: string },
): Promise<void> {
  // It may not be the owner.
  const from = { em, clock, origin: { ...origin, actor: 'service' } } as const;
  recordAuditEvent(from, accountId, 'sign_in_failed', subject);
  await em.flush();
}

/**
 * Creates an account on `plan`; returns its id and the secret of its first browser session. `input`: `{email,
 * password, timezone = UTC}`. `link`: secret of the link that confirmed the address, which is used. Throws
 * validation_error, EmailTakenError, service_unavailable.
 */
export async function signUp(
  session: Session,
  input: { email: string; password: string; timezone?: string },
  options: BrowserOptions & { plan: Plan; link?: string },
): Promise<SignedIn> {
  // Before the transaction, so that no connection waits for the hash.
  const prepared = await prepareAccount(input, options.plan);
  return runRevocation(session, async (within, affects) => {
    if (options.link !== undefined && !(await useMailLink(within.em, options.link)))
      throw new EmailTakenError();
    const { id } = await insertAccount(within, prepared);
    const browser = { ...options, isKnownTo: () => true };
    return enter(within, id, browser, affects);
  });
}

export async function signOut(session: Session, secret: string): Promise<void> {
  await runRevocation(session, (within, affects) => leave(within, secret, affects));
}

type Affects = (...accountIds: string[]) => void;

async function leave(session: Session, secret: string, affects: Affects): Promise<void> {
  const owner = await endBrowserSession(session, secret);
  affects(...(owner === undefined ? await recentlyChangedAccounts(session) : [owner]));
}

async function enter(
  session: Session,
  accountId: string,
  { lifetimeSeconds, previousSecret, isKnownTo }: BrowserOptions,
  affects: Affects,
): Promise<SignedIn> {
  if (previousSecret !== undefined) await leave(session, previousSecret, affects);
  const { id, secret } = await startBrowserSession(session, accountId, lifetimeSeconds);
  const newBrowser = { id, name: describeUserAgent(session.origin.userAgent) };
  recordAuditEvent(session, accountId, 'signed_in', isKnownTo(accountId) ? undefined : newBrowser);
  return { secret, accountId, isKept: await cancelDeletion(session, accountId) };
}
