import { randomUUID } from 'node:crypto';
import type { Scope } from '#shared/scopes.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { deleteGrant, insertGrant } from '../connected-apps/grant-repository.ts';
import type { Session } from '../session.ts';

export type NewGrant = {
  accountId: string;
  clientId: string;
  clientName: string;
  scopes: Scope[];
  /** How long its code may take to be redeemed. */
  redeemWithinSeconds: number;
};

/** Connects an app; returns the grant's id. It lasts only until its code expires, unless the code is redeemed. */
export async function createGrant(session: Session, grant: NewGrant): Promise<string> {
  const { redeemWithinSeconds, ...granted } = grant;
  const id = randomUUID();
  const createdAt = session.clock.now();
  const expiresAt = new Date(createdAt.getTime() + redeemWithinSeconds * 1_000);
  await session.em.transactional(async (em) => {
    await insertGrant(em, { ...granted, id, createdAt, expiresAt });
    recordAuditEvent({ ...session, em }, grant.accountId, 'app_connected', { id, name: grant.clientName });
  });
  return id;
}

/** A code or refresh token came a second time: two have it, and one of them should not (RFC 9700 §4.14.2). */
export async function endReusedGrant(session: Session, id: string): Promise<void> {
  await endGrant(session, id, 'app_token_reused');
}

/** The app revoked its refresh token (RFC 7009 §2.1). */
export async function endGrantByClient(session: Session, id: string): Promise<void> {
  await endGrant(session, id, 'app_disconnected');
}

async function endGrant(
  session: Session,
  id: string,
  event: 'app_token_reused' | 'app_disconnected',
): Promise<void> {
  await session.em.transactional(async (em) => {
    const grant = await deleteGrant(em, id, session.clock.now());
    if (grant === undefined) return;
    recordAuditEvent({ ...session, em }, grant.accountId, event, { id, name: grant.clientName });
  });
}
