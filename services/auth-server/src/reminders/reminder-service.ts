import type { Database } from '#shared/database/database.ts';
import type { JobQueue } from '#shared/jobs/job-queue.ts';
import { queueReminders, type ReminderJob, type ReminderKey } from '#shared/jobs/reminder-job.ts';
import type { Logger } from '#shared/logging/logger.ts';
import { createSweeper, runBatches } from '#shared/sweep/sweeper.ts';
import type { Clock } from '#shared/time/clock.ts';
import { waitAtMost } from '#shared/time/wait-at-most.ts';
import type { ReminderMailJob } from '../mail/mail-service.ts';
import type { ReminderObserver } from '../metrics/reminder-metrics.ts';
import type { PushResult, PushSender } from './push-sender.ts';
import { keyOf, pushMessagesOf, type ReminderMessage } from './reminder-messages.ts';
import {
  claimDigests,
  claimStatement,
  type DueReminder,
  noteSubscriptions,
  type PushSubscription,
  readDueReminders,
} from './reminder-repository.ts';

/** A job of the queue `push`: one browser that a push service has not accepted the reminder for. */
type PushJob = { reminder: ReminderKey; subscriptionId: string; attempt: number };

/** The reminders of one job. `started`: of each message. */
type Round = { attempt: number; started: Promise<void>[] };

/** The outcome of a message to one browser. */
type Sent = { subscriptionId: string; outcome: PushResult['outcome'] };

type ReminderServiceOptions = {
  database: Pick<Database, 'query' | 'transaction'>;
  jobs: JobQueue;
  sender: PushSender;
  hasMail: boolean;
  clock: Clock;
  logger: Logger;
  observer: ReminderObserver;
};

/** Retries after the push service's Retry-After, or twice the previous delay, for about half an hour. */
const maximumAttempts = 7;
const longestWaitSeconds = 900;
/** A job ends after this time, even without a response: its reminders are claimed. */
const longestJobMilliseconds = 1_000;
const stopMilliseconds = 6_000;
const digestsPerBatch = 1_000;

/**
 * Sends reminders and digests: claims them, reads their current state, sends them and stores the outcome per
 * browser.
 */
export function createReminderService(options: ReminderServiceOptions) {
  const { database, jobs, sender, hasMail, clock, logger, observer } = options;
  const underWay = new Set<Promise<void>>();

  /** Claims and queues mail in one transaction, so that the job can be retried as a whole. */
  function take(keys: readonly ReminderKey[]): Promise<DueReminder[]> {
    const now = clock.now();
    const claim = claimStatement(keys, now);
    return database.transaction<ReminderKey, DueReminder[]>(claim, async (transaction, claimed) => {
      const due = await readDueReminders(transaction, claimed, now);
      const byMail = due.filter((reminder) => reminder.byMail && hasMail);
      const mails = byMail.map(
        (reminder): ReminderMailJob => ({ kind: 'reminder', reminder: keyOf(reminder) }),
      );
      await jobs.add('mail', mails, transaction);
      for (const reminder of byMail) observer.handled(reminder.kind, 'mail', 'sent', lateness(reminder));
      return due;
    });
  }

  const lateness = ({ remindAt }: ReminderKey): number =>
    Math.max(0, (clock.now().getTime() - Date.parse(remindAt)) / 1_000);

  async function push(
    message: ReminderMessage,
    subscription: PushSubscription,
    { attempt, started }: Round,
  ): Promise<Sent> {
    const { reminders } = message;
    const sending = sender.send(subscription, message);
    started.push(sending.started);
    const result = await sending.result;
    const isLast = result.outcome === 'later' && attempt >= maximumAttempts;
    const outcome = isLast || result.outcome === 'gone' ? 'failed' : result.outcome;
    for (const reminder of reminders) observer.handled(reminder.kind, 'push', outcome, lateness(reminder));
    if (result.outcome === 'failed')
      logger.warn({ reason: result.reason }, 'a push service refused a reminder');
    if (result.outcome === 'later' && !isLast) {
      const seconds = Math.min(longestWaitSeconds, result.afterSeconds * 2 ** (attempt - 1));
      const again = reminders.map(
        (reminder): PushJob => ({
          reminder: keyOf(reminder),
          subscriptionId: subscription.id,
          attempt: attempt + 1,
        }),
      );
      await jobs.add('push', again, database, { startAt: new Date(Date.now() + seconds * 1_000) });
    }
    return { subscriptionId: subscription.id, outcome: result.outcome };
  }

  async function note(done: readonly Sent[]): Promise<void> {
    const idsOf = (wanted: Sent['outcome']) =>
      done.filter(({ outcome }) => outcome === wanted).map(({ subscriptionId }) => subscriptionId);
    await noteSubscriptions(database, { sent: idsOf('sent'), gone: idsOf('gone') }, clock.now());
  }

  /**
   * Resolves when all is sent, or a second after the start; the rest continues and its outcome is stored
   * later.
   */
  async function send(due: readonly DueReminder[], attempt: number): Promise<void> {
    const done: Sent[] = [];
    const round: Round = { attempt, started: [] };
    const sending = Promise.all(
      pushMessagesOf(due).flatMap((message) =>
        message.subscriptions.map(async (each) => done.push(await push(message, each, round))),
      ),
    );
    await Promise.all(round.started);
    await waitAtMost(longestJobMilliseconds, sending);
    await note(done.splice(0));
    track(sending.then(() => note(done.splice(0))));
  }

  /** The service waits for this before it stops. */
  function track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => logger.error({ err: error }, 'reminders could not be sent'))
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  async function runReminderJob({ reminders }: ReminderJob): Promise<void> {
    await send(await take(reminders), 1);
  }

  /** A job continues after the queue stopped waiting for it. */
  function tracked<Job>(run: (job: Job) => Promise<void>): (job: Job) => Promise<void> {
    return (job) => {
      const work = run(job);
      track(work.catch(() => undefined));
      return work;
    };
  }

  async function runPushJob({ reminder, subscriptionId, attempt }: PushJob): Promise<void> {
    const due = await readDueReminders(database, [reminder], clock.now());
    const toBrowser = due.map((each) => ({
      ...each,
      subscriptions: each.subscriptions.filter(({ id }) => id === subscriptionId),
    }));
    await send(toBrowser, attempt);
  }

  async function whenIdle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  const digests = createSweeper({
    purpose: 'queue digests',
    sweep: (signal) => queueDigests(options, signal),
    logger,
    intervalMilliseconds: 2_000,
  });

  return {
    /** Starts sending queued reminders and queueing digests. */
    start(): void {
      digests.start();
      const running = [
        jobs.run<ReminderJob>('reminder', tracked(runReminderJob)),
        jobs.run<PushJob>('push', tracked(runPushJob)),
      ];
      for (const run of running)
        run.catch((error: unknown) => logger.error({ err: error }, 'reminders can not be sent'));
    },
    /** To be called after the job queue has stopped. */
    async stop(): Promise<void> {
      await digests.stop();
      sender.drain();
      await waitAtMost(stopMilliseconds, whenIdle());
      sender.close();
    },
  };
}

/** Like `queueDueReminders` of resource-api. */
async function queueDigests(
  { database, jobs, clock }: ReminderServiceOptions,
  signal: AbortSignal,
): Promise<Record<'digest', number>> {
  const queueSome = (limit: number): Promise<number> =>
    database.transaction<ReminderKey, number>(claimDigests(clock.now(), limit), async (transaction, due) => {
      await queueReminders(jobs, due, transaction);
      return due.length;
    });
  return { digest: await runBatches(digestsPerBatch, queueSome, signal) };
}
