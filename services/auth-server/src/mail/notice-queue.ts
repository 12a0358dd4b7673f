import type { EventArgs } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Queryable } from '#shared/database/database.ts';
import type { JobQueue } from '#shared/jobs/job-queue.ts';
import { type AuditEvent, AuditEventEntity, type AuditEventName } from '../audit/audit-event-entity.ts';
import type { SecurityEvent } from './mail-facts.ts';
import { isNoticed } from './security-notices.ts';

export type NoticeJob = { kind: 'notice'; event: SecurityEvent };

/** The operator's changes that owners are notified of: those of the sign-in, and deletion. */
const ofOperator: readonly AuditEventName[] = ['password_changed', 'second_factor_reset', 'deletion_asked'];

/** Queues notices together with their events; `MailService` formats and sends them. */
export function createNoticeQueue(jobs: Pick<JobQueue, 'add'>) {
  /** Queues the notice of an event, if its kind has one, in the entity manager's transaction. */
  async function notify(manager: EntityManager, event: SecurityEvent): Promise<void> {
    const job: NoticeJob = { kind: 'notice', event };
    if (isNoticed(event)) await jobs.add('mail', [job], transactionOf(manager));
  }
  return {
    notify,
    /** Queues notices of all events that a unit of work writes. */
    auditEvents: {
      getSubscribedEntities: () => [AuditEventEntity],
      async afterCreate({ em: manager, entity }: EventArgs<AuditEvent>) {
        const { accountId, sequence, event, subjectName, actor, address, userAgent } = entity;
        if (actor === 'operator' && !ofOperator.includes(event)) return;
        const happenedAt = entity.happenedAt.toISOString();
        const noticed = { accountId, sequence, event, happenedAt, subjectName, actor, address, userAgent };
        await notify(manager as EntityManager, noticed);
      },
    },
  };
}

function transactionOf(em: EntityManager): Queryable {
  return {
    query: async ({ text, values = [] }) =>
      await em.getKysely().executeQuery(CompiledQuery.raw(text, [...values])),
  } as Queryable;
}
