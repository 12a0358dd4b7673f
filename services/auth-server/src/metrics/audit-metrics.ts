import type { EventArgs, EventSubscriber } from '@mikro-orm/core';
import { Counter, type Registry } from 'prom-client';
import { AuditEventEntity, type AuditEventName, auditEventNames } from '../audit/audit-event-entity.ts';

export type AuditMetrics = {
  /** Counts the events that a unit of work writes. */
  auditEvents: EventSubscriber;
  /** For an event that a statement has written with what it is about. */
  countAuditEvent(event: AuditEventName): void;
};

/** Counts audit events as they are written: sign-ins, tokens, apps connected and ended. */
export function countAuditEvents(registry: Registry): AuditMetrics {
  const events = new Counter({
    name: 'audit_events_total',
    help: 'Audit events written, among them how connections of apps ended.',
    labelNames: ['event'],
    registers: [registry],
  });
  // An increase is seen only from a value that was there before.
  for (const event of auditEventNames) events.inc({ event }, 0);
  const countAuditEvent = (event: AuditEventName): void => events.inc({ event });
  return {
    auditEvents: {
      getSubscribedEntities: () => [AuditEventEntity],
      afterCreate: ({ entity }: EventArgs<{ event: AuditEventName }>) => countAuditEvent(entity.event),
    },
    countAuditEvent,
  };
}
