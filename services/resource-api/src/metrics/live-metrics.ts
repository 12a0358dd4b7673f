import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Source of a notification: a commit of this process, Redis, or polling PostgreSQL. */
export type WakeupSource = 'local' | 'redis' | 'database';

export type LiveMetrics = ReturnType<typeof observeLive>;

export function observeLive(registry: Registry) {
  const registers = [registry];
  const streams = new Gauge({
    name: 'live_streams_open',
    help: 'Open event streams of the web app.',
    registers,
  });
  const wakeups = new Counter({
    name: 'live_wakeups_total',
    help: 'Events sent to an account’s streams, by the source of the notification.',
    labelNames: ['source'],
    registers,
  });
  for (const source of ['local', 'redis', 'database']) wakeups.inc({ source }, 0);
  const seconds = new Histogram({
    name: 'live_wakeup_seconds',
    help: 'Time from a commit to its event, if the time of the commit is known.',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
    registers,
  });
  return {
    streamsOpen: (count: number) => streams.set(count),
    woken(source: WakeupSource, milliseconds: number | undefined): void {
      wakeups.inc({ source });
      if (milliseconds !== undefined) seconds.observe(Math.max(0, milliseconds) / 1_000);
    },
  };
}
