import type { EntityManager } from '@mikro-orm/postgresql';
import { type ApiToken, ApiTokenEntity } from './api-token-entity.ts';

export async function findApiTokenByHash(em: EntityManager, tokenHash: Buffer): Promise<ApiToken | null> {
  return em.findOne(ApiTokenEntity, { tokenHash });
}

/** The account's tokens that were not revoked, oldest first. */
export async function listUnrevokedApiTokens(em: EntityManager, accountId: string): Promise<ApiToken[]> {
  return em.find(
    ApiTokenEntity,
    { accountId, revokedAt: null },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  );
}
