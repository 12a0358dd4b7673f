import type { Logger } from '../logging/logger.ts';

/** A timeout and circuit breaker for replies of Redis. One per connection. */
export type ReplyWait = {
  /**
   * Returns the reply (undefined if the command failed), however late, and the same with a timeout, which is
   * zero while the circuit breaker is open.
   */
  send<Reply>(command: () => Promise<Reply>): {
    reply: Promise<Reply | undefined>;
    inTime: Promise<Reply | undefined>;
  };
};

/** Counts for the metrics; must not throw. */
export type RedisObserver = {
  /** A decision was made without Redis. */
  fellBack(): void;
  /** Whether requests wait for Redis. */
  availabilityChanged(isAvailable: boolean): void;
};

type ReplyWaitOptions = {
  logger: Logger;
  observer?: RedisObserver | undefined;
  waitMilliseconds?: number;
};

/**
 * After a failure or a timeout the circuit breaker is open until a reply arrives in time, so an unresponsive
 * Redis delays only few requests. Commands are still sent, since late replies count.
 */
export function createReplyWait({ logger, observer, waitMilliseconds = 300 }: ReplyWaitOptions): ReplyWait {
  let isUnavailable = false;

  function openCircuit(failure: unknown): void {
    if (isUnavailable) return;
    isUnavailable = true;
    logger.warn({ err: failure }, 'Redis is unavailable: rate limits are counted in this process alone');
    observer?.availabilityChanged(false);
  }

  function closeCircuit(): void {
    if (!isUnavailable) return;
    isUnavailable = false;
    logger.info('Redis recovered: rate limits are shared between processes');
    observer?.availabilityChanged(true);
  }

  return {
    send<Reply>(command: () => Promise<Reply>) {
      const sentAt = performance.now();
      // A timer may end just before the clock says so.
      let isLate = false;
      const failed = (failure: unknown) => void openCircuit(failure);
      const reply = command().then((value) => {
        if (!isLate && performance.now() - sentAt < waitMilliseconds) closeCircuit();
        return value;
      }, failed);
      if (isUnavailable) return { reply, inTime: Promise.resolve(undefined) };
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const giveUp = (): void => {
        isLate = true;
        openCircuit(new Error(`Redis did not reply within ${waitMilliseconds} ms`));
        resolve(undefined);
      };
      // `setImmediate` runs after pending socket data was read: a delayed event loop is not a timeout of
      // Redis.
      let expiry: NodeJS.Immediate | undefined;
      const timer = setTimeout(() => {
        expiry = setImmediate(giveUp);
      }, waitMilliseconds);
      void reply.then(() => {
        clearTimeout(timer);
        clearImmediate(expiry);
      });
      return { reply, inTime: Promise.race([reply, late]) };
    },
  };
}
