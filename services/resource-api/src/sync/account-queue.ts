import { serviceUnavailable } from '#shared/errors/errors.ts';
import { createQueuePerKey, runQueued } from '#shared/queue/run-queued.ts';

export type AccountQueue = {
  /**
   * Runs at most `concurrency` jobs of an account at once, higher `priority` first. Throws
   * service_unavailable, with nothing done, on a queue timeout.
   */
  run<Result>(accountId: string, work: () => Promise<Result>, priority?: number): Promise<Result>;
};

/**
 * The database lock alone would order an account's writes, but each waiting one would hold a connection: a
 * burst of one account would exhaust the pool.
 */
export function createAccountQueue(waitMilliseconds: number, concurrency = 1): AccountQueue {
  const queueOf = createQueuePerKey(concurrency);
  const error = () => serviceUnavailable(new Error('earlier requests of the account took too long'));
  return {
    run: (accountId, work, priority) =>
      runQueued([() => queueOf(accountId)], { milliseconds: waitMilliseconds, error }, work, priority),
  };
}
