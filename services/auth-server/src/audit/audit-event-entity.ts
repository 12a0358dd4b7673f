import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const auditEventNames = [
  'account_created',
  /** Its subject is the browser, if it was not seen before. */
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  /** Its subject is the former address. */
  'address_changed',
  'address_restored',
  'second_factor_added',
  'second_factor_removed',
  /** The operator removed all of them. */
  'second_factor_reset',
  'recovery_codes_created',
  'recovery_code_used',
  'account_locked',
  'account_unlocked',
  'deletion_asked',
  'deletion_cancelled',
  'export_made',
  'token_created',
  'token_revoked',
  'app_connected',
  'app_disconnected',
  /** A refresh token was used again after it had been replaced: it may have been stolen. */
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
