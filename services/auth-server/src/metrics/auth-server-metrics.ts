import type { EventArgs } from '@mikro-orm/core';
import { Counter, type Registry } from 'prom-client';
import type { RevocationObserver } from '#shared/admission/revoker.ts';
import { observeKeys } from '#shared/metrics/key-metrics.ts';
import { createServiceMetrics } from '#shared/metrics/service-metrics.ts';
import { AuditEventEntity, type AuditEventName, auditEventNames } from '../audit/audit-event-entity.ts';
import { observeReminders } from './reminder-metrics.ts';

export function createAuthServerMetrics() {
  const service = createServiceMetrics();
  const { registry } = service;
  return {
    ...service,
    keys: observeKeys(registry, 'signing'),
    ...countAuditEvents(registry),
    countIssuedToken: countIssuedTokens(registry),
    revocations: countRevocations(registry),
    reminders: observeReminders(registry),
  };
}

/** Counts audit events as they are written: sign-ins, tokens, apps connected and ended. */
function countAuditEvents(registry: Registry) {
  const events = new Counter({
    name: 'audit_events_total',
    help: 'Audit events written.',
    labelNames: ['event'],
    registers: [registry],
  });
  // `increase()` needs a first sample: start at 0.
  for (const event of auditEventNames) events.inc({ event }, 0);
  const countAuditEvent = (event: AuditEventName): void => events.inc({ event });
  return {
    /** Counts the events that a unit of work writes. */
    auditEvents: {
      getSubscribedEntities: () => [AuditEventEntity],
      afterCreate: ({ entity }: EventArgs<{ event: AuditEventName }>) => countAuditEvent(entity.event),
    },
    /** For events written by an SQL statement. */
    countAuditEvent,
  };
}

function countRevocations(registry: Registry): RevocationObserver {
  const revocations = new Counter({
    name: 'revocations_total',
    help: 'Revocations and changes of rights, by confirmation: redis, or a wait of 2.5 seconds.',
    labelNames: ['confirmed_by'],
    registers: [registry],
  });
  // `increase()` needs a first sample: start at 0.
  for (const confirmedBy of ['redis', 'wait']) revocations.inc({ confirmed_by: confirmedBy }, 0);
  return { confirmed: (by) => revocations.inc({ confirmed_by: by }) };
}

/** Grant of an access token; `token_exchange`: a personal token, `browser_session`: the web app. */
type GrantType = 'authorization_code' | 'refresh_token' | 'token_exchange' | 'browser_session';

function countIssuedTokens(registry: Registry) {
  const tokens = new Counter({
    name: 'access_tokens_issued_total',
    help: 'Access tokens issued.',
    labelNames: ['grant_type'],
    registers: [registry],
  });
  return (grantType: GrantType): void => tokens.inc({ grant_type: grantType });
}
