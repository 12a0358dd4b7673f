import type { Queryable } from '#shared/database/database.ts';
import { notFound } from '#shared/errors/errors.ts';
import { systemClock } from '#shared/time/clock.ts';
import { isUuid } from '#shared/validation/fields.ts';
import type { Account } from '../auth/principal.ts';
import { openTasksDatabase, type TasksDatabase } from '../database/tasks-database.ts';
import type { WriteStore } from '../session.ts';
import { createAccountQueue } from '../sync/account-queue.ts';

/** Runs `work` with the rights of resource-api, no more. `waitMilliseconds`: for a statement. */
export async function withDatabase<Result>(
  url: string,
  waitMilliseconds: number,
  work: (database: TasksDatabase, store: WriteStore) => Promise<Result>,
): Promise<Result> {
  const database = openTasksDatabase({ url, poolSize: 2, waitMilliseconds });
  try {
    const accountQueue = createAccountQueue(waitMilliseconds);
    return await work(database, { database, accountQueue, clock: systemClock });
  } finally {
    await database.close();
  }
}

/** Rows are of type Account. */
export const selectAccount = 'select account_id as id, plan, timezone, status from auth.account_access';

/** Throws not_found. */
export async function requireAccount(db: Queryable, accountId: string): Promise<Account> {
  const text = `${selectAccount} where account_id = $1`;
  const { rows } = isUuid(accountId) ? await db.query<Account>({ text, values: [accountId] }) : { rows: [] };
  if (rows[0] !== undefined) return rows[0];
  throw notFound('there is no account with that id');
}
