import { Histogram, type Registry } from 'prom-client';

/** Must not throw. */
type SnapshotObserver = {
  read(milliseconds: number): void;
  sent(bytes: number): void;
  changesRead(entries: number): void;
};

export function observeSnapshots(registry: Registry): SnapshotObserver {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'snapshot_seconds',
    help: 'How long the web app’s first read of an account took in the database, waiting included.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const bytes = new Histogram({
    name: 'snapshot_bytes',
    help: 'What the web app’s first read of an account sends, before compression.',
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8],
    registers,
  });
  const entries = new Histogram({
    name: 'changes_entries',
    help: 'Entries of the feed in one read of the web app.',
    buckets: [0, 1, 3, 10, 30, 100, 300, 1_000],
    registers,
  });
  return {
    read: (milliseconds) => seconds.observe(milliseconds / 1_000),
    sent: (size) => bytes.observe(size),
    changesRead: (count) => entries.observe(count),
  };
}
