import type { EntityManager } from '@mikro-orm/postgresql';

export type Statement = { text: string; values?: unknown[] | undefined };

/**
 * By their values, because query builders stand between who marks a statement and who sends it: they hand the list
 * itself on.
 */
const unanswered = new WeakSet<readonly unknown[]>();
const deferring = new WeakSet<object>();

/**
 * Says of the statement with these very `values` that its answer tells its sender nothing. In a transaction it is not
 * waited for then: it is held until the next one, and goes with it; with the commit at the latest. What it throws, the
 * next one throws.
 */
export function markUnanswered(values: readonly unknown[]): void {
  unanswered.add(values);
}

/** The beginning of a transaction is one by itself: all it might throw is that the connection is lost. */
export function isUnanswered(statement: Statement): boolean {
  return isBegin(statement) || (statement.values !== undefined && unanswered.has(statement.values));
}

/** As Kysely words it. */
export function isBegin({ text }: Statement): boolean {
  return /^(?:begin|start transaction)\b/.test(text);
}

/** From here on no row that the unit of work makes, changes or removes in the open transaction of `em` is waited for. */
export function deferRowChanges(em: EntityManager): void {
  const transaction = em.getTransactionContext();
  if (transaction === undefined) throw new Error('there is no transaction');
  deferring.add(transaction);
}

export function defersRowChanges(transaction: object | undefined): boolean {
  return transaction !== undefined && deferring.has(transaction);
}
