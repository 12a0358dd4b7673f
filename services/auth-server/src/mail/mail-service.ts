import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '#shared/database/database.ts';
import type { JobQueue } from '#shared/jobs/job-queue.ts';
import type { ReminderKey } from '#shared/jobs/reminder-job.ts';
import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import { reminderMail } from '../reminders/reminder-messages.ts';
import { readDueReminders } from '../reminders/reminder-repository.ts';
import { unsubscribeLinkFor } from '../reminders/unsubscribe-link.ts';
import { type LinkJob, linkMessage } from './link-messages.ts';
import { composeMail } from './mail-messages.ts';
import { createMailTransport, type MailSettings } from './mail-transport.ts';
import type { NoticeJob } from './notice-queue.ts';
import { noticeOf } from './security-notices.ts';

export type ReminderMailJob = { kind: 'reminder'; reminder: ReminderKey };
type MailJob = LinkJob | NoticeJob | ReminderMailJob;

export type MailService = ReturnType<typeof createMailService>;

type MailServiceOptions = {
  settings: MailSettings;
  baseUrl: string;
  pageSecret: Buffer;
  database: Queryable;
  jobs: JobQueue;
  em: EntityManager;
  clock: Clock;
  logger: Logger;
};

/** Mail is queued in PostgreSQL: a crash loses none, and one sent twice has the same Message-ID. */
export function createMailService(options: MailServiceOptions) {
  const { settings, baseUrl, pageSecret, database, jobs, em, clock, logger } = options;
  const transport = createMailTransport(settings, new URL(baseUrl).hostname, logger);

  async function messageOf(job: MailJob) {
    if (job.kind === 'reminder') {
      const [due] = await readDueReminders(database, [job.reminder], clock.now());
      if (!due?.byMail) return undefined;
      const unsubscribeUrl = `${baseUrl}${unsubscribeLinkFor(pageSecret, due.accountId)}`;
      return composeMail(due.email, reminderMail(due, baseUrl, unsubscribeUrl));
    }
    const session = { em: em.fork(), clock };
    if (job.kind === 'notice') {
      const notice = await noticeOf(session, job.event, baseUrl);
      return notice && composeMail(notice.to, notice.content);
    }
    return linkMessage(session, job, baseUrl);
  }

  return {
    /** Queues a message to an address, so that responses do not depend on it. */
    requestLink: (job: LinkJob) => jobs.add('mail', [job], database),
    /** Starts sending queued messages. */
    start(): void {
      const run = jobs.run<MailJob>('mail', async (job, id) => {
        const message = await messageOf(job);
        if (message !== undefined) await transport.send(message, id);
      });
      run.catch((error: unknown) => logger.error({ err: error }, 'mail can not be sent'));
    },
    /** To be called after the job queue has stopped. */
    close: () => transport.close(),
  };
}
