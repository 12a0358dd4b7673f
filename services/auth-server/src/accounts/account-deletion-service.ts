import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '#shared/errors/errors.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { query } from '../database/query.ts';
import { runRevocation, type Session } from '../session.ts';
import { endAccess, lockAccount } from './account-service.ts';

/** `hasBegun`: data is being erased, and signing in no longer cancels it. */
type PendingDeletion = { eraseAfter: Date; hasBegun: boolean };

/**
 * Ends every session, app and token of the account at once, and schedules the erasure of its data, which a
 * sign-in cancels. Returns the time; a repeated request can only make it earlier. Throws not_found.
 */
export async function askForDeletion(session: Session, accountId: string, days: number): Promise<Date> {
  const eraseAfter = addSeconds(session.clock.now(), days * 86_400);
  return runRevocation(session, async (within, affects) => {
    const { em } = within;
    const account = await lockAccount(em, accountId);
    if (account === null) throw notFound();
    affects(accountId);
    const pending = await findPendingDeletion(em, accountId);
    if (pending !== undefined && pending.eraseAfter <= eraseAfter) return pending.eraseAfter;
    await query(
      em,
    )`insert into auth.account_erasure (account_id, erase_after) values (${accountId}, ${eraseAfter})
      on conflict (account_id) do update set erase_after = excluded.erase_after`;
    recordAuditEvent(within, accountId, 'deletion_asked');
    account.credentialVersion += 1;
    await endAccess(within, accountId);
    return eraseAfter;
  });
}

/** Cancels the deletion, within the caller's transaction. Returns whether one was requested. */
export async function cancelDeletion(session: Session, accountId: string): Promise<boolean> {
  const rows = await query(session.em)`delete from auth.account_erasure
    where account_id = ${accountId} and began_at is null returning 1`;
  if (rows.length > 0) recordAuditEvent(session, accountId, 'deletion_cancelled');
  return rows.length > 0;
}

/** Locks the request until the end of the transaction, so that the erasure does not begin before. */
export async function findPendingDeletion(
  em: EntityManager,
  accountId: string,
): Promise<PendingDeletion | undefined> {
  const [pending] = await query(em)<PendingDeletion>`
    select erase_after as "eraseAfter", began_at is not null as "hasBegun"
    from auth.account_erasure where account_id = ${accountId} for update`;
  return pending;
}
