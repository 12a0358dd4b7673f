import type { Queryable } from '#shared/database/database.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { isUuid } from '#shared/validation/fields.ts';
import type { Account } from '../auth/principal.ts';

/** Rows are of type Account. */
export const selectAccount = 'select account_id as id, plan, timezone, status from auth.account_access';

/** Throws not_found. */
export async function requireAccount(db: Queryable, accountId: string): Promise<Account> {
  const text = `${selectAccount} where account_id = $1`;
  const { rows } = isUuid(accountId) ? await db.query<Account>({ text, values: [accountId] }) : { rows: [] };
  if (rows[0] !== undefined) return rows[0];
  throw new AppError('not_found', { message: 'there is no account with that id' });
}
