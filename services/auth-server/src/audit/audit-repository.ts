import type { EntityManager } from '@mikro-orm/postgresql';
import { type AuditEvent, AuditEventEntity } from './audit-event-entity.ts';

/** The account's events, newest first; with `beforeSequence`, those that came before that one. */
export async function listAuditEvents(
  em: EntityManager,
  accountId: string,
  limit: number,
  beforeSequence?: string,
): Promise<AuditEvent[]> {
  const before = beforeSequence === undefined ? {} : { sequence: { $lt: beforeSequence } };
  return em.find(AuditEventEntity, { accountId, ...before }, { orderBy: { sequence: 'desc' }, limit });
}
