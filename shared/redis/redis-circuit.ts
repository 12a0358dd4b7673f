import type { Logger } from '../logging/logger.ts';

/** Runs a command, or rejects at once while Redis is unavailable. One per connection. */
export type RedisCircuit = { run<Reply>(command: () => Promise<Reply>): Promise<Reply> };

/** Counts for the metrics; must not throw. */
export type RedisObserver = {
  /** A decision was taken without Redis. */
  fellBack(): void;
  circuitChanged(state: 'open' | 'closed'): void;
};

export type RedisCircuitOptions = {
  logger: Logger;
  /** A command without a reply after this long has failed. */
  waitMilliseconds: number;
  observer?: RedisObserver | undefined;
  /** Monotonic milliseconds. */
  now?: () => number;
};

const pauseMilliseconds = 1_000;

/**
 * A circuit breaker: after a failure one command a second is tried and the others are rejected without waiting, so that
 * a frozen or slow Redis delays one request a second. The first reply in time closes the circuit.
 */
export function createRedisCircuit(options: RedisCircuitOptions): RedisCircuit {
  const { logger, waitMilliseconds, observer, now = () => performance.now() } = options;
  /** When the next command may be tried; undefined while the circuit is closed. */
  let retryAt: number | undefined;

  function open(failure: unknown): void {
    if (retryAt === undefined) {
      logger.warn({ err: failure }, 'Redis is unavailable: rate limits are counted in this process alone');
      observer?.circuitChanged('open');
    }
    retryAt = now() + pauseMilliseconds;
  }

  function close(): void {
    if (retryAt === undefined) return;
    logger.info('Redis recovered: rate limits are shared between processes');
    observer?.circuitChanged('closed');
    retryAt = undefined;
  }

  async function send<Reply>(command: () => Promise<Reply>): Promise<Reply> {
    if (retryAt !== undefined) retryAt = now() + pauseMilliseconds;
    const onTimeout = (): Error => new Error(`Redis did not reply within ${waitMilliseconds} ms`);
    try {
      const reply = await withTimeout(waitMilliseconds, command(), onTimeout);
      close();
      return reply;
    } catch (failure) {
      open(failure);
      throw failure;
    }
  }

  return {
    async run(command) {
      try {
        if (retryAt !== undefined && now() < retryAt) throw new Error('Redis was unavailable a moment ago');
        return await send(command);
      } catch (failure) {
        observer?.fellBack();
        throw failure;
      }
    },
  };
}

/** Rejects after the time, but first reads what is in the socket already: a busy event loop is no timeout. */
function withTimeout<Value>(
  milliseconds: number,
  work: Promise<Value>,
  onTimeout: () => Error,
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  let expiry: NodeJS.Immediate | undefined;
  // Timers run before the poll phase of a turn of the event loop, immediates after it.
  const timer = setTimeout(() => {
    expiry = setImmediate(() => reject(onTimeout()));
  }, milliseconds);
  void work.then(resolve, reject).finally(() => {
    clearTimeout(timer);
    clearImmediate(expiry);
  });
  return promise;
}
