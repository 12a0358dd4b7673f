import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { query } from '../database/query.ts';
import type { Session } from '../session.ts';
import type { Account } from './account-entity.ts';
import { foldEmailAddress } from './account-schema.ts';
import { endPasswordResets } from './mail-link-repository.ts';

/** How long a former address is reserved for its account. */
export const reversalDays = 7;

/** validation_error on `email`. It reveals that an address has an account, so sign-up is limited. */
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
  // After the flush, which waits for a concurrent change of the address.
  const others = await query(em)`select 1 from auth.former_address where email_folded = ${account.emailFolded}
    and account_id <> ${account.id} and expires_at > ${clock.now()}`;
  if (others.length > 0) throw new EmailTakenError();
}

type AddressEvent = { event: 'address_changed' | 'address_restored'; isReversible: boolean };

/**
 * Changes the address of a locked account, within the caller's transaction. Links sent to the former address
 * end. With `isReversible` it is reserved for the account, unless the account regains an address that it had
 * before. Throws EmailTakenError.
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
  // Holders of later addresses got the account by the change that is undone: they must not regain it.
  const isReturn = await forgetAddressesSince(session.em, account);
  await prolongReversals(session, id);
  if (isReversible && !isReturn) await keepAddress(session.em, id, former, session.clock.now());
  recordAuditEvent(session, id, event, { id, name: former });
}

/** Whether a change to the address is a return, which the present address cannot revert. */
export async function isReturnTo(em: EntityManager, accountId: string, email: string): Promise<boolean> {
  const former = await query(em)`select from auth.former_address
    where account_id = ${accountId} and email_folded = ${foldEmailAddress(email)}`;
  return former.length > 0;
}

/**
 * Deletes the new address from the account's former ones, with all given up later. Returns whether there were
 * any.
 */
async function forgetAddressesSince(em: EntityManager, { id, emailFolded }: Account): Promise<boolean> {
  const forgotten = await query(em)`delete from auth.former_address
    where account_id = ${id} and given_up_at >= (select min(given_up_at) from auth.former_address
      where account_id = ${id} and email_folded = ${emailFolded}) returning 1`;
  return forgotten.length > 0;
}

/** The earliest address takes precedence: its link outlives those sent to later addresses. */
async function prolongReversals({ em, clock }: Session, accountId: string): Promise<void> {
  const now = clock.now();
  await query(em)`with earlier as (update auth.former_address set expires_at = ${reversalEnd(now)}
      where account_id = ${accountId} and expires_at > ${now} returning id)
    update auth.mail_link set expires_at = ${reversalEnd(now)}
      from earlier where former_address_id = earlier.id`;
}

function reversalEnd(now: Date): Date {
  return addSeconds(now, reversalDays * 86_400);
}

async function keepAddress(em: EntityManager, accountId: string, email: string, now: Date): Promise<void> {
  await query(
    em,
  )`insert into auth.former_address (id, account_id, email, email_folded, given_up_at, expires_at)
    values (${randomUUID()}, ${accountId}, ${email}, ${foldEmailAddress(email)}, ${now},
      ${reversalEnd(now)})`;
}
