import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * When resource-api last saw each of these tokens: personal tokens and connected apps by their ids. Those it has
 * not seen, or not yet written down, are missing.
 */
export async function findLastUses(
  em: EntityManager,
  accountId: string,
  tokenIds: readonly string[],
): Promise<Map<string, Date>> {
  if (tokenIds.length === 0) return new Map();
  const rows = await em.execute<{ tokenId: string; lastUsedAt: string | Date }[]>(
    `select token_id as "tokenId", last_used_at as "lastUsedAt" from tasks.token_last_use
     where account_id = ? and token_id = any (string_to_array(?, ' ')::uuid[])`,
    [accountId, tokenIds.join(' ')],
  );
  return new Map(rows.map(({ tokenId, lastUsedAt }) => [tokenId, new Date(lastUsedAt)]));
}
