import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ApiToken, ApiTokenEntity } from './api-token-entity.ts';

/** The account's tokens that were not revoked, oldest first. */
export async function listUnrevokedApiTokens(em: EntityManager, accountId: string): Promise<ApiToken[]> {
  return em.find(ApiTokenEntity, { accountId, revokedAt: null }, { orderBy: oldestFirst });
}

/** Within a transaction, to whose end nobody else can change the token. */
export async function lockApiToken(em: EntityManager, id: string): Promise<ApiToken | null> {
  return em.findOne(ApiTokenEntity, { id }, writeLock);
}

/** Within a transaction, to whose end nobody else can change these tokens. */
export async function lockUnrevokedApiTokens(em: EntityManager, accountId: string): Promise<ApiToken[]> {
  return em.find(ApiTokenEntity, { accountId, revokedAt: null }, { orderBy: oldestFirst, ...writeLock });
}

const oldestFirst = { createdAt: 'asc', id: 'asc' } as const;
/** Reads what others have committed meanwhile, too. */
const writeLock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
