import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { query } from '../database/query.ts';
import type { Session } from '../session.ts';
import type { Account } from './account-entity.ts';
import { foldEmailAddress } from './account-schema.ts';
import { endPasswordResets } from './mail-link-repository.ts';

/** How long an address that was given up is kept for its account. */
export const reversalDays = 7;

/** validation_error on `email`; sign-up limits how often it can be learnt that an address has an account. */
export class EmailTakenError extends AppError {
  constructor() {
    super('validation_error', { errors: { email: ['email belongs to an account already'] } });
  }
}

/** Stores the account's address within the caller's transaction. Throws EmailTakenError. */
export async function storeAddress({ em, clock }: Session, account: Account): Promise<void> {
  try {
    await em.persist(account).flush();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new EmailTakenError();
    throw error;
  }
  // After the flush, which has waited for a change of the address that was under way.
  const others = await query(em)`select 1 from auth.former_address where email_folded = ${account.emailFolded}
    and account_id <> ${account.id} and expires_at > ${clock.now()}`;
  if (others.length > 0) throw new EmailTakenError();
}

type AddressEvent = { event: 'address_changed' | 'address_restored'; isReversible: boolean };

/**
 * Gives a locked account another address, within the caller's transaction. Links that were sent to the former one
 * end; with `isReversible` it is kept for the account. Throws EmailTakenError.
 */
export async function replaceAddress(
  session: Session,
  account: Account,
  email: string,
  { event, isReversible }: AddressEvent,
): Promise<void> {
  const { id, email: former } = account;
  account.email = email;
  account.emailFolded = foldEmailAddress(email);
  account.updatedAt = session.clock.now();
  await storeAddress(session, account);
  await endPasswordResets(session.em, id);
  await query(session.em)`delete from auth.mail_link
    where account_id = ${id} and kind in ('address_change', 'factor_removal')`;
  if (isReversible) await keepAddress(session.em, id, former, session.clock.now());
  recordAuditEvent(session, id, event, { id, name: former });
}

async function keepAddress(em: EntityManager, accountId: string, email: string, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + reversalDays * 86_400_000);
  await query(
    em,
  )`insert into auth.former_address (id, account_id, email, email_folded, given_up_at, expires_at)
    values (${randomUUID()}, ${accountId}, ${email}, ${foldEmailAddress(email)}, ${now}, ${expiresAt})`;
}
