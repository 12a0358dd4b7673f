import type { Logger } from '../logging/logger.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { connectRedis } from '../redis/connect-redis.ts';
import { inSpan, type Tracing } from '../tracing/tracing.ts';
import { consumeInTurn, type LimitedKey, type LimitVerdicts } from './consume-in-turn.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createRedisCircuit } from './redis-circuit.ts';

export type RateLimits = {
  /**
   * At most `points` requests of a key in any `durationSeconds`, a minute unless given. `name` is the metrics' label;
   * limits with one `keyPrefix` count together, in both services.
   */
  limit(name: string, keyPrefix: string, points: number, durationSeconds?: number): RateLimiter;
  /** Counts one request at each limiter until one refuses it, in one exchange with Redis. */
  consumeInTurn(first: LimitedKey, next: LimitedKey): Promise<LimitVerdicts>;
  close(): void;
};

export type RateLimitsOptions = {
  redisUrl: string;
  redisWaitMilliseconds: number;
  logger: Logger;
  metrics: Pick<ServiceMetrics, 'redis' | 'countDecisions'>;
  tracing: Tracing;
};

/** The limits of one process, counted and traced: one connection, and one opinion about whether Redis answers. */
export function openRateLimits(options: RateLimitsOptions): RateLimits {
  const { redisUrl, redisWaitMilliseconds, logger, metrics, tracing } = options;
  const redis = connectRedis(redisUrl, logger, redisWaitMilliseconds);
  const circuit = createRedisCircuit({
    logger,
    waitMilliseconds: redisWaitMilliseconds,
    observer: metrics.redis,
  });
  return {
    limit(name, keyPrefix, points, durationSeconds = 60) {
      const observe = metrics.countDecisions(name);
      const limiter = createRateLimiter({ redis, circuit, keyPrefix, points, durationSeconds, observe });
      const consume = (key: string) => inSpan(tracing, `rate limit ${name}`, () => limiter.consume(key));
      return { ...limiter, consume };
    },
    consumeInTurn: (...limited) => inSpan(tracing, 'rate limits', () => consumeInTurn(...limited)),
    close: () => redis.disconnect(),
  };
}
