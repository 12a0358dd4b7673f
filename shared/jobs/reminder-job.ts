/**
 * A reminder of a task, or a digest: then `subjectId` is the account's own id. `civilTime`: `YYYY-MM-DD HH:mm`, of a digest
 * the day; with the ids it is sent once, whatever the time zone has become.
 */
export type ReminderKey = { accountId: string; subjectId: string; civilTime: string; remindAt: string };

/** A job of the queue `reminder`: resource-api and the digests' schedule add it, auth-server runs it. */
export type ReminderJob = { reminders: ReminderKey[] };

/** Of one job: few enough that a crash while they are sent loses few, many enough that a hundred thousand go through. */
const remindersPerJob = 50;

export function jobsOf(reminders: readonly ReminderKey[]): ReminderJob[] {
  const jobs: ReminderJob[] = [];
  for (let start = 0; start < reminders.length; start += remindersPerJob)
    jobs.push({ reminders: reminders.slice(start, start + remindersPerJob) });
  return jobs;
}
