import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** A tag that runs its SQL, the values bound, in the transaction of `em`, and resolves to the rows. */
export function query(em: EntityManager) {
  return async <Row>(text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    (await sql<Row>(text, ...values).execute(em.getKysely())).rows;
}
