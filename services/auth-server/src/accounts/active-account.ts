import { AppError } from '#shared/errors/app-error.ts';
import { notFound } from '#shared/errors/errors.ts';
import type { Session } from '../session.ts';
import { type Account, AccountEntity } from './account-entity.ts';

/** The account, if its owner may change it. Throws not_found, account_suspended. */
export async function requireActiveAccount({ em }: Session, accountId: string): Promise<Account> {
  const account = await em.findOne(AccountEntity, { id: accountId });
  if (account === null) throw notFound();
  if (account.status === 'suspended') throw new AppError('account_suspended');
  return account;
}
