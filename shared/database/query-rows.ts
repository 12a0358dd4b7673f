import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { keepPlan } from './kept-plans.ts';

/**
 * Rows of one statement, in the transaction of `em` if it has one. `?` stands for each of `parameters`, which travel
 * beside the text, not in it; where a type can't be read off the place, it has to be said (`?::uuid`).
 * PostgreSQL plans it for these very values, so that lists of small and of huge accounts each get their own plan.
 */
export function queryRows<Row>(
  em: EntityManager,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return execute(em, numbered(sql), parameters);
}

/**
 * As `queryRows`, for statements of a fixed text whose best plan is the same for all values, such as look-ups by a
 * key: each connection parses and plans them once, which costs more than to run them.
 */
export function lookUpRows<Row>(
  em: EntityManager,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const text = numbered(sql);
  keepPlan(text);
  return execute(em, text, parameters);
}

async function execute<Row>(em: EntityManager, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const { rows } = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
  return rows;
}

const numberedTexts = new Map<string, string>();
/** More texts than there are are a sign that values were written into them: those are not worth keeping. */
const mostTexts = 1_000;

/** With `$1`, `$2` … for the question marks, which have no other use in our statements. */
function numbered(sql: string): string {
  const known = numberedTexts.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll('?', () => `$${++count}`);
  if (numberedTexts.size < mostTexts) numberedTexts.set(sql, text);
  return text;
}
