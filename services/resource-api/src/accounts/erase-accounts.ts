import type { Queryable } from '#shared/database/database.ts';
import { runBatches } from '#shared/sweep/sweeper.ts';

const accountsPerSweep = 100;
const rowsPerStatement = 500;

/**
 * Removes the rows of accounts that auth-server has marked, a few at a time; it removes the account once there are none.
 * Every step can be taken again, also by another process at the same time. Returns how many rows went.
 */
export async function eraseMarkedAccounts(db: Queryable, signal?: AbortSignal): Promise<number> {
  const { rows } = await db.query<{ accountId: string }>({
    text: `select account_id as "accountId" from auth.account_erasure_access limit ${accountsPerSweep}`,
  });
  let total = 0;
  const failures: unknown[] = [];
  for (const { accountId } of rows) {
    // The others must not wait for one that fails.
    total += await eraseAccountRows(db, accountId, signal).catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some accounts could not be erased');
  return total;
}

export function eraseAccountRows(db: Queryable, accountId: string, signal?: AbortSignal): Promise<number> {
  const eraseSome = async (limit: number): Promise<number> => {
    const { rows } = await db.query<{ removed: number }>({
      text: 'select tasks.erase_rows($1, $2) as removed',
      values: [accountId, limit],
    });
    return rows[0]?.removed ?? 0;
  };
  return runBatches(rowsPerStatement, eraseSome, signal);
}
