import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { answerWithin } from '../time/answer-within.ts';
import type { DatabaseObserver } from './database-observer.ts';
import { DatabaseUnavailableError } from './database-unavailable.ts';
import { nameOfKeptPlan } from './kept-plans.ts';
import { databaseTimeLeft, spendDatabaseTime } from './request-budget.ts';
import { TextQuery, type TextRow } from './text-query.ts';
import type { WaitShares } from './wait-shares.ts';

/** What a query builder uses of a pool's connection, and what asks for bare rows. */
export type ConnectionLease = {
  query(text: string, values?: unknown[]): Promise<QueryResult>;
  queryTexts(text: string, values: readonly unknown[]): Promise<TextRow[]>;
  release(): void;
};

export type LeaseOptions = {
  shares: Pick<WaitShares, 'answer' | 'least'>;
  observer?: DatabaseObserver | undefined;
  /** Whether the connection stays the same session of PostgreSQL, as one through some poolers does not. */
  keepsPlans: boolean;
  onAnswer(): void;
  /** The server has not answered a statement, sent at `sentAt`, for longer than it takes to end one by itself. */
  onSilence(failure: DatabaseUnavailableError, sentAt: number): void;
};

/** Kysely never gives a connection back on which one of these has failed. */
const transactionBounds = /^(begin|start transaction.*|rollback)$/i;

/**
 * A connection of the pool from its acquisition to its return. One that is lost, or whose statement is given up, is
 * returned and closed at that very moment: it stays with nobody and is used by nobody again, whatever its holder does.
 * No statement is ever sent twice: whether the first took effect is not known.
 */
export function leaseConnection(client: PoolClient, options: LeaseOptions): ConnectionLease {
  const { shares, observer, keepsPlans, onAnswer, onSilence } = options;
  let isReturned = false;

  function giveBack(isUsable: boolean): void {
    if (isReturned) return;
    isReturned = true;
    client.off('end', discard);
    client.release(!isUsable);
  }
  function discard(): void {
    giveBack(false);
  }
  client.once('end', discard);

  async function answerInTime<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    const sentAt = performance.now();
    const limit = Math.min(shares.answer, Math.max(shares.least, databaseTimeLeft()));
    return await answerWithin(limit, send(), () => {
      const failure = new DatabaseUnavailableError(`a statement was not answered in ${Math.ceil(limit)} ms`);
      discard();
      if (limit === shares.answer) onSilence(failure, sentAt);
      return failure;
    });
  }

  async function ask<Answer>(text: string, send: () => Promise<Answer>): Promise<Answer> {
    if (isReturned) throw new DatabaseUnavailableError('the connection was lost');
    const answered = observer?.statementSent?.(text);
    try {
      const answer = await spendDatabaseTime(() => answerInTime(send));
      onAnswer();
      answered?.();
      return answer;
    } catch (failure) {
      answered?.(failure);
      if (transactionBounds.test(text)) discard();
      throw failure;
    }
  }

  function statement(text: string, values: unknown[] | undefined): QueryConfig<unknown[]> {
    const name = keepsPlans ? nameOfKeptPlan(text) : undefined;
    return { text, ...(name !== undefined && { name }), ...(values !== undefined && { values }) };
  }

  return {
    query: (text, values) => ask(text, () => client.query(statement(text, values))),
    queryTexts: (text, values) =>
      ask(text, () => client.query(new TextQuery(statement(text, [...values]))).answer),
    release: () => giveBack(true),
  };
}
