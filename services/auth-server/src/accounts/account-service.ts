import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { Session } from '../session.ts';
import { type Account, AccountEntity } from './account-entity.ts';
import { accountCreateInput, accountUpdateInput } from './account-schema.ts';
import { foldEmailAddress } from './email-address.ts';
import { hashPassword } from './password-hash.ts';

/**
 * `input`: `{email, password, plan = free, timezone = UTC}`.
 * Throws validation_error, on `email` too when an account has that address already.
 */
export async function createAccount({ em, clock }: Session, input: unknown): Promise<Account> {
  const { email, password, plan, timezone } = validateInput(accountCreateInput, input, 'account');
  const now = clock.now();
  const account = em.create(AccountEntity, {
    id: randomUUID(),
    email,
    emailFolded: foldEmailAddress(email),
    passwordHash: await hashPassword(password),
    plan: plan ?? 'free',
    timezone: timezone ?? 'UTC',
    status: 'active',
    createdAt: now,
    updatedAt: now,
  });
  try {
    await em.persist(account).flush();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw invalidField('email', 'email belongs to an account already');
  }
  return account;
}

/** `input`: any of `{plan, timezone, status, password}`. Throws validation_error, not_found. */
export async function updateAccount(
  { em, clock }: Session,
  accountId: string,
  input: unknown,
): Promise<Account> {
  const { password, ...changes } = validateInput(accountUpdateInput, input, 'account');
  const account = await em.findOne(AccountEntity, { id: accountId });
  if (account === null) throw notFound();
  em.assign(account, changes, { ignoreUndefined: true });
  if (password !== undefined) account.passwordHash = await hashPassword(password);
  account.updatedAt = clock.now();
  await em.flush();
  return account;
}

export async function findAccountByEmail({ em }: Session, email: string): Promise<Account | null> {
  return em.findOne(AccountEntity, { emailFolded: foldEmailAddress(email) });
}
