import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { createQueuePerKey, runQueued } from '#shared/queue/run-queued.ts';

/** Concurrent fetches of this process. */
const limits = { all: 32, perCaller: 2, perHost: 2, suspectHosts: 4 };
const suspectedMilliseconds = 600_000;

/** Too many concurrent fetches. */
export class FetchLimitError extends Error {
  constructor() {
    super(`no fetch could begin for ${timeout.milliseconds} ms`);
    this.name = 'FetchLimitError';
  }
}

const timeout = { milliseconds: 2_500, error: () => new FetchLimitError() };

export type FetchQueue = ReturnType<typeof createFetchQueue>;

/**
 * Slow hosts must not delay other documents: a caller has few slots, and hosts that failed recently share a
 * few, so the others are reserved for hosts that did not fail.
 */
export function createFetchQueue() {
  const all = new PQueue({ concurrency: limits.all });
  const suspectHosts = new PQueue({ concurrency: limits.suspectHosts });
  const callers = createQueuePerKey(limits.perCaller);
  const hosts = createQueuePerKey(limits.perHost);
  const failedLately = new LRUCache<string, true>({ max: 10_000, ttl: suspectedMilliseconds });
  return {
    /**
     * Runs `fetchNow` when caller, host and process are below their limits. Throws FetchLimitError on a queue
     * timeout.
     */
    async run<Result>(
      host: string,
      caller: string | undefined,
      fetchNow: () => Promise<Result>,
    ): Promise<Result> {
      const queues = [
        ...(caller === undefined ? [] : [() => callers(caller)]),
        () => hosts(host),
        ...(failedLately.has(host) ? [() => suspectHosts] : []),
        () => all,
      ];
      return await runQueued(queues, timeout, async () => {
        try {
          const result = await fetchNow();
          failedLately.delete(host);
          return result;
        } catch (error) {
          failedLately.set(host, true);
          throw error;
        }
      });
    },
  };
}
