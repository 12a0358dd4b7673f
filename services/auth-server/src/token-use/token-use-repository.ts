import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../database/query.ts';

/**
 * When resource-api last saw each of these tokens: personal tokens and connected apps by their ids. Those it
 * has not seen, or not yet written down, are missing.
 */
export async function findLastUses(
  em: EntityManager,
  accountId: string,
  tokenIds: readonly string[],
): Promise<Map<string, Date>> {
  if (tokenIds.length === 0) return new Map();
  const rows = await query(em)<{ tokenId: string; lastUsedAt: Date }>`
    select token_id as "tokenId", last_used_at as "lastUsedAt" from tasks.token_last_use
    where account_id = ${accountId} and token_id = any (${tokenIds}::uuid[])`;
  return new Map(rows.map(({ tokenId, lastUsedAt }) => [tokenId, lastUsedAt]));
}
