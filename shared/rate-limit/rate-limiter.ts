import type { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeInTurn } from './consume-in-turn.ts';
import type { LimitVerdict } from './limit-verdict.ts';
import type { RedisCircuit } from './redis-circuit.ts';
import { slidingWindowScript } from './sliding-window-script.ts';

export type RateLimiterOptions = {
  redis: Redis;
  /** The connection's own: all limiters on it share what is known about its state, and one log line. */
  circuit: RedisCircuit;
  /** One per limit: limiters with the same prefix count together. */
  keyPrefix: string;
  /** Requests accepted in any window of `durationSeconds`; at least 1. */
  points: number;
  durationSeconds: number;
  /** Told of every verdict. */
  observe?: (verdict: LimitVerdict) => void;
};

/** Never rejects because of Redis. */
export type RateLimiter = RateLimiterOptions & {
  /** Counts while Redis is away, for this process alone and in fixed windows. */
  standIn: RateLimiterMemory;
  /** Counts one request of `key`. */
  consume(key: string): Promise<LimitVerdict>;
  /** Uncounts the last request of `key`: for limits on what fails, counted before it is known whether it does. */
  giveBack(key: string): Promise<void>;
};

/**
 * At most `points` requests of a key in any `durationSeconds`, exact across all processes on one Redis; refused
 * requests do not count. While Redis is away each process counts by itself, in fixed windows.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { redis, circuit, keyPrefix, points, durationSeconds } = options;
  redis.defineCommand('countRequest', { lua: slidingWindowScript });
  const standIn = new RateLimiterMemory({ points, duration: durationSeconds });

  /** What Redis counted before it went away is not counted here: taking it off would open a further place. */
  async function giveBackHere(key: string): Promise<void> {
    const counted = await standIn.get(key);
    if (counted !== null && counted.consumedPoints > 0) await standIn.reward(key);
  }

  const limiter: RateLimiter = {
    ...options,
    standIn,
    async consume(key) {
      const [verdict] = await consumeInTurn({ limiter, key });
      return verdict;
    },
    async giveBack(key) {
      await circuit.run(() => redis.rpop(`${keyPrefix}:${key}`)).catch(() => giveBackHere(key));
    },
  };
  return limiter;
}
