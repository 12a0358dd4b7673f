import { Counter, Histogram, type Registry } from 'prom-client';
import type { WriteObserver } from '../session.ts';

export function observeWrites(registry: Registry): WriteObserver & { replayed(): void } {
  const registers = [registry];
  const turnWait = new Histogram({
    name: 'account_turn_wait_seconds',
    help: 'How long a write waited in this process for earlier ones of its account.',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5],
    registers,
  });
  const writes = new Counter({
    name: 'feed_writes_total',
    help: 'Transactions that were committed and changed something.',
    registers,
  });
  const entries = new Counter({
    name: 'feed_entries_total',
    help: 'Entries that these transactions added to the change feeds.',
    registers,
  });
  const replays = new Counter({
    name: 'idempotency_replays_total',
    help: 'Requests answered as before because their idempotency key had been used.',
    registers,
  });
  return {
    started: (milliseconds) => turnWait.observe(milliseconds / 1_000),
    committed(changedRows) {
      if (changedRows === 0) return;
      writes.inc();
      entries.inc(changedRows);
    },
    replayed: () => replays.inc(),
  };
}
