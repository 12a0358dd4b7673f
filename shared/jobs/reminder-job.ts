/**
 * A reminder of a task or a digest, whose `subjectId` is the account's id. `civilTime`: `YYYY-MM-DD HH:mm`,
 * or the day of a digest; with the ids it is the delivery's key, independent of the time zone.
 */
export type ReminderKey = { accountId: string; subjectId: string; civilTime: string; remindAt: string };

/** A job of the queue `reminder`: resource-api and the digests' schedule add it, auth-server runs it. */
export type ReminderJob = { reminders: ReminderKey[] };

/** A crash while sending loses at most one job's reminders; larger jobs have a higher throughput. */
const remindersPerJob = 100;

export function jobsOf(reminders: readonly ReminderKey[]): ReminderJob[] {
  const jobs: ReminderJob[] = [];
  for (let start = 0; start < reminders.length; start += remindersPerJob)
    jobs.push({ reminders: reminders.slice(start, start + remindersPerJob) });
  return jobs;
}
