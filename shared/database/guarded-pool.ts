import type { ClientBase, Pool, PoolClient } from 'pg';
import type { Logger } from '../logging/logger.ts';
import { answerWithin } from '../time/answer-within.ts';
import { type ConnectionLease, leaseConnection } from './connection-lease.ts';
import { createDatabaseCircuit } from './database-circuit.ts';
import type { DatabaseObserver } from './database-observer.ts';
import { DatabaseUnavailableError, isConnectTimeout, isServerAway } from './database-unavailable.ts';
import { databaseTimeLeft, spendDatabaseTime, withoutRequestBudget } from './request-budget.ts';
import type { WaitShares } from './wait-shares.ts';

export type PoolGuardOptions = {
  shares: WaitShares;
  /** How many may wait for a connection at the same time. */
  mostWaiting: number;
  keepsPlans: boolean;
  logger?: Logger | undefined;
  observer?: DatabaseObserver | undefined;
};

/** What `guardPool` makes of a pool. */
export type GuardedPool = { connect(): Promise<ConnectionLease> };

/**
 * Makes `pool.connect` answer within its time whatever becomes of the server: with a lease, or with a rejection that
 * says that the database is not available.
 */
export function guardPool(pool: Pool, options: PoolGuardOptions): void {
  const { shares, mostWaiting, keepsPlans, logger, observer } = options;
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  observer?.poolOpened?.(pool.options.max, () => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  const circuit = createDatabaseCircuit({
    probe: () => withoutRequestBudget(probe),
    isEnding: () => pool.ending,
    logger,
  });
  const outagesAtConnect = new WeakMap<ClientBase, number>();
  pool.on('connect', (client) => outagesAtConnect.set(client, circuit.outages()));

  let answeredAt = Number.NEGATIVE_INFINITY;

  /** One connection that is slow says nothing of the server while others are answered. */
  function openUnlessAnswered(since: number, failure: unknown): void {
    if (answeredAt < since) circuit.open(failure);
  }

  function isFromBeforeOutage(client: ClientBase): boolean {
    return outagesAtConnect.get(client) !== circuit.outages();
  }

  async function acquire(): Promise<PoolClient> {
    for (;;) {
      const client = await connect();
      if (!isFromBeforeOutage(client)) return client;
      client.release(true);
    }
  }

  async function acquireInTime(): Promise<PoolClient> {
    const left = databaseTimeLeft();
    if (left <= 0) throw new DatabaseUnavailableError('the request has waited for the database long enough');
    if (pool.waitingCount >= mostWaiting)
      throw new DatabaseUnavailableError(`${mostWaiting} requests wait for a connection already`);
    const acquiring = acquire();
    const limit = Math.min(left, shares.connection + shares.least);
    return await answerWithin(limit, acquiring, () => {
      acquiring.then(
        (client) => client.release(),
        () => undefined,
      );
      return new DatabaseUnavailableError(`no connection was had in ${Math.ceil(limit)} ms`);
    });
  }

  async function lease(): Promise<ConnectionLease> {
    const wantedAt = performance.now();
    const client = await acquireInTime().catch((failure: unknown) => {
      const isOurs = failure instanceof DatabaseUnavailableError;
      if (!isOurs && isConnectTimeout(failure)) openUnlessAnswered(wantedAt, failure);
      else if (!isOurs && isServerAway(failure)) circuit.open(failure);
      throw failure;
    });
    return leaseConnection(client, {
      shares,
      observer,
      keepsPlans,
      onAnswer: () => {
        answeredAt = performance.now();
      },
      onSilence: (failure, sentAt) => isFromBeforeOutage(client) || openUnlessAnswered(sentAt, failure),
    });
  }

  async function probe(): Promise<void> {
    const connection = await lease();
    try {
      await connection.query('select 1');
    } finally {
      connection.release();
    }
  }

  async function leaseIfAnswering(): Promise<ConnectionLease> {
    const startedAt = performance.now();
    const tell = (outcome: 'acquired' | 'unavailable'): void =>
      observer?.connectionAwaited?.(performance.now() - startedAt, outcome);
    try {
      circuit.check();
      const leased = await spendDatabaseTime(lease);
      tell('acquired');
      return leased;
    } catch (failure) {
      tell('unavailable');
      throw failure;
    }
  }

  Object.assign(pool, { connect: leaseIfAnswering } satisfies GuardedPool);
}
