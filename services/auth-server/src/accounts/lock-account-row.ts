import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../database/query.ts';

/**
 * Locks an account until the end of the transaction. Rows that refer to it can still be inserted, so this
 * does not deadlock.
 */
export async function lockAccountRow(em: EntityManager, id: string): Promise<void> {
  await query(em)`select from auth.account where id = ${id} for no key update`;
}
