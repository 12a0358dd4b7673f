import type { Queryable } from '#shared/database/database.ts';
import type { StorageObserver } from '../metrics/storage-metrics.ts';

const accountsAtOnce = 50;

/**
 * Adds, once, the bytes stored before accounts were measured, and reports the fullest account. Returns the
 * number of measured accounts.
 */
export async function measureStorage(
  db: Queryable,
  observer: StorageObserver,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const { rows } = await db.query<{ accountId: string }>({
    text: `select account_id as "accountId" from tasks.account_feed where measured_at is null limit $1`,
    values: [accountsAtOnce],
  });
  let measured = 0;
  for (const { accountId } of rows) {
    if (signal.aborted) break;
    await measureAccount(db, accountId);
    measured += 1;
  }
  const fullest = await db.query<{ storedBytes: number | null }>({
    text: `select max(stored_bytes + 150 * last_sequence) as "storedBytes" from tasks.account_feed`,
  });
  observer.measured(fullest.rows[0]?.storedBytes ?? 0);
  return { account_feed: measured };
}

/**
 * In one snapshot: the difference between the rows and the count was stored before, and is unaffected by
 * concurrent writes.
 */
async function measureAccount(db: Queryable, accountId: string): Promise<void> {
  const { rows } = await db.query<{ earlierBytes: number }>({
    text: `select tasks.measure_stored_bytes(account_id) - stored_bytes as "earlierBytes"
      from tasks.account_feed where account_id = $1`,
    values: [accountId],
  });
  await db.query({
    text: `update tasks.account_feed set stored_bytes = stored_bytes + $2, measured_at = now()
      where account_id = $1 and measured_at is null`,
    values: [accountId, rows[0]?.earlierBytes ?? 0],
  });
}
