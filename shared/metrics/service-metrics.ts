import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readRelease } from '../logging/release.ts';
import type { LimitVerdict } from '../rate-limit/limit-headers.ts';
import type { RedisObserver } from '../redis/reply-wait.ts';
import { observeDatabase } from './database-metrics.ts';
import { measureRequests } from './http-metrics.ts';

/** The metrics that both services have. */
export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;

export function createServiceMetrics() {
  const registry = new Registry();
  const { version, node } = readRelease();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels are the release and the version of Node.',
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
    /** `shed` returns the number of requests refused by load shedding so far. */
    showShedRequests: (shed: () => number) => showShedRequests(registry, shed),
    measureSweep: (sweep: Sweep) => measureSweep(registry, sweep),
  };
}

function showShedRequests(registry: Registry, shed: () => number): void {
  new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused above MAX_CONCURRENT_REQUESTS.',
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
    help: 'Rate-limit decisions made without Redis.',
    registers,
  });
  const open = new Gauge({
    name: 'redis_circuit_open',
    help: '1 while the circuit breaker of Redis is open.',
    registers,
  });
  return {
    fellBack: () => fallbacks.inc(),
    availabilityChanged: (isAvailable) => open.set(isAvailable ? 0 : 1),
  };
}

function countDecisions(registry: Registry) {
  const decisions = new Counter({
    name: 'rate_limit_decisions_total',
    help: 'Requests counted by a rate limit, by outcome.',
    labelNames: ['limit', 'outcome'],
    registers: [registry],
  });
  return (limit: string) =>
    ({ isAllowed }: LimitVerdict): void =>
      decisions.inc({ limit, outcome: isAllowed ? 'allowed' : 'refused' });
}

type Sweep = (signal: AbortSignal) => Promise<Record<string, number>>;

/** Counts deleted rows by table, and records when a sweep last succeeded. */
function measureSweep(registry: Registry, sweep: Sweep): Sweep {
  const registers = [registry];
  const succeededAt = new Gauge({
    name: 'sweep_succeeded_timestamp_seconds',
    help: 'Time of the last sweep that deleted all expired rows, as a Unix timestamp; 0 before the first.',
    registers,
  });
  const failures = new Counter({
    name: 'sweep_failures_total',
    help: 'Failed sweeps of expired rows.',
    registers,
  });
  const removedRows = new Counter({
    name: 'sweep_removed_rows_total',
    help: 'Expired rows deleted by this process.',
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
