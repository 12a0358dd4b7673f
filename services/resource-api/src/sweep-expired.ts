import type { Queryable } from '#shared/database/database.ts';
import { removeInBatches } from '#shared/sweep/remove-in-batches.ts';
import { runBatches } from '#shared/sweep/sweeper.ts';
import type { Clock } from '#shared/time/clock.ts';
import { piecesPerStatement, removeOldImports } from './account-file/import-repository.ts';
import { eraseMarkedAccounts } from './accounts/erase-accounts.ts';
import { deleteOldChanges } from './history/change-repository.ts';
import { deleteRecords } from './idempotency/idempotency-repository.ts';
import { deleteOldReminders } from './reminders/queue-due-reminders.ts';

/** Longer than any upload takes. */
const oldestImportMilliseconds = 6 * 3_600_000;

/** Removes expired records and accounts to be erased. Fails and ends early as `removeInBatches` does. */
export function sweepExpired(
  db: Queryable,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock.now();
  const oldest = new Date(now.getTime() - oldestImportMilliseconds);
  return removeInBatches(
    {
      kept_answer: (limit) => deleteRecords(db, now, limit),
      reminder: (limit) => deleteOldReminders(db, now, limit),
      account_import: () =>
        runBatches(piecesPerStatement, (limit) => removeOldImports(db, oldest, limit), signal),
      change_history: (limit) => deleteOldChanges(db, now, limit),
      erased_accounts: () => eraseMarkedAccounts(db, signal),
    },
    signal,
  );
}
