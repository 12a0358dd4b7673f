import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { clientAddress } from '#shared/rate-limit/client-address.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type Actor, type AuditEvent, AuditEventEntity, type AuditEventName } from './audit-event-entity.ts';

export type Origin = {
  actor: Actor;
  address: string | null;
  /** At most 500 characters. */
  userAgent: string | null;
};

export const operatorOrigin: Origin = { actor: 'operator', address: null, userAgent: null };

const userAgentLength = 500;

/** `owner` for a signed-in user in a browser, `app` for a client's own request. */
export function requestOrigin(
  req: IncomingMessage,
  trustedProxyHops: number,
  actor: 'owner' | 'app',
): Origin {
  // Node decodes headers as Latin-1: no lone surrogates; its parser rejects U+0000.
  const userAgent = req.headers['user-agent']?.slice(0, userAgentLength) ?? null;
  return { actor, address: clientAddress(req, trustedProxyHops), userAgent };
}

/** Adds an event to the account's trail, in the caller's unit of work. */
export function recordAuditEvent(
  { em, clock, origin }: { em: EntityManager; clock: Clock; origin: Origin },
  accountId: string,
  event: AuditEventName,
  subject?: { id: string; name: string },
): void {
  em.persist(
    em.create(AuditEventEntity, {
      ...origin,
      accountId,
      happenedAt: clock.now(),
      event,
      subjectId: subject?.id ?? null,
      subjectName: subject?.name ?? null,
    }),
  );
}

/** The newest failed sign-ins of the account, newest first. */
export async function listFailedSignIns(
  em: EntityManager,
  accountId: string,
  limit: number,
): Promise<AuditEvent[]> {
  const filter = { accountId, event: 'sign_in_failed' } as const;
  return em.find(AuditEventEntity, filter, { orderBy: { sequence: 'desc' }, limit });
}

/** The account's events, newest first, before `beforeSequence` if given. */
export async function listAuditEvents(
  em: EntityManager,
  accountId: string,
  limit: number,
  beforeSequence?: string,
): Promise<AuditEvent[]> {
  const before = beforeSequence === undefined ? {} : { sequence: { $lt: beforeSequence } };
  return em.find(AuditEventEntity, { accountId, ...before }, { orderBy: { sequence: 'desc' }, limit });
}
