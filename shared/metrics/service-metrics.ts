import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readRelease } from '../logging/release.ts';
import type { LimitVerdict } from '../rate-limit/limit-headers.ts';
import type { RedisObserver } from '../redis/reply-wait.ts';
import { observeDatabase } from './database-metrics.ts';
import { measureRequests } from './http-metrics.ts';

/** What both services count and time, in a registry of the process's own. */
export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;

export function createServiceMetrics() {
  const registry = new Registry();
  const { version, node } = readRelease();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say which release runs on which Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node }, 1);
  return {
    registry,
    source: { contentType: registry.contentType, read: () => registry.metrics() },
    requests: measureRequests(registry),
    database: observeDatabase(registry),
    redis: observeRedis(registry),
    countDecisions: countDecisions(registry),
    /** `shed`: how many requests were refused so far because too many were under way. */
    showShedRequests: (shed: () => number) => showShedRequests(registry, shed),
    measureSweep: (sweep: Sweep) => measureSweep(registry, sweep),
  };
}

function showShedRequests(registry: Registry, shed: () => number): void {
  new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused at once because too many were under way.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(shed());
    },
  });
}

function observeRedis(registry: Registry): RedisObserver {
  const registers = [registry];
  const fallbacks = new Counter({
    name: 'redis_fallbacks_total',
    help: 'How often rate limits were decided without Redis.',
    registers,
  });
  const open = new Gauge({
    name: 'redis_circuit_open',
    help: '1 while no request waits for Redis, because it does not answer in time.',
    registers,
  });
  return {
    fellBack: () => fallbacks.inc(),
    availabilityChanged: (isAvailable) => open.set(isAvailable ? 0 : 1),
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

export type Sweep = (signal: AbortSignal) => Promise<Record<string, number>>;

/** A sweep that counts what it removes, by table, and notes when it last got through. */
function measureSweep(registry: Registry, sweep: Sweep): Sweep {
  const registers = [registry];
  const succeededAt = new Gauge({
    name: 'sweep_succeeded_timestamp_seconds',
    help: 'When what had expired was last removed completely, in seconds since 1970; 0 before the first time.',
    registers,
  });
  const failures = new Counter({
    name: 'sweep_failures_total',
    help: 'Sweeps that could not remove all they should.',
    registers,
  });
  const removedRows = new Counter({
    name: 'sweep_removed_rows_total',
    help: 'Expired rows removed by this process.',
    labelNames: ['table'],
    registers,
  });
  return async (signal) => {
    try {
      const removed = await sweep(signal);
      for (const [table, count] of Object.entries(removed)) removedRows.inc({ table }, count);
      succeededAt.setToCurrentTime();
      return removed;
    } catch (error) {
      failures.inc();
      throw error;
    }
  };
}
