import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from '../logging/logger.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { connectRedis } from '../redis/connect-redis.ts';
import { createRedisCircuit, type RedisCircuit } from '../redis/redis-circuit.ts';
import { inSpan, type Tracing } from '../tracing/tracing.ts';
import type { LimitVerdict } from './limit-headers.ts';
import { slidingWindowScript } from './sliding-window-script.ts';

/** Never rejects because of Redis. */
export type RateLimiter = {
  /** Counts one request of `key`. */
  consume(key: string): Promise<LimitVerdict>;
  /** Uncounts the last request of `key`: for limits on failures, which are counted before the outcome is known. */
  refund(key: string): Promise<void>;
};

export type RateLimiterOptions = {
  redis: Redis;
  circuit: RedisCircuit;
  /** Limiters with the same prefix count together. */
  keyPrefix: string;
  /** Requests accepted in any window of `durationSeconds`; at least 1. */
  points: number;
  durationSeconds: number;
};

/**
 * At most `points` requests of a key in any `durationSeconds`, exact across all processes on one Redis; refused
 * requests do not count. While Redis is unavailable each process counts alone, in fixed windows, from what it accepted.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { redis, circuit, keyPrefix, points, durationSeconds: duration } = options;
  const shared = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration,
    customIncrTtlLuaScript: slidingWindowScript,
  });
  const fallback = new RateLimiterMemory({ points, duration });

  async function count(limiter: RateLimiterAbstract, key: string): Promise<LimitVerdict> {
    const { consumedPoints, msBeforeNext } = await limiter.consume(key).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
    return limitVerdict(points, consumedPoints, msBeforeNext);
  }

  async function refundHere(key: string): Promise<void> {
    const counted = await fallback.get(key);
    // Below zero it would accept more than the limit.
    if (counted !== null && counted.consumedPoints > 0) await fallback.reward(key);
  }

  return {
    async consume(key) {
      const verdict = await circuit.run(() => count(shared, key)).catch(() => undefined);
      if (verdict === undefined) return count(fallback, key);
      if (verdict.isAllowed) await fallback.penalty(key);
      return verdict;
    },
    async refund(key) {
      await circuit.run(() => shared.reward(key)).catch(() => undefined);
      await refundHere(key);
    },
  };
}

/** `consumed`: with this request, above `limit` when it is refused. `milliseconds`: until a request leaves the window. */
function limitVerdict(limit: number, consumed: number, milliseconds: number): LimitVerdict {
  const remaining = Math.max(0, limit - consumed);
  const resetSeconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const retryAfterSeconds = remaining > 0 ? 0 : resetSeconds;
  return { limit, remaining, resetSeconds, retryAfterSeconds, isAllowed: consumed <= limit };
}

export type RateLimits = {
  /** `name` is the metrics' label; limits with one `keyPrefix` count together, in both services. */
  limit(name: string, keyPrefix: string, points: number, durationSeconds?: number): RateLimiter;
  close(): void;
};

export type RateLimitsOptions = {
  redisUrl: string;
  redisWaitMilliseconds: number;
  logger: Logger;
  metrics: Pick<ServiceMetrics, 'redis' | 'countDecisions'>;
  tracing: Tracing;
};

/** The limits of one process, counted and traced, on one connection. */
export function openRateLimits(options: RateLimitsOptions): RateLimits {
  const { redisUrl, redisWaitMilliseconds: waitMilliseconds, logger, metrics, tracing } = options;
  const redis = connectRedis(redisUrl, logger, waitMilliseconds);
  const circuit = createRedisCircuit({ logger, waitMilliseconds, observer: metrics.redis });
  return {
    limit(name, keyPrefix, points, durationSeconds = 60) {
      const observe = metrics.countDecisions(name);
      const limiter = createRateLimiter({ redis, circuit, keyPrefix, points, durationSeconds });
      return {
        ...limiter,
        async consume(key) {
          const verdict = await inSpan(tracing, `rate limit ${name}`, () => limiter.consume(key));
          observe(verdict);
          return verdict;
        },
      };
    },
    close: () => redis.disconnect(),
  };
}
