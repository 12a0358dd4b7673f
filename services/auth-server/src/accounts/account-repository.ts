import type { EntityManager } from '@mikro-orm/postgresql';
import { type Account, AccountEntity } from './account-entity.ts';

/**
 * The account, which nobody else can change before the transaction ends; rows that refer to it can still be added,
 * so nothing waits in a circle.
 */
export async function lockAccount(em: EntityManager, id: string): Promise<Account | null> {
  await em.execute('select id from auth.account where id = ? for no key update', [id]);
  // What was read before the lock may be out of date.
  return em.findOne(AccountEntity, { id }, { refresh: true });
}
