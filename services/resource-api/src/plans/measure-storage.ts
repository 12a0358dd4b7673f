import { runEach } from '#shared/sweep/run-each.ts';
import { runLong, type TasksDatabase } from '../database/tasks-database.ts';
import { storedBytesOfFeed } from './storage-limit.ts';

const accountsAtOnce = 50;

/**
 * Reports the fullest account, and adds, once, the bytes stored before accounts were measured. Returns the
 * number of measured accounts.
 */
export async function measureStorage(
  database: Pick<TasksDatabase, 'query' | 'transaction'>,
  observer: { measured(fullestBytes: number): void },
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const fullest = await database.query<{ storedBytes: number | null }>({
    text: `select max(${storedBytesOfFeed}) as "storedBytes" from tasks.account_feed`,
  });
  observer.measured(fullest.rows[0]?.storedBytes ?? 0);
  const { rows } = await database.query<{ accountId: string }>({
    text: `select account_id as "accountId" from tasks.account_feed where measured_at is null limit $1`,
    values: [accountsAtOnce],
  });
  const measured = await runEach(rows, async ({ accountId }) => {
    if (signal.aborted) return 0;
    // `earlier` is of one snapshot: concurrent writes change rows and count alike.
    const { rowCount } = await runLong(database, {
      text: `with earlier as materialized (
          select tasks.measure_stored_bytes(account_id) - stored_bytes as bytes
          from tasks.account_feed where account_id = $1)
        update tasks.account_feed set stored_bytes = stored_bytes + earlier.bytes, measured_at = now()
        from earlier where account_id = $1 and measured_at is null`,
      values: [accountId],
    });
    return rowCount ?? 0;
  });
  return { account_feed: measured.reduce((total, count) => total + count, 0) };
}
