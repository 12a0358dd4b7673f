import type { Queryable } from '#shared/database/database.ts';
import type { JobQueue } from '#shared/jobs/job-queue.ts';
import { queueReminders, type ReminderKey } from '#shared/jobs/reminder-job.ts';
import { runBatches } from '#shared/sweep/sweeper.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { TasksDatabase } from '../database/tasks-database.ts';

const remindersPerBatch = 5_000;
/** Longer than the largest difference of time zones. */
const keptHours = 72;

type ReminderScheduler = {
  database: Pick<TasksDatabase, 'transaction'>;
  jobs: Pick<JobQueue, 'add'>;
  clock: Clock;
  /** Number of queued reminders, and how late the earliest was. Must not throw. */
  observe(count: number, lateSeconds: number): void;
};

/**
 * Claims due reminders and queues the jobs that send them, in one transaction: only one replica queues a
 * reminder, and a crash loses none. Returns their number.
 */
export async function queueDueReminders(
  { database, jobs, clock, observe }: ReminderScheduler,
  signal: AbortSignal,
): Promise<Record<'reminder', number>> {
  const queueSome = async (limit: number): Promise<number> => {
    const now = clock.now();
    const work = async (transaction: Queryable, reminders: ReminderKey[]): Promise<ReminderKey[]> => {
      const byAccount = reminders.toSorted((left, right) => left.accountId.localeCompare(right.accountId));
      await queueReminders(jobs, byAccount, transaction);
      return reminders;
    };
    const claimed = await database.transaction(claimDue(now, limit), work);
    const first = Math.min(now.getTime(), ...claimed.map(({ remindAt }) => Date.parse(remindAt)));
    observe(claimed.length, (now.getTime() - first) / 1_000);
    return claimed.length;
  };
  return { reminder: await runBatches(remindersPerBatch, queueSome, signal) };
}

/** A write that changes the task meanwhile waits for the claim, or the claim skips its row. */
function claimDue(now: Date, limit: number) {
  return {
    name: 'claim-due-reminders',
    text: `with due as materialized (
        select account_id, task_id, civil_time from tasks.reminder
        where queued_at is null and remind_at <= $1
        order by remind_at, account_id limit $2 for update skip locked
      )
      update tasks.reminder reminder set queued_at = $1 from due
      where reminder.account_id = due.account_id and reminder.task_id = due.task_id
        and reminder.civil_time = due.civil_time
      returning reminder.account_id as "accountId", reminder.task_id as "subjectId",
        reminder.civil_time as "civilTime", reminder.remind_at as "remindAt"`,
    values: [now, limit],
  };
}

/** Removes at most `limit` reminders that were queued long ago. Returns their number. */
export async function deleteOldReminders(db: Queryable, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    text: `with old as materialized (
        select account_id, task_id, civil_time from tasks.reminder where queued_at <= $1
        order by queued_at limit $2 for update skip locked
      )
      delete from tasks.reminder reminder using old
      where reminder.account_id = old.account_id and reminder.task_id = old.task_id
        and reminder.civil_time = old.civil_time`,
    values: [new Date(now.getTime() - keptHours * 3_600_000), limit],
  });
  return rowCount ?? 0;
}
