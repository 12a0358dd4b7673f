import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DatabaseObserver, PoolState } from '../database/database-observer.ts';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import { codeOf } from '../errors/error-code.ts';

/** In seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function observeDatabase(registry: Registry): DatabaseObserver {
  const registers = [registry];
  const connectionWait = new Histogram({
    name: 'database_connection_wait_seconds',
    help: 'Time that requests waited for a connection of the pool, by outcome.',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  const duration = new Histogram({
    name: 'database_statement_duration_seconds',
    help: 'Duration of statements, by their first keyword.',
    labelNames: ['verb'],
    buckets,
    registers,
  });
  const failures = new Counter({
    name: 'database_failures_total',
    help:
      'Failed statements and connections: ' +
      'timeout (a limit of the server), unavailable (no connection, or no reply on it) ' +
      'or refused (an error of the statement).',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of ['timeout', 'unavailable', 'refused']) failures.inc({ kind }, 0);
  return {
    poolOpened: (limit, state) => showPool(registry, limit, state),
    connectionAwaited(milliseconds, outcome) {
      connectionWait.observe({ outcome }, milliseconds / 1_000);
      if (outcome === 'unavailable') failures.inc({ kind: 'unavailable' });
    },
    statementSent(text) {
      const sentAt = performance.now();
      const verb = verbOf(text);
      return (failure) => {
        duration.observe({ verb }, (performance.now() - sentAt) / 1_000);
        if (failure !== undefined) failures.inc({ kind: kindOf(failure) });
      };
    },
  };
}

const verbs = new Set(['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback', 'set']);

/** The first keyword, or `other`: bounds the label's values. */
function verbOf(statement: string): string {
  const [word = ''] = /^\s*[a-z]+/i.exec(statement) ?? [];
  const verb = word.trim().toLowerCase();
  return verbs.has(verb) ? verb : 'other';
}

/** The server's limits: statement (57014), lock (55P03), idle transaction (25P03, 25P04). */
const timeoutCodes = /^(57014|55P03|25P0[34])$/;

function kindOf(failure: unknown): 'timeout' | 'unavailable' | 'refused' {
  if (timeoutCodes.test(codeOf(failure))) return 'timeout';
  return isDatabaseUnavailable(failure) ? 'unavailable' : 'refused';
}

/** `state` is asked whenever the metrics are read. */
function showPool(registry: Registry, limit: number, state: () => PoolState): void {
  const registers = [registry];
  new Gauge({
    name: 'database_pool_limit',
    help: 'Maximum size of the connection pool.',
    registers,
  }).set(limit);
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle } = state();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'busy' }, open - idle);
    },
  });
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Requests waiting for a connection.',
    registers,
    collect() {
      this.set(state().waiting);
    },
  });
}
