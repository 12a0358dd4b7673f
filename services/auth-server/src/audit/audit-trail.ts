import type { Session } from '../session.ts';
import { AuditEventEntity, type AuditEventName } from './audit-event-entity.ts';

export type AuditSubject = { id: string; name: string };

/**
 * Puts an event on the account's trail, in the caller's unit of work: it is written by the flush that writes what
 * it is about, or not at all.
 */
export function recordAuditEvent(
  { em, clock, origin }: Session,
  accountId: string,
  event: AuditEventName,
  subject?: AuditSubject,
): void {
  em.persist(
    em.create(AuditEventEntity, {
      accountId,
      happenedAt: clock.now(),
      event,
      actor: origin.actor,
      subjectId: subject?.id ?? null,
      subjectName: subject?.name ?? null,
      address: origin.address,
      userAgent: origin.userAgent,
    }),
  );
}
