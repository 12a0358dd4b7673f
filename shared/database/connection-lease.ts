import type { PoolClient, QueryResult } from 'pg';
import { answerWithin } from '../time/answer-within.ts';
import type { DatabaseObserver } from './database-observer.ts';
import { DatabaseUnavailableError } from './database-unavailable.ts';
import { nameOfKeptPlan } from './kept-plans.ts';
import { databaseTimeLeft, spendDatabaseTime } from './request-budget.ts';
import type { WaitShares } from './wait-shares.ts';

/** What a query builder uses of a pool's connection. */
export type ConnectionLease = {
  query(text: string, values?: unknown[]): Promise<QueryResult>;
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

  function send(text: string, values: unknown[] | undefined): Promise<QueryResult> {
    const name = keepsPlans ? nameOfKeptPlan(text) : undefined;
    return name === undefined ? client.query(text, values) : client.query({ name, text, values });
  }

  async function ask(text: string, values: unknown[] | undefined): Promise<QueryResult> {
    const sentAt = performance.now();
    const limit = Math.min(shares.answer, Math.max(shares.least, databaseTimeLeft()));
    return await answerWithin(limit, send(text, values), () => {
      const failure = new DatabaseUnavailableError(`a statement was not answered in ${Math.ceil(limit)} ms`);
      discard();
      if (limit === shares.answer) onSilence(failure, sentAt);
      return failure;
    });
  }

  return {
    async query(text, values) {
      if (isReturned) throw new DatabaseUnavailableError('the connection was lost');
      const answered = observer?.statementSent?.(text);
      try {
        const result = await spendDatabaseTime(() => ask(text, values));
        onAnswer();
        answered?.();
        return result;
      } catch (failure) {
        answered?.(failure);
        if (transactionBounds.test(text)) discard();
        throw failure;
      }
    },
    release: () => giveBack(true),
  };
}
