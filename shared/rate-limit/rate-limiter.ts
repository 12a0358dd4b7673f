import type { Logger } from '../logging/logger.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { connectRedis } from '../redis/connect-redis.ts';
import { createReplyWait } from '../redis/reply-wait.ts';
import { inSpan, type Tracing } from '../tracing/tracing.ts';
import { createAcceptedLog } from './accepted-log.ts';
import type { apiLimits } from './api-limits.ts';
import { createNetworkLimit } from './network-limit.ts';
import { createRequestCounter, type Limit, type RequestCounter } from './request-counter.ts';
import { createWindowLimiter, type LimitRule, type RateLimiter } from './window-limiter.ts';

/** For the API: a sliding window, counted in the round trip that authorises a request. */
export type ApiRateLimiter = Pick<RateLimiter, 'consume'> & { limit: Limit };

export function createRateLimiter(counter: RequestCounter, rule: LimitRule): ApiRateLimiter {
  const limit = { ...rule, accepted: createAcceptedLog(rule.points, rule.durationSeconds) };
  return {
    limit,
    async consume(key) {
      const count = { limit, key };
      using exchange = await counter.exchange([count]);
      return exchange.decide(count);
    },
  };
}

type RateLimitsOptions = typeof apiLimits & {
  redisUrl: string;
  logger: Logger;
  metrics: Pick<ServiceMetrics, 'redis' | 'countDecisions'>;
  tracing: Tracing;
};

/**
 * The limits of one process, with metrics and traces, on one connection. `name` is the metrics' label; limits
 * with the same `keyPrefix` share their counts, in both services.
 */
export function openRateLimits(options: RateLimitsOptions) {
  const { redisUrl, logger, metrics, tracing } = options;
  const redis = connectRedis(redisUrl, logger);
  const wait = createReplyWait({ logger, observer: metrics.redis });
  // Else Redis stays unavailable to a process without requests: an alert that lasts.
  redis.on('ready', () => void wait.send(() => redis.ping()));
  const { exchange } = createRequestCounter(redis, wait, metrics.redis);
  const counter: RequestCounter = {
    exchange: (...asked) => inSpan(tracing, 'count request', () => exchange(...asked)),
  };
  const windowLimit = (name: string, keyPrefix: string, points: number, durationSeconds = 60): RateLimiter =>
    createWindowLimiter(
      { keyPrefix, points, durationSeconds, observe: metrics.countDecisions(name) },
      redis,
      wait,
      metrics.redis,
    );
  const limit = (name: string, keyPrefix: string, points: number): ApiRateLimiter =>
    createRateLimiter(counter, {
      keyPrefix,
      points,
      durationSeconds: 60,
      observe: metrics.countDecisions(name),
    });
  return {
    redis,
    counter,
    /** Of a minute, with the headers of the API. */
    limit,
    /** Those of the API, which both services count together. */
    tokenLimiter: limit('token', 'rl:t', options.requestsPerTokenPerMinute),
    addressLimiter: limit('address', 'rl:a', options.requestsPerAddressPerMinute),
    /** Of any length. */
    windowLimit,
    /** By address, and by wider IPv6 networks. */
    networkLimit: (name: string, keyPrefix: string, points: number, durationSeconds: number): RateLimiter =>
      createNetworkLimit(
        (network, limited) => windowLimit(network, keyPrefix, limited, durationSeconds),
        name,
        points,
      ),
    close: () => redis.disconnect(),
  };
}
