import type { EntityManager } from '@mikro-orm/postgresql';
import type { Revoker } from '#shared/admission/revoker.ts';
import { runEach } from '#shared/sweep/run-each.ts';
import { runBatches } from '#shared/sweep/sweeper.ts';
import { query } from '../database/query.ts';

type EraseOptions = {
  em: EntityManager;
  revoker: Pick<Revoker, 'confirm'>;
  now: Date;
  signal?: AbortSignal | undefined;
};

const rowsPerStatement = 500;
/** Longer than any process uses what it read, or delays what it has to write. */
const traceSeconds = 60;

/**
 * Erases accounts whose deletion is due: this service's rows in batches, and the account when resource-api
 * has removed its own. Every step can be repeated, also by another process at the same time. Returns the
 * number of erased accounts.
 */
export async function eraseAccounts({ em, revoker, now, signal }: EraseOptions): Promise<number> {
  await markForErasure(em, now);
  const rows = await query(em.fork())<{
    accountId: string;
  }>`select account_id as "accountId" from auth.account_erasure
    where began_at is not null and emptied_at is null order by erase_after`;
  const erased = await runEach(rows, ({ accountId }) => eraseAccount(em, revoker, accountId, signal));
  await removeTraces(em);
  return erased.filter((isGone) => isGone).length;
}

/** Marks accounts whose deletion is due, or the given one: they can't be restored from now on. */
export async function markForErasure(em: EntityManager, now: Date, accountId?: string): Promise<void> {
  await query(em.fork())`update auth.account_erasure set began_at = ${now}
    where began_at is null
      and (erase_after <= ${now} and ${accountId === undefined} or account_id = ${accountId ?? null}::uuid)`;
}

/** Whether only the rows that `removeTraces` removes are left. */
export async function eraseAccount(
  em: EntityManager,
  revoker: Pick<Revoker, 'confirm'>,
  accountId: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const eraseSome = async (limit: number): Promise<number> => {
    // One process at a time: rows that another one is removing would seem gone.
    const [erased] = await query(em.fork())<{ removed: number }>`
      select auth.erase_rows(${accountId}::uuid, ${limit}) as removed
      from pg_advisory_xact_lock(hashtextextended(${accountId}::text, 0))`;
    return erased?.removed ?? 0;
  };
  await runBatches(rowsPerStatement, eraseSome, signal);
  if (signal?.aborted) return false;
  const isGone = await em.fork().transactional(async (within) => {
    await removeJobs(within, accountId);
    const [erased] = await query(within)<{ isGone: boolean }>`
      select auth.erase_account(${accountId}) as "isGone"`;
    if (erased?.isGone !== true) return false;
    await query(within)`update auth.account_erasure set emptied_at = clock_timestamp()
      where account_id = ${accountId}`;
    return true;
  });
  // Redis keeps the account's version.
  if (isGone) await revoker.confirm([accountId], performance.now());
  return isGone;
}

/** Queued and recent mail names its account by its id or its address, as a JSON text (pg-boss, «SQL»). */
async function removeJobs(em: EntityManager, accountId: string): Promise<void> {
  await query(em)`delete from jobs.job using auth.account
    where account.id = ${accountId} and (position(to_jsonb(account.id)::text in job.data::text) > 0
      or position(to_jsonb(account.email_folded)::text in lower(job.data::text)) > 0)`;
}

/**
 * Removes the rows that announced the end of the account, when every process has read them and written its
 * pending rows.
 */
async function removeTraces(em: EntityManager): Promise<void> {
  await query(em.fork())`with gone as (
      delete from auth.account_erasure
      where emptied_at < clock_timestamp() - make_interval(secs => ${traceSeconds})
        and not tasks.has_rows_of(account_id) returning account_id)
    delete from auth.principal_change change using gone where change.account_id = gone.account_id`;
}
