import { Counter, Gauge, type Registry } from 'prom-client';

export type Sweep = (signal: AbortSignal) => Promise<Record<string, number>>;

/** A sweep that counts what it removes, by table, and notes when it last got through. */
export function measureSweep(registry: Registry, sweep: Sweep): Sweep {
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
