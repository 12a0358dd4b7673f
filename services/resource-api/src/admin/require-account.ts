import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { isUuid } from '#shared/validation/fields.ts';
import type { Account } from '../auth/principal.ts';

/** Rows are of type Account. */
export const selectAccount = 'select account_id as id, plan, timezone, status from auth.account_access';

/** Throws not_found. */
export async function requireAccount(em: EntityManager, accountId: string): Promise<Account> {
  const [account] = isUuid(accountId)
    ? await em.execute<Account[]>(`${selectAccount} where account_id = ?`, [accountId])
    : [];
  if (account !== undefined) return account;
  throw new AppError('not_found', { message: 'there is no account with that id' });
}
