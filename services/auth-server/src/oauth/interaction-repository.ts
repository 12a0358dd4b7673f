import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpTexts } from '#shared/database/query-rows.ts';
import { hashTokenValue } from './oauth-token-repository.ts';

/** An authorization request that waits for its user; `uid` is known to the user's browser alone. */
export async function insertInteraction(
  em: EntityManager,
  uid: string,
  payload: string,
  expiresAt: Date,
): Promise<void> {
  await lookUpTexts(
    em,
    `insert into auth.oauth_interaction (uid_hash, payload, expires_at) values (?, ?, ?)`,
    [hashTokenValue(uid), payload, expiresAt],
  );
}

/** Whether it was still there. */
export async function updateInteraction(em: EntityManager, uid: string, payload: string): Promise<boolean> {
  const rows = await lookUpTexts(
    em,
    `update auth.oauth_interaction set payload = ? where uid_hash = ? returning 1`,
    [payload, hashTokenValue(uid)],
  );
  return rows.length === 1;
}

export async function findInteraction(
  em: EntityManager,
  uid: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await lookUpTexts<[payload: string]>(
    em,
    `select payload from auth.oauth_interaction where uid_hash = ? and expires_at > ?`,
    [hashTokenValue(uid), now],
  );
  return row?.[0];
}

/** Whether this call deleted it: of any number at once, exactly one does. */
export async function deleteInteraction(em: EntityManager, uid: string): Promise<boolean> {
  const rows = await lookUpTexts(em, `delete from auth.oauth_interaction where uid_hash = ? returning 1`, [
    hashTokenValue(uid),
  ]);
  return rows.length === 1;
}
