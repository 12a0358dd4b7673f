import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisObserver, ReplyWait } from '../redis/reply-wait.ts';
import { type LimitVerdict, limitVerdict } from './limit-headers.ts';

/** Never rejects because of Redis. */
export type RateLimiter = {
  /** Counts one request of `key`. */
  consume(key: string): Promise<LimitVerdict>;
  /** Uncounts the last request of `key`: for limits on failures, which are counted before the outcome is known. */
  refund(key: string): Promise<void>;
};

export type WindowLimit = {
  keyPrefix: string;
  points: number;
  durationSeconds: number;
  observe?: ((verdict: LimitVerdict) => void) | undefined;
};

/**
 * At most `points` requests of a key in a window that begins with its first one. This process counts what Redis counts,
 * always, and the tighter of the two decides: without Redis no limit starts from zero.
 */
export function createWindowLimiter(
  { keyPrefix, points, durationSeconds: duration, observe }: WindowLimit,
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

/** The package rejects with the state of the window where it is exceeded. */
async function stateOf(consumed: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await consumed;
  } catch (state) {
    if (state instanceof RateLimiterRes) return state;
    throw state;
  }
}
