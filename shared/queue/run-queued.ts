import PQueue from 'p-queue';

type QueueTimeout = { milliseconds: number; error: () => Error };

/**
 * Runs `work` once each queue in turn has room. Rejects with the timeout's error, with nothing done, when
 * that takes too long. A queue is looked up when its turn comes: until then it could be idle, and be removed.
 */
export async function runQueued<Result>(
  queues: readonly (() => PQueue)[],
  { milliseconds, error }: QueueTimeout,
  work: () => Promise<Result>,
  priority = 0,
): Promise<Result> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const timer = setTimeout(() => waiting.abort(error()), milliseconds);
  const start = (): Promise<Result> => {
    // From here on an abort would reject what has begun.
    clearTimeout(timer);
    return work();
  };
  return await queues.reduceRight((inner, queue) => () => queue().add(inner, { signal, priority }), start)();
}

/** Returns the queue of a key; it is kept while it has work. */
export function createQueuePerKey(concurrency = 1): (key: string) => PQueue {
  const queues = new Map<string, PQueue>();
  return (key) => {
    const present = queues.get(key);
    if (present !== undefined) return present;
    const queue = new PQueue({ concurrency });
    queue.addEventListener('idle', () => void queues.delete(key));
    queues.set(key, queue);
    return queue;
  };
}
