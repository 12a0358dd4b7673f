import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpRows } from '#shared/database/query-rows.ts';
import { hashTokenValue } from './oauth-token-repository.ts';

/** An authorization request that waits for its user; `uid` is known to the user's browser alone. */
export async function saveInteraction(
  em: EntityManager,
  uid: string,
  payload: string,
  expiresAt: Date,
): Promise<void> {
  await lookUpRows(
    em,
    `insert into auth.oauth_interaction (uid_hash, payload, expires_at) values (?, ?, ?)
     on conflict (uid_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    [hashTokenValue(uid), payload, expiresAt],
  );
}

export async function findInteraction(
  em: EntityManager,
  uid: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await lookUpRows<{ payload: string }>(
    em,
    `select payload from auth.oauth_interaction where uid_hash = ? and expires_at > ?`,
    [hashTokenValue(uid), now],
  );
  return row?.payload;
}

/** Whether this call deleted it: of any number at once, exactly one does. */
export async function deleteInteraction(em: EntityManager, uid: string): Promise<boolean> {
  const rows = await lookUpRows(em, `delete from auth.oauth_interaction where uid_hash = ? returning 1`, [
    hashTokenValue(uid),
  ]);
  return rows.length === 1;
}
