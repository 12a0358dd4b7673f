import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const auditEventNames = [
  'account_created',
  /** The subject is the browser, if it is new. */
  'signed_in',
  /** The subject is what was wrong, if it was not the password. */
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  /** The operator made a link to choose another password. */
  'reset_link_made',
  /** The subject is the former address. */
  'address_changed',
  'address_restored',
  'second_factor_added',
  'second_factor_removed',
  /** The operator removed every second factor. */
  'second_factor_reset',
  'recovery_codes_created',
  'recovery_code_used',
  'account_locked',
  'account_unlocked',
  'account_suspended',
  'account_reactivated',
  'deletion_asked',
  'deletion_cancelled',
  'export_made',
  'token_created',
  'token_revoked',
  'app_connected',
  'app_disconnected',
  /** A replaced refresh token was used again: it may be stolen. */
  'app_token_reused',
] as const;

export type AuditEventName = (typeof auditEventNames)[number];

export type Actor = 'owner' | 'app' | 'operator' | 'service';

export const AuditEventEntity = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_event',
  schema: 'auth',
  properties: {
    sequence: p.bigint('string').primary().autoincrement(),
    accountId: p.uuid(),
    happenedAt: p.datetime(3),
    event: p.text().$type<AuditEventName>(),
    actor: p.text().$type<Actor>(),
    subjectId: p.uuid().nullable(),
    subjectName: p.text().nullable(),
    address: p.text().nullable(),
    userAgent: p.text().nullable(),
  },
});

export type AuditEvent = InferEntity<typeof AuditEventEntity>;
