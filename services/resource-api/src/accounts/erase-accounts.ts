import type { Queryable } from '#shared/database/database.ts';
import { runEach } from '#shared/sweep/run-each.ts';
import { runBatches } from '#shared/sweep/sweeper.ts';

const rowsPerStatement = 500;

/**
 * Removes the rows of accounts that auth-server has marked, in batches, and then the account. Every step can
 * be repeated, also by another process at the same time. Returns the number of rows.
 */
export async function eraseMarkedAccounts(db: Queryable, signal?: AbortSignal): Promise<number> {
  const { rows } = await db.query<{ accountId: string }>({
    // Without a limit: accounts that wait for auth-server would keep later ones out.
    text: 'select account_id as "accountId" from auth.account_erasure_access',
  });
  const removed = await runEach(rows, ({ accountId }) => eraseAccountRows(db, accountId, signal));
  return removed.reduce((total, count) => total + count, 0);
}

export function eraseAccountRows(db: Queryable, accountId: string, signal?: AbortSignal): Promise<number> {
  const eraseSome = async (limit: number): Promise<number> => {
    const { rows } = await db.query<{ removed: number }>({
      // One process at a time: rows that another one is removing would seem gone.
      text: `select tasks.erase_rows($1::uuid, $2) as removed
        from pg_advisory_xact_lock(hashtextextended($1::text, 0))`,
      values: [accountId, limit],
    });
    return rows[0]?.removed ?? 0;
  };
  return runBatches(rowsPerStatement, eraseSome, signal);
}
