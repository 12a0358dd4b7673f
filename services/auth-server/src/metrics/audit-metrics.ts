import type { EventArgs, EventSubscriber } from '@mikro-orm/core';
import { Counter, type Registry } from 'prom-client';
import { AuditEventEntity } from '../audit/audit-event-entity.ts';

/** Counts audit events as they are written, whatever writes them: sign-ins, tokens, apps connected and ended. */
export function countAuditEvents(registry: Registry): EventSubscriber {
  const events = new Counter({
    name: 'audit_events_total',
    help: 'Audit events written, among them how connections of apps ended.',
    labelNames: ['event'],
    registers: [registry],
  });
  return {
    getSubscribedEntities: () => [AuditEventEntity],
    afterCreate: ({ entity }: EventArgs<{ event: string }>) => events.inc({ event: entity.event }),
  };
}
