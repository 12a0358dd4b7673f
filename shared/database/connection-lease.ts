import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { answerWithin } from '../time/answer-within.ts';
import type { DatabaseObserver } from './database-observer.ts';
import { DatabaseUnavailableError } from './database-unavailable.ts';
import { nameOfKeptPlan } from './kept-plans.ts';
import { databaseTimeLeft, spendDatabaseTime } from './request-budget.ts';
import { createStatementBursts } from './statement-burst.ts';
import { TextQuery, type TextRow } from './text-query.ts';
import { isBegin, isUnanswered, type Statement } from './unanswered-statements.ts';
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

const noAnswer: QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * A connection of the pool from its acquisition to its return. One that is lost, or whose statement is given up, is
 * returned and closed at that very moment: it stays with nobody and is used by nobody again, whatever its holder does.
 * No statement is ever sent twice: whether the first took effect is not known.
 */
export function leaseConnection(client: PoolClient, options: LeaseOptions): ConnectionLease {
  const { shares, observer, keepsPlans, onAnswer, onSilence } = options;
  const config = (statement: Statement) => configOf(statement, keepsPlans);
  const submit = (statement: Statement) => client.query(config(statement));
  const bursts = createStatementBursts({ client, observer, submit });
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
  function requireConnection(): void {
    if (isReturned) throw new DatabaseUnavailableError('the connection was lost');
  }

  async function answerInTime<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    const sentAt = performance.now();
    const limit = Math.min(shares.answer, Math.max(shares.least, databaseTimeLeft()));
    return await answerWithin(limit, send(), () => {
      const failure = new DatabaseUnavailableError(`a statement was not answered in ${Math.ceil(limit)} ms`);
      // The driver itself would wait for the answers before it lets go of the connection.
      client.connection.stream.destroy();
      discard();
      if (limit === shares.answer) onSilence(failure, sentAt);
      return failure;
    });
  }

  async function ask<Answer>(text: string, send: () => Promise<Answer>): Promise<Answer> {
    requireConnection();
    const answer = await spendDatabaseTime(() => answerInTime(() => bursts.send(text, send)));
    onAnswer();
    return answer;
  }

  async function tell(statement: Statement): Promise<QueryResult> {
    requireConnection();
    bursts.hold(statement);
    return noAnswer;
  }

  /** What is held need not be done any more; a transaction whose beginning is among it has not begun. */
  async function rollBack(): Promise<QueryResult> {
    if (bursts.takeHeld().some(isBegin)) return noAnswer;
    try {
      return await ask('rollback', () => client.query('rollback'));
    } catch (failure) {
      // Kysely never gives a connection back on which it has failed.
      discard();
      throw failure;
    }
  }

  return {
    query(text, values) {
      const statement = { text, values };
      if (text === 'rollback') return rollBack();
      return isUnanswered(statement) ? tell(statement) : ask(text, () => submit(statement));
    },
    queryTexts: (text, values) =>
      ask(text, () => client.query(new TextQuery(config({ text, values: [...values] }))).answer),
    release: () => giveBack(true),
  };
}

function configOf({ text, values }: Statement, keepsPlans: boolean): QueryConfig<unknown[]> {
  const name = keepsPlans ? nameOfKeptPlan(text) : undefined;
  return { text, ...(name !== undefined && { name }), ...(values !== undefined && { values }) };
}
