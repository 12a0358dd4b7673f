import type { Redis, Result } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisCircuit } from './redis-circuit.ts';
import { slidingWindowScript } from './sliding-window-script.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** The script, under the name by which RateLimiterRedis defines it. */
    rlflxIncr(keyAndArguments: string[]): Result<[consumed: number, milliseconds: number], Context>;
  }
}

/**
 * What a limiter says about one request. `resetSeconds`: until the oldest counted request leaves the window and its
 * place is free again; `retryAfterSeconds`: until a request would be accepted, 0 when the next one would be.
 */
export type LimitVerdict = {
  limit: number;
  remaining: number;
  resetSeconds: number;
  retryAfterSeconds: number;
  isAllowed: boolean;
};

/** Never rejects because of Redis. */
export type RateLimiter = {
  /** Counts one request of `key`. */
  consume(key: string): Promise<LimitVerdict>;
  /** Uncounts the last request of `key`: for limits on what fails, counted before it is known whether it does. */
  giveBack(key: string): Promise<void>;
};

export type RateLimiterOptions = {
  redis: Redis;
  /** The connection's own: all limiters on it share what is known about its state, and one log line. */
  circuit: RedisCircuit;
  /** One per limit: limiters with the same prefix count together. */
  keyPrefix: string;
  /** Requests accepted in any window of `durationSeconds`; at least 1. */
  points: number;
  durationSeconds: number;
};

/**
 * At most `points` requests of a key in any `durationSeconds`, exact across all processes on one Redis; refused
 * requests do not count. While Redis is away each process counts by itself, in fixed windows.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { redis, circuit, keyPrefix, points } = options;
  const limit = { keyPrefix, points, duration: options.durationSeconds };
  // Not its inMemoryBlockOnConsumed: it measures by the process's own clock, which may be set back.
  const insuranceLimiter = new RateLimiterMemory(limit);
  const limiter = new RateLimiterRedis({
    ...limit,
    storeClient: guardedClient(redis, circuit),
    customIncrTtlLuaScript: slidingWindowScript,
    insuranceLimiter,
  });

  /** What Redis counted before it went away is not counted here: taking it off would open a further place. */
  async function giveBackHere(key: string): Promise<void> {
    const counted = await insuranceLimiter.get(key);
    if (counted !== null && counted.consumedPoints > 0) await insuranceLimiter.reward(key);
  }

  return {
    async consume(key) {
      try {
        return toVerdict(await limiter.consume(key), points, true);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return toVerdict(refusal, points, false);
        throw refusal;
      }
    },
    async giveBack(key) {
      await circuit.run(() => redis.rpop(limiter.getKey(key))).catch(() => giveBackHere(key));
    },
  };
}

/** What RateLimiterRedis uses of its client; a rejection sends it to the insurance limiter. */
function guardedClient(redis: Redis, circuit: RedisCircuit) {
  return {
    defineCommand: redis.defineCommand.bind(redis),
    rlflxIncr: (keyAndArguments: string[]) => circuit.run(() => redis.rlflxIncr(keyAndArguments)),
  };
}

function toVerdict(result: RateLimiterRes, limit: number, isAllowed: boolean): LimitVerdict {
  const remaining = result.remainingPoints;
  const resetSeconds = Math.max(0, Math.ceil(result.msBeforeNext / 1000));
  return { limit, remaining, resetSeconds, retryAfterSeconds: remaining > 0 ? 0 : resetSeconds, isAllowed };
}
