import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisObserver, ReplyWait } from '../redis/reply-wait.ts';
import { type LimitVerdict, limitVerdict } from './limit-headers.ts';

/** Does not reject if Redis fails. */
export type RateLimiter = {
  consume(key: string): Promise<LimitVerdict>;
  /** Refunds the last request of `key`, for limits on failures. */
  refund(key: string): Promise<void>;
};

/** At most `points` requests per key in `durationSeconds`. */
export type LimitRule = {
  /** Limits with the same prefix share their counts, in all processes of one Redis. */
  keyPrefix: string;
  points: number;
  durationSeconds: number;
  observe?: ((verdict: LimitVerdict) => void) | undefined;
};

/**
 * At most `points` requests of a key in a fixed window. Redis and this process both count every request, and
 * the stricter decides, so an outage of Redis does not reset a limit.
 */
export function createWindowLimiter(
  { keyPrefix, points, durationSeconds: duration, observe }: LimitRule,
  redis: Redis,
  wait: ReplyWait,
  observer?: RedisObserver,
): RateLimiter {
  const own = new RateLimiterMemory({ keyPrefix, points, duration });
  const shared = new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration });
  return {
    async consume(key) {
      const { inTime } = wait.send(() => stateOf(shared.consume(key)));
      const mine = await stateOf(own.consume(key));
      const theirs = await inTime;
      if (theirs === undefined) observer?.fellBack();
      const tighter = theirs !== undefined && theirs.consumedPoints >= mine.consumedPoints ? theirs : mine;
      const verdict = limitVerdict(points, tighter.consumedPoints, tighter.msBeforeNext);
      observe?.(verdict);
      return verdict;
    },
    async refund(key) {
      await Promise.all([own.reward(key, 1), wait.send(() => shared.reward(key, 1)).inTime]);
    },
  };
}

/** The package rejects with the window's state if the limit is exceeded. */
async function stateOf(consumed: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await consumed;
  } catch (state) {
    if (state instanceof RateLimiterRes) return state;
    throw state;
  }
}
