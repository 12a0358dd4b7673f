import type { Logger } from '../logging/logger.ts';

/** Waits for replies of Redis, which may be away. One per connection. */
export type ReplyWait = {
  /**
   * Returns at once the reply (undefined: the command failed), however late it comes, and what is waited for: the same,
   * but not for long, and not at all while Redis is away.
   */
  send<Reply>(command: () => Promise<Reply>): {
    reply: Promise<Reply | undefined>;
    inTime: Promise<Reply | undefined>;
  };
};

/** Counts for the metrics; must not throw. */
export type RedisObserver = {
  /** A decision was taken without Redis. */
  fellBack(): void;
  /** Whether requests wait for Redis. */
  availabilityChanged(isAvailable: boolean): void;
};

export type ReplyWaitOptions = {
  logger: Logger;
  observer?: RedisObserver | undefined;
  waitMilliseconds?: number;
};

/**
 * After a failure or a late reply Redis is away until a reply comes in time: a frozen or slow Redis delays only the
 * requests of its first moments. Commands are sent all the same, for late replies count too.
 */
export function createReplyWait({ logger, observer, waitMilliseconds = 300 }: ReplyWaitOptions): ReplyWait {
  let isAway = false;

  function leave(failure: unknown): void {
    if (isAway) return;
    isAway = true;
    logger.warn({ err: failure }, 'Redis is unavailable: rate limits are counted in this process alone');
    observer?.availabilityChanged(false);
  }

  function comeBack(): void {
    if (!isAway) return;
    isAway = false;
    logger.info('Redis recovered: rate limits are shared between processes');
    observer?.availabilityChanged(true);
  }

  return {
    send<Reply>(command: () => Promise<Reply>) {
      const sentAt = performance.now();
      const failed = (failure: unknown) => void leave(failure);
      const reply = command().then((value) => {
        if (performance.now() - sentAt < waitMilliseconds) comeBack();
        return value;
      }, failed);
      if (isAway) return { reply, inTime: Promise.resolve(undefined) };
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const giveUp = (): void => {
        leave(new Error(`Redis did not reply within ${waitMilliseconds} ms`));
        resolve(undefined);
      };
      // An immediate runs after what already lies in the socket was read: a busy process is no slow Redis.
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
