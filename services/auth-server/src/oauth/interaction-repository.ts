import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { hashTokenValue } from './oauth-token-repository.ts';

/** An authorization request that waits for its user; `uid` is known to the user's browser alone. */
export async function insertInteraction(
  em: EntityManager,
  uid: string,
  payload: string,
  expiresAt: Date,
): Promise<void> {
  await sql`insert into auth.oauth_interaction (uid_hash, payload, expires_at)
    values (${hashTokenValue(uid)}, ${payload}, ${expiresAt})`.execute(em.getKysely());
}

/** Whether it was still there. */
export async function updateInteraction(em: EntityManager, uid: string, payload: string): Promise<boolean> {
  const { rows } = await sql`update auth.oauth_interaction set payload = ${payload}
    where uid_hash = ${hashTokenValue(uid)} returning 1`.execute(em.getKysely());
  return rows.length === 1;
}

export async function findInteraction(
  em: EntityManager,
  uid: string,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ payload: string }>`select payload from auth.oauth_interaction
    where uid_hash = ${hashTokenValue(uid)} and expires_at > ${now}`.execute(em.getKysely());
  return rows[0]?.payload;
}

/** Whether this call deleted it: of any number at once, exactly one does. */
export async function deleteInteraction(em: EntityManager, uid: string): Promise<boolean> {
  const { rows } = await sql`delete from auth.oauth_interaction
    where uid_hash = ${hashTokenValue(uid)} returning 1`.execute(em.getKysely());
  return rows.length === 1;
}
