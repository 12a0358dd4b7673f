import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { ConnectionLease } from './connection-lease.ts';
import type { GuardedPool } from './guarded-pool.ts';
import { keepPlan } from './kept-plans.ts';
import type { TextRow } from './text-query.ts';
import { markUnanswered } from './unanswered-statements.ts';

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
  return execute(em, kept(sql), parameters);
}

/**
 * As `lookUpRows`, in a transaction, for what answers with nothing: it is sent with the transaction's next statement,
 * which throws what this one would.
 */
export async function tellNext(em: EntityManager, sql: string, parameters: unknown[]): Promise<void> {
  if (!em.isInTransaction()) throw new Error('outside of a transaction there is no next statement');
  markUnanswered(parameters);
  await em.getKysely().executeQuery(CompiledQuery.raw(kept(sql), parameters));
}

/**
 * As `queryRows`, outside of transactions, with each row's values in the order of the columns as PostgreSQL writes
 * them: to make objects of a page's rows, by the names and types that come with the answer, takes twice as long.
 */
export function queryTexts<Row extends TextRow>(
  em: EntityManager,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return fetchTexts(em, numbered(sql), parameters);
}

/** As `queryTexts`, for what `lookUpRows` is for. */
export function lookUpTexts<Row extends TextRow>(
  em: EntityManager,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return fetchTexts(em, kept(sql), parameters);
}

async function fetchTexts<Row extends TextRow>(
  em: EntityManager,
  text: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  if (em.isInTransaction()) throw new Error('a transaction’s own connection answers with objects');
  return (await onConnection(em, (connection) => connection.queryTexts(text, parameters))) as Row[];
}

async function execute<Row>(em: EntityManager, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const { rows } = em.isInTransaction()
    ? await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
    : await onConnection(em, (connection) => connection.query(text, [...parameters]));
  return rows;
}

/** Asks the pool itself: what a query builder does around a statement takes as long as sending a look-up. */
async function onConnection<Answer>(
  em: EntityManager,
  ask: (connection: ConnectionLease) => Promise<Answer>,
): Promise<Answer> {
  // Every pool of ours is guarded (`connect-orm.ts`).
  const pool = (await em.getConnection().getNativeClient()) as unknown as GuardedPool;
  const connection = await pool.connect();
  try {
    return await ask(connection);
  } finally {
    connection.release();
  }
}

/** The text of a statement whose plan connections keep. */
function kept(sql: string): string {
  const text = numbered(sql);
  keepPlan(text);
  return text;
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
