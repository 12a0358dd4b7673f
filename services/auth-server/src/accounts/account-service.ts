import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { notFound } from '#shared/errors/errors.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import type { Session } from '../session.ts';
import { type Account, AccountEntity } from './account-entity.ts';
import { lockAccount } from './account-repository.ts';
import { accountCreateInput, accountUpdateInput } from './account-schema.ts';
import { replacePassword } from './credential-change.ts';
import { foldEmailAddress } from './email-address.ts';
import { EmailTakenError } from './email-taken-error.ts';
import { hashPassword } from './password-hash.ts';

/** An account that is not stored yet. */
export type NewAccount = Pick<Account, 'email' | 'passwordHash' | 'plan' | 'timezone'>;

/**
 * `input`: `{email, password, plan = free, timezone = UTC}`.
 * Throws validation_error, on `email` too when an account has that address already.
 */
export async function createAccount(session: Session, input: unknown): Promise<Account> {
  return insertAccount(session, await prepareAccount(input));
}

/** The part of `createAccount` that takes its time, and needs no transaction. Throws validation_error. */
export async function prepareAccount(input: unknown): Promise<NewAccount> {
  const { email, password, plan, timezone } = validateInput(accountCreateInput, input, 'account');
  const passwordHash = await hashPassword(password);
  return { email, passwordHash, plan: plan ?? 'free', timezone: timezone ?? 'UTC' };
}

/** Throws EmailTakenError. */
export async function insertAccount(session: Session, prepared: NewAccount): Promise<Account> {
  const now = session.clock.now();
  try {
    return await session.em.transactional(async (em) => {
      const account = em.create(AccountEntity, {
        ...prepared,
        id: randomUUID(),
        emailFolded: foldEmailAddress(prepared.email),
        status: 'active',
        createdAt: now,
        updatedAt: now,
      });
      // The trail refers to the account, which has to be there first.
      await em.persist(account).flush();
      recordAuditEvent({ ...session, em }, account.id, 'account_created');
      return account;
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new EmailTakenError();
  }
}

/**
 * `input`: any of `{plan, timezone, status, password}`. Another password ends what the old one gave, but for personal
 * tokens. Throws validation_error, not_found.
 */
export async function updateAccount(session: Session, accountId: string, input: unknown): Promise<Account> {
  const { password, ...changes } = validateInput(accountUpdateInput, input, 'account');
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  return session.em.transactional(async (em) => {
    const account = await lockAccount(em, accountId);
    if (account === null) throw notFound();
    em.assign(account, changes, { ignoreUndefined: true });
    account.updatedAt = session.clock.now();
    if (passwordHash !== undefined)
      await replacePassword({ ...session, em }, account, { passwordHash, revokeApiTokens: false });
    return account;
  });
}

export async function findAccountByEmail({ em }: Session, email: string): Promise<Account | null> {
  return em.findOne(AccountEntity, { emailFolded: foldEmailAddress(email) });
}
