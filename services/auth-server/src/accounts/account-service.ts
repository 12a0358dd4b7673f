import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import type { Plan } from '#shared/plans.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { revokeAllApiTokens } from '../api-tokens/api-token-service.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { confirmBrowserSession, deleteBrowserSessions } from '../browser/browser-session-repository.ts';
import { disconnectAllApps } from '../connected-apps/connected-app-service.ts';
import { runRevocation, type Session } from '../session.ts';
import { replaceAddress, storeAddress } from './account-address.ts';
import { type Account, AccountEntity } from './account-entity.ts';
import {
  accountCreateInput,
  accountUpdateInput,
  foldEmailAddress,
  passwordChangeInput,
  profileInput,
  spellingsOf,
} from './account-schema.ts';
import { lockAccountRow } from './lock-account-row.ts';
import { endPasswordResets } from './mail-link-repository.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { requireStrongPassword } from './password-strength.ts';

type NewAccount = Pick<Account, 'email' | 'passwordHash' | 'plan' | 'timezone'>;

/**
 * What to insert for `input`: `{email, password, plan = free, timezone = UTC}`. Slow, so call it before a
 * transaction. Throws validation_error.
 */
export async function prepareAccount(input: unknown, defaultPlan: Plan = 'free'): Promise<NewAccount> {
  const { email, password, plan, timezone } = validateInput(accountCreateInput, input, 'account');
  await requireStrongPassword('password', password, email);
  const passwordHash = await hashPassword(password);
  return { email, passwordHash, plan: plan ?? defaultPlan, timezone: timezone ?? 'UTC' };
}

/** Throws EmailTakenError. */
export async function insertAccount(session: Session, prepared: NewAccount): Promise<Account> {
  const now = session.clock.now();
  return session.em.transactional(async (em) => {
    const account = em.create(AccountEntity, {
      ...prepared,
      id: randomUUID(),
      emailFolded: foldEmailAddress(prepared.email),
      status: 'active',
      lockedAt: null,
      createdAt: now,
      updatedAt: now,
    });
    // The trail refers to the account, which must be stored first.
    await storeAddress({ ...session, em }, account);
    recordAuditEvent({ ...session, em }, account.id, 'account_created');
    return account;
  });
}

/**
 * `input`: any of `{newEmail, plan, timezone, status, password, revokeApiTokens}`. A new password ends
 * sessions and apps, and personal tokens only with `revokeApiTokens`. Throws validation_error,
 * EmailTakenError, not_found.
 */
export async function updateAccount(session: Session, accountId: string, input: unknown): Promise<Account> {
  const {
    newEmail,
    password,
    revokeApiTokens = false,
    ...changes
  } = validateInput(accountUpdateInput, input, 'account');
  const passwordHash =
    password === undefined ? undefined : await hashNewPassword(session, accountId, password);
  return runRevocation(session, async (within, affects) => {
    const account = await lockAccount(within.em, accountId);
    if (account === null) throw notFound();
    affects(accountId);
    const { status } = account;
    within.em.assign(account, changes, { ignoreUndefined: true });
    if (account.status !== status) {
      const isSuspended = account.status === 'suspended';
      recordAuditEvent(within, accountId, isSuspended ? 'account_suspended' : 'account_reactivated');
    }
    account.updatedAt = session.clock.now();
    if (passwordHash !== undefined) await replacePassword(within, account, { passwordHash, revokeApiTokens });
    else if (revokeApiTokens) await revokeAllApiTokens(within, account.id);
    // Sessions before the address, in the order in which signing out takes its locks (no deadlock).
    if (newEmail !== undefined && newEmail !== account.email)
      await replaceAddress(within, account, newEmail, { event: 'address_changed', isReversible: false });
    return account;
  });
}

async function hashNewPassword({ em }: Session, accountId: string, password: string): Promise<string> {
  const account = await em.findOne(AccountEntity, { id: accountId });
  if (account === null) throw notFound();
  await requireStrongPassword('password', password, account.email);
  return hashPassword(password);
}

/**
 * Locks or unlocks the account. Locking ends sessions, apps, personal tokens and password links for good;
 * data stays. Throws not_found.
 */
export async function setAccountLocked(
  session: Session,
  accountId: string,
  isLocked: boolean,
): Promise<Account> {
  return runRevocation(session, async (within, affects) => {
    const account = await lockAccount(within.em, accountId);
    if (account === null) throw notFound();
    affects(accountId);
    if ((account.lockedAt !== null) === isLocked) return account;
    const now = session.clock.now();
    account.lockedAt = isLocked ? now : null;
    account.updatedAt = now;
    recordAuditEvent(within, accountId, isLocked ? 'account_locked' : 'account_unlocked');
    if (isLocked) {
      account.credentialVersion += 1;
      await endAccess(within, accountId);
    }
    return account;
  });
}

/** `input`: `{timezone}`. Throws validation_error, account_suspended, not_found. */
export async function changeProfile(session: Session, accountId: string, input: unknown): Promise<void> {
  const { timezone } = validateInput(profileInput, input, 'form');
  await requireActiveAccount(session, accountId);
  await updateAccount(session, accountId, { timezone });
}

/**
 * `input`: `{currentPassword, newPassword, revokeApiTokens}`. Ends other sessions and apps, but not the
 * browser session `keepSessionId`, whose new secret is returned. Throws validation_error, account_suspended,
 * not_found.
 */
export async function changePassword(
  session: Session,
  accountId: string,
  input: unknown,
  keepSessionId: string,
): Promise<string> {
  const { currentPassword, newPassword, revokeApiTokens } = validateInput(passwordChangeInput, input, 'form');
  const {
    credentialVersion,
    email,
    passwordHash: storedHash,
  } = await requireActiveAccount(session, accountId);
  if (!(await verifyPassword(currentPassword, storedHash))) throw wrongPassword();
  if (newPassword === currentPassword)
    throw invalidField('newPassword', 'newPassword is the password you have');
  await requireStrongPassword('newPassword', newPassword, email);
  const passwordHash = await hashPassword(newPassword);
  return runRevocation(session, async (within, affects) => {
    const locked = await lockAccount(within.em, accountId);
    // The password was changed since it was verified above.
    if (locked?.credentialVersion !== credentialVersion) throw wrongPassword();
    affects(accountId);
    await replacePassword(within, locked, { passwordHash, keepSessionId, revokeApiTokens });
    // In this transaction, so that a request with the former cookie adds nothing after the commit.
    return confirmBrowserSession(within, keepSessionId);
  });
}

export async function isPasswordOf(
  { em }: Pick<Session, 'em'>,
  accountId: string,
  password: string,
): Promise<boolean> {
  const account = await em.findOne(AccountEntity, { id: accountId });
  return account !== null && verifyPassword(password, account.passwordHash);
}

function wrongPassword(): AppError {
  return invalidField('currentPassword', 'currentPassword is not your present password');
}

type CredentialChange = { passwordHash: string; keepSessionId?: string; revokeApiTokens: boolean };

/**
 * Changes the password of a locked account, within the caller's transaction. Ends other browser sessions,
 * connected apps and exchanged access tokens (by their credential version).
 */
export async function replacePassword(
  session: Session,
  account: Account,
  { passwordHash, keepSessionId, revokeApiTokens }: CredentialChange,
): Promise<void> {
  account.passwordHash = passwordHash;
  account.credentialVersion += 1;
  account.updatedAt = session.clock.now();
  recordAuditEvent(session, account.id, 'password_changed');
  await endAccess(session, account.id, { keepSessionId, keepsApiTokens: !revokeApiTokens });
}

/** Ends sessions, apps, personal tokens and links to another password, in the caller's transaction. */
export async function endAccess(
  session: Session,
  accountId: string,
  {
    keepSessionId,
    keepsApiTokens = false,
  }: { keepSessionId?: string | undefined; keepsApiTokens?: boolean } = {},
): Promise<void> {
  // Sessions before apps: a consent under way locks its session, so its app exists when the apps end.
  await deleteBrowserSessions(session.em, accountId, keepSessionId);
  await disconnectAllApps(session, accountId);
  await endPasswordResets(session.em, accountId);
  if (!keepsApiTokens) await revokeAllApiTokens(session, accountId);
}

export async function findAccountByEmail(
  { em }: Pick<Session, 'em'>,
  email: string,
): Promise<Account | null> {
  const spellings = spellingsOf(email);
  const found = await em.find(AccountEntity, { emailFolded: { $in: spellings } });
  return found.find(({ emailFolded }) => emailFolded === spellings[0]) ?? found[0] ?? null;
}

/** Empty if the account does not exist. */
export async function findAddressOf({ em }: Pick<Session, 'em'>, accountId: string): Promise<string> {
  const account = await em.findOne(AccountEntity, { id: accountId });
  return account?.email ?? '';
}

/** Returns the account if its owner may change it. Throws not_found, account_suspended. */
export async function requireActiveAccount({ em }: Session, accountId: string): Promise<Account> {
  const account = await em.findOne(AccountEntity, { id: accountId });
  if (account === null) throw notFound();
  if (account.status === 'suspended') throw new AppError('account_suspended');
  return account;
}

/** Locks the account until the end of the transaction, and returns it. */
export async function lockAccount(em: EntityManager, id: string): Promise<Account | null> {
  await lockAccountRow(em, id);
  // Rereads the account: it may have changed before the lock.
  return em.findOne(AccountEntity, { id }, { refresh: true });
}
