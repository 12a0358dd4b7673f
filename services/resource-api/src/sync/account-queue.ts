import PQueue from 'p-queue';
import { serviceUnavailable } from '#shared/errors/errors.ts';

export type AccountQueue = {
  /**
   * Runs at most `concurrency` jobs of an account at once, higher `priority` first. Throws service_unavailable,
   * with nothing done, on a queue timeout.
   */
  run<Result>(accountId: string, work: () => Promise<Result>, priority?: number): Promise<Result>;
};

/**
 * The database lock alone would order an account's writes, but each waiting one would hold a connection: a
 * burst of one account would exhaust the pool.
 */
export function createAccountQueue(waitMilliseconds: number, concurrency = 1): AccountQueue {
  const queueOf = createQueuePerAccount(concurrency);
  return {
    async run(accountId, work, priority = 0) {
      const waiting = new AbortController();
      const tooLong = () =>
        waiting.abort(serviceUnavailable(new Error('earlier requests of the account took too long')));
      const timer = setTimeout(tooLong, waitMilliseconds);
      const start = () => {
        clearTimeout(timer);
        return work();
      };
      return await queueOf(accountId).add(start, { signal: waiting.signal, priority });
    },
  };
}

/** Returns the account's queue with this concurrency; it is removed when empty. */
export function createQueuePerAccount(concurrency = 1): (accountId: string) => PQueue {
  const queues = new Map<string, PQueue>();
  return (accountId) => {
    const present = queues.get(accountId);
    if (present !== undefined) return present;
    const queue = new PQueue({ concurrency });
    queue.addEventListener('idle', () => void queues.delete(accountId));
    queues.set(accountId, queue);
    return queue;
  };
}
