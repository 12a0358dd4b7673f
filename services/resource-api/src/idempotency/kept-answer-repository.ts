import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpRows, tellNext } from '#shared/database/query-rows.ts';

/** Whose key it is: each token has keys of its own. */
export type KeyOwner = { accountId: string; tokenId: string; keyHash: Buffer };

export type KeptAnswer = {
  /** Of the request that was answered. */
  requestHash: Buffer;
  status: number;
  /** The very text that was sent. */
  body: string;
};

/** The answer kept under the key after this instant. */
export async function findKeptAnswer(
  em: EntityManager,
  { accountId, tokenId, keyHash }: KeyOwner,
  keptAfter: Date,
): Promise<KeptAnswer | undefined> {
  const [answer] = await lookUpRows<KeptAnswer>(
    em,
    `select request_hash as "requestHash", status, body from tasks.kept_answer
     where account_id = ? and token_id = ? and key_hash = ? and kept_at > ?`,
    [accountId, tokenId, keyHash, keptAfter],
  );
  return answer;
}

/** Takes the place of an older answer under the same key, which nobody is given any more. */
export async function keepAnswer(
  em: EntityManager,
  { accountId, tokenId, keyHash }: KeyOwner,
  { requestHash, status, body }: KeptAnswer,
  keptAt: Date,
): Promise<void> {
  await tellNext(
    em,
    `insert into tasks.kept_answer (account_id, token_id, key_hash, request_hash, status, body, kept_at)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (account_id, token_id, key_hash) do update set
       request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
       kept_at = excluded.kept_at`,
    [accountId, tokenId, keyHash, requestHash, status, body, keptAt],
  );
}

/**
 * Removes at most `limit` answers of any account, the oldest first, that were kept until this instant; leaves those
 * that somebody has locked. Answers how many. A CTE is evaluated once: a subquery in the condition need not be, and could remove more.
 */
export async function deleteOldAnswers(em: EntityManager, keptUntil: Date, limit: number): Promise<number> {
  const { affectedRows } = await em.execute<{ affectedRows: number }>(
    `with old as materialized (
       select account_id, token_id, key_hash from tasks.kept_answer where kept_at <= ?
       order by kept_at limit ? for update skip locked
     )
     delete from tasks.kept_answer answer using old
     where answer.account_id = old.account_id and answer.token_id = old.token_id
       and answer.key_hash = old.key_hash`,
    [keptUntil, limit],
    'run',
  );
  return affectedRows;
}
