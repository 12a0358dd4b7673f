import { Counter, Gauge, type Registry } from 'prom-client';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { RedisObserver } from '../redis/redis-observer.ts';

export function observeRedis(registry: Registry): RedisObserver {
  const registers = [registry];
  const fallbacks = new Counter({
    name: 'redis_fallbacks_total',
    help: 'Decisions of rate limits made without Redis.',
    registers,
  });
  const open = new Gauge({
    name: 'redis_circuit_open',
    help: '1 while Redis is left alone because it does not answer.',
    registers,
  });
  return {
    fellBack: () => fallbacks.inc(),
    circuitChanged: (state) => open.set(state === 'open' ? 1 : 0),
  };
}

/** Counts what a limit decides; `limit` names it in the metrics. */
export type CountDecisions = (limit: string, limiter: RateLimiter) => RateLimiter;

export function countDecisions(registry: Registry): CountDecisions {
  const decisions = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests counted by a rate limit, by what it said.',
    labelNames: ['limit', 'outcome'],
    registers: [registry],
  });
  return (limit, limiter) => ({
    async consume(key) {
      const verdict = await limiter.consume(key);
      decisions.inc({ limit, outcome: verdict.isAllowed ? 'allowed' : 'refused' });
      return verdict;
    },
    giveBack: (key) => limiter.giveBack(key),
  });
}
