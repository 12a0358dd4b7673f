import { eraseAccountRows } from '../accounts/erase-accounts.ts';
import { openTasksDatabase } from '../database/tasks-database.ts';

/** Removes the rows of an account whose erasure has begun. */
export async function eraseRows(databaseUrl: string, accountId: string): Promise<void> {
  const database = openTasksDatabase({ url: databaseUrl, poolSize: 1, waitMilliseconds: 10_000 });
  try {
    await eraseAccountRows(database, accountId);
  } finally {
    await database.close();
  }
}
