import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { DatabaseObserver } from '../database/database-observer.ts';
import type { MetricsSource } from '../http/health.ts';
import { readRelease } from '../logging/release.ts';
import type { RedisObserver } from '../redis/redis-circuit.ts';
import { observeDatabase } from './database-metrics.ts';
import { measureRequests } from './http-metrics.ts';
import { type CountDecisions, countDecisions, observeRedis } from './redis-metrics.ts';
import { measureSweep, type Sweep } from './sweep-metrics.ts';

/** What both services count and time, in a registry of the process's own. */
export type ServiceMetrics = {
  registry: Registry;
  source: MetricsSource;
  requests: RequestHandler;
  database: DatabaseObserver;
  redis: RedisObserver;
  countDecisions: CountDecisions;
  /** `shed`: how many requests were refused so far because too many were under way. */
  showShedRequests(shed: () => number): void;
  measureSweep(sweep: Sweep): Sweep;
};

export function createServiceMetrics(): ServiceMetrics {
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
    showShedRequests: (shed) => showShedRequests(registry, shed),
    measureSweep: (sweep) => measureSweep(registry, sweep),
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
