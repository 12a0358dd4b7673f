import { Counter, Gauge, type Registry } from 'prom-client';
import type { LimitVerdict } from '../rate-limit/limit-headers.ts';
import type { RedisObserver } from '../redis/redis-circuit.ts';

export function observeRedis(registry: Registry): RedisObserver {
  const registers = [registry];
  const fallbacks = new Counter({
    name: 'redis_fallbacks_total',
    help: 'How often rate limits were decided without Redis.',
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

/** What counts the decisions of the limit that `limit` names in the metrics. */
export type CountDecisions = (limit: string) => (verdict: LimitVerdict) => void;

export function countDecisions(registry: Registry): CountDecisions {
  const decisions = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests counted by a rate limit, by what it said.',
    labelNames: ['limit', 'outcome'],
    registers: [registry],
  });
  return (limit) =>
    ({ isAllowed }) =>
      decisions.inc({ limit, outcome: isAllowed ? 'allowed' : 'refused' });
}
