import { Counter, Histogram, type Registry } from 'prom-client';

type Kind = 'task' | 'digest';
type Channel = 'push' | 'mail';
/** `later`: will be retried. */
type Outcome = 'sent' | 'later' | 'failed';

export type ReminderObserver = ReturnType<typeof observeReminders>;

export function observeReminders(registry: Registry) {
  const registers = [registry];
  const handled = new Counter({
    name: 'reminders_handled_total',
    help: 'Deliveries of reminders and digests, by channel and outcome.',
    labelNames: ['kind', 'channel', 'outcome'],
    registers,
  });
  const lateness = new Histogram({
    name: 'reminder_lateness_seconds',
    help: 'Delay between due time and delivery of a reminder or digest.',
    labelNames: ['channel'],
    buckets: [1, 2, 5, 10, 20, 30, 60, 300, 1_800, 7_200],
    registers,
  });
  // `increase()` needs a first sample: start at 0.
  for (const channel of ['push', 'mail']) {
    lateness.zero({ channel });
    for (const outcome of ['sent', 'failed']) handled.inc({ kind: 'task', channel, outcome }, 0);
  }
  return {
    handled(kind: Kind, channel: Channel, outcome: Outcome, lateSeconds: number): void {
      handled.inc({ kind, channel, outcome });
      if (outcome === 'sent') lateness.observe({ channel }, lateSeconds);
    },
  };
}
