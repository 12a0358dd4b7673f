import type { Queryable } from '../database/database.ts';
import type { JobQueue } from './job-queue.ts';

/**
 * A reminder of a task or a digest, whose `subjectId` is the account's id. `civilTime`: `YYYY-MM-DD HH:mm`,
 * or the day of a digest; with the ids it is the delivery's key, independent of the time zone.
 */
export type ReminderKey = { accountId: string; subjectId: string; civilTime: string; remindAt: string };

/** A job of the queue `reminder`: resource-api and the digests' schedule add it, auth-server runs it. */
export type ReminderJob = { reminders: ReminderKey[] };

/** A crash while sending loses at most one job's reminders; larger jobs have a higher throughput. */
const remindersPerJob = 100;

/** What an account has due at once beyond these is sent after the reminders of others. */
const remindersInTurn = 20;

export async function queueReminders(
  jobs: Pick<JobQueue, 'add'>,
  reminders: readonly ReminderKey[],
  db: Queryable,
): Promise<void> {
  const counts = new Map<string, number>();
  const byPriority = Map.groupBy(reminders, ({ accountId }) => {
    const count = (counts.get(accountId) ?? 0) + 1;
    counts.set(accountId, count);
    return count > remindersInTurn ? -1 : 0;
  });
  for (const [priority, some] of byPriority) {
    const payloads: ReminderJob[] = [];
    for (let start = 0; start < some.length; start += remindersPerJob)
      payloads.push({ reminders: some.slice(start, start + remindersPerJob) });
    await jobs.add('reminder', payloads, db, { priority });
  }
}
