import { eraseAccountRows } from '../accounts/erase-accounts.ts';
import { withDatabase } from './with-database.ts';

/** Removes the rows of an account whose erasure has begun. */
export async function eraseRows(databaseUrl: string, accountId: string): Promise<void> {
  await withDatabase(databaseUrl, 10_000, (database) => eraseAccountRows(database, accountId));
}
