import type { EventArgs } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Queryable } from '#shared/database/database.ts';
import type { JobQueue } from '#shared/jobs/job-queue.ts';
import type { ReminderKey } from '#shared/jobs/reminder-job.ts';
import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type AuditEvent, AuditEventEntity } from '../audit/audit-event-entity.ts';
import { reminderMail } from '../reminders/reminder-messages.ts';
import { readDueReminders } from '../reminders/reminder-repository.ts';
import { unsubscribeLinkFor } from '../reminders/unsubscribe-link.ts';
import { type LinkJob, linkMessage } from './link-messages.ts';
import type { SecurityEvent } from './mail-facts.ts';
import { composeMail } from './mail-messages.ts';
import { createMailTransport, type MailSettings } from './mail-transport.ts';
import { isNoticed, noticeOf } from './security-notices.ts';

export type ReminderMailJob = { kind: 'reminder'; reminder: ReminderKey };
type MailJob = LinkJob | { kind: 'notice'; event: SecurityEvent } | ReminderMailJob;

export type MailService = ReturnType<typeof createMailService>;

type MailServiceOptions = {
  settings: MailSettings;
  baseUrl: string;
  pageSecret: Buffer;
  database: Queryable;
  jobs: JobQueue;
  em: () => EntityManager;
  clock: Clock;
  logger: Logger;
};

/** Mail is queued in PostgreSQL: a crash loses none, and one sent twice has the same Message-ID. */
export function createMailService(options: MailServiceOptions) {
  const { settings, baseUrl, pageSecret, database, jobs, em, clock, logger } = options;
  const transport = createMailTransport(settings, new URL(baseUrl).hostname, logger);
  const add = (job: MailJob, db: Queryable): Promise<void> => jobs.add('mail', job, db);

  async function messageOf(job: MailJob) {
    if (job.kind === 'reminder') {
      const [due] = await readDueReminders(database, [job.reminder], clock.now());
      if (!due?.byMail) return undefined;
      const unsubscribeUrl = `${baseUrl}${unsubscribeLinkFor(pageSecret, due.accountId)}`;
      return composeMail(due.email, reminderMail(due, baseUrl, unsubscribeUrl));
    }
    const session = { em: em().fork(), clock };
    if (job.kind === 'notice') {
      const notice = await noticeOf(session, job.event, baseUrl);
      return notice && composeMail(notice.to, notice.content);
    }
    return linkMessage(session, job, baseUrl);
  }

  async function notify(manager: EntityManager, event: SecurityEvent): Promise<void> {
    if (isNoticed(event)) await add({ kind: 'notice', event }, transactionOf(manager));
  }
  return {
    /** Sends a link, or what else concerns the address: later, so that a response does not depend on it. */
    requestLink: (job: LinkJob) => add(job, database),
    /** Queues a notice of the event, where its kind has one, in the transaction of the entity manager. */
    notify,
    /** Queues a notice of each event that a unit of work writes. */
    auditEvents: {
      getSubscribedEntities: () => [AuditEventEntity],
      async afterCreate({ em: manager, entity }: EventArgs<AuditEvent>) {
        const { accountId, event, subjectName, address, userAgent } = entity;
        const happenedAt = entity.happenedAt.toISOString();
        const noticed = { accountId, event, happenedAt, subjectName, address, userAgent };
        await notify(manager as EntityManager, noticed);
      },
    },
    /** Sends what is queued, from now on. */
    start(): void {
      const run = jobs.run<MailJob>('mail', async (job, id) => {
        const message = await messageOf(job);
        if (message !== undefined) await transport.send(message, id);
      });
      run.catch((error: unknown) => logger.error({ err: error }, 'mail can not be sent'));
    },
    /** To be called when the job queue has stopped. */
    close: () => transport.close(),
  };
}

function transactionOf(em: EntityManager): Queryable {
  return {
    query: async ({ text, values = [] }) =>
      await em.getKysely().executeQuery(CompiledQuery.raw(text, [...values])),
  } as Queryable;
}
