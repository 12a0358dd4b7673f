import type { Logger } from '../logging/logger.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { connectRedis } from '../redis/connect-redis.ts';
import { createReplyWait } from '../redis/reply-wait.ts';
import { inSpan, type Tracing } from '../tracing/tracing.ts';
import { createAcceptedLog } from './accepted-log.ts';
import { widerNetworks } from './client-address.ts';
import type { LimitVerdict } from './limit-headers.ts';
import { type Count, createRequestCounter, type Limit, type RequestCounter } from './request-counter.ts';

/** Does not reject if Redis fails. */
export type RateLimiter = {
  consume(key: string): Promise<LimitVerdict>;
  /** Refunds the last request of `key`, for limits on failures. */
  refund(key: string): Promise<void>;
};

type LimitRule = Omit<Limit, 'accepted'>;

const createLimit = (rule: LimitRule): Limit => ({
  ...rule,
  accepted: createAcceptedLog(rule.points, rule.durationSeconds),
});

export function createRateLimiter(counter: RequestCounter, rule: LimitRule): RateLimiter & { limit: Limit } {
  const limit = createLimit(rule);
  return { limit, ...limitBy(counter, (key) => [{ limit, key }]) };
}

/** A request that one of the limits of its key refuses counts for none of them. */
function limitBy(counter: RequestCounter, countsOf: (key: string) => [Count, ...Count[]]): RateLimiter {
  const refund = async (counts: readonly Count[]): Promise<void> => {
    await Promise.all(counts.map(counter.refund));
  };
  return {
    async consume(key) {
      const [own, ...wider] = countsOf(key);
      using exchange = await counter.exchange([own, ...wider]);
      const verdict = exchange.decide(own);
      if (!verdict.isAllowed) return verdict;
      for (const [index, count] of wider.entries()) {
        const further = exchange.decide(count);
        if (further.isAllowed) continue;
        await refund([own, ...wider.slice(0, index)]);
        return further;
      }
      return verdict;
    },
    refund: (key) => refund(countsOf(key)),
  };
}

type RateLimitsOptions = {
  redisUrl: string;
  logger: Logger;
  metrics: Pick<ServiceMetrics, 'redis' | 'countDecisions'>;
  tracing: Tracing;
};

/** A /56 may be one client or many. */
const siteShare = 2;
const providerShare = 8;

/**
 * The limits of one process, with metrics and traces, on one connection. Limits with the same name share their counts,
 * in both services.
 */
export function openRateLimits({ redisUrl, logger, metrics, tracing }: RateLimitsOptions) {
  const redis = connectRedis(redisUrl, logger);
  const wait = createReplyWait({ logger, observer: metrics.redis });
  // Else Redis stays unavailable to a process without requests: an alert that lasts.
  redis.on('ready', () => void wait.send(() => redis.ping()));
  const { exchange, refund } = createRequestCounter(redis, wait, metrics.redis);
  const counter: RequestCounter = {
    exchange: (...asked) => inSpan(tracing, 'count request', () => exchange(...asked)),
    refund,
  };
  const ruleOf = (name: string, points: number, durationSeconds = 60): LimitRule => ({
    keyPrefix: `rl:${name}`,
    points,
    durationSeconds,
    observe: metrics.countDecisions(name),
  });
  return {
    redis,
    counter,
    /** At most `points` requests of a key in any `durationSeconds`. */
    limit: (name: string, points: number, durationSeconds?: number) =>
      createRateLimiter(counter, ruleOf(name, points, durationSeconds)),
    /** By address: IPv6 by /64, /56 and /48, with twice and eight times the points. */
    networkLimit(name: string, points: number, durationSeconds: number): RateLimiter {
      const host = createLimit(ruleOf(name, points, durationSeconds));
      const site = createLimit(ruleOf(`${name}_56`, points * siteShare, durationSeconds));
      const provider = createLimit(ruleOf(`${name}_48`, points * providerShare, durationSeconds));
      return limitBy(counter, (key) => {
        const own = { limit: host, key };
        const wider = widerNetworks(key);
        if (wider === undefined) return [own];
        return [own, { limit: site, key: wider.site }, { limit: provider, key: wider.provider }];
      });
    },
    close: () => redis.disconnect(),
  };
}
