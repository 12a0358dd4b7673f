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
  /** Of the browser's session so far, which ends with the one that begins. */
  previousSecret: string | undefined;
  /** Whether its owner signed in to the account in this browser before. */
  isKnownTo(accountId: string): boolean;
};

/** Whose password was right, and which of their passwords. */
export type PasswordProof = { accountId: string; credentialVersion: number };

/** `isKept`: the account was to be deleted until now. */
export type SignedIn = { secret: string; accountId: string; isKept: boolean };

type Refusal = { refusal: 'wrong' | 'locked' };

/** `proof`: a second factor is needed beside it. */
type SignInResult = SignedIn | { proof: PasswordProof } | Refusal;

const wrong: Refusal = { refusal: 'wrong' };

/**
 * The secret of a new browser session, or what is known while a second factor is to come. An unknown account and a
 * wrong password take the same time; that an account is locked is said to whoever knows its password.
 * Throws service_unavailable.
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
    // A session that begins just after its password was changed would outlive the change.
    const locked = await lockForSignIn(within, account.id, (now) => now.passwordHash === verifiedHash);
    if ('refusal' in locked) return locked;
    const { id: accountId, credentialVersion } = locked;
    if (await hasSecondFactor(within, accountId)) return { proof: { accountId, credentialVersion } };
    return enter(within, accountId, options, affects);
  });
}

/** The same for whom a passkey vouches, or a second factor beside a password that is still theirs. */
export async function signInVerified(
  session: Session,
  { accountId, credentialVersion }: { accountId: string; credentialVersion?: number },
  options: BrowserOptions,
): Promise<SignedIn | Refusal> {
  return runRevocation(session, async (within, affects) => {
    const isCurrent = (now: Account) =>
      credentialVersion === undefined || now.credentialVersion === credentialVersion;
    const locked = await lockForSignIn(within, accountId, isCurrent);
    return 'refusal' in locked ? locked : enter(within, accountId, options, affects);
  });
}

/** The account, locked to the end of the transaction. `isCurrent`: whether what was verified before still counts. */
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

/** Records a wrong password. To be called after the response, whose time must not tell that there is an account. */
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
  // Not by the owner, for all that is known.
  const from = { em, clock, origin: { ...origin, actor: 'service' } } as const;
  recordAuditEvent(from, accountId, 'sign_in_failed', subject);
  await em.flush();
}

/**
 * A new account on `plan`, its id, and the secret of its first browser session. `input`: `{email, password, timezone = UTC}`.
 * `link`: the secret of the link that confirmed the address, which is used up.
 * Throws validation_error, EmailTakenError, service_unavailable.
 */
export async function signUp(
  session: Session,
  input: { email: string; password: string; timezone?: string },
  options: BrowserOptions & { plan: Plan; link?: string },
): Promise<SignedIn> {
  // Before the transaction: a connection must not wait for the hash.
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
