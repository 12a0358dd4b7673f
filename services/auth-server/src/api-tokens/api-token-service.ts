import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { invalidField, invalidState } from '#shared/errors/errors.ts';
import { scopes } from '#shared/scopes.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { hashApiToken, mintApiToken } from '#shared/tokens/api-token.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import type { Session } from '../session.ts';
import { findLastUses } from '../token-use/token-use-repository.ts';
import { type ApiToken, ApiTokenEntity } from './api-token-entity.ts';
import { listUnrevokedApiTokens, lockApiToken, lockUnrevokedApiTokens } from './api-token-repository.ts';
import { apiTokenInput } from './api-token-schema.ts';

/**
 * `input`: `{name, scopes, expiresAt?}`. The secret is known to the caller alone: only its hash is kept.
 * Throws validation_error; invalid_state when a token has that `id` already.
 */
export async function createApiToken(
  session: Session,
  accountId: string,
  input: unknown,
  id: string = randomUUID(),
): Promise<{ token: ApiToken; secret: string }> {
  const wanted = validateInput(apiTokenInput, input, 'token');
  const now = session.clock.now();
  const expiresAt = wanted.expiresAt ? (parseInstant(wanted.expiresAt) ?? null) : null;
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField('expiresAt', 'expiresAt must lie in the future');
  const secret = mintApiToken();
  const token = session.em.create(ApiTokenEntity, {
    id,
    accountId,
    name: wanted.name,
    scopes: scopes.filter((scope) => wanted.scopes.includes(scope)),
    tokenHash: hashApiToken(secret),
    lastFour: secret.slice(-4),
    expiresAt,
    revokedAt: null,
    createdAt: now,
  });
  session.em.persist(token);
  recordAuditEvent(session, accountId, 'token_created', token);
  try {
    await session.em.flush();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw invalidState('This token has been created already.');
  }
  return { token, secret };
}

/** `lastUsedAt` is null for a token that nobody has used yet. */
export type UsedApiToken = { token: ApiToken; lastUsedAt: Date | null };

/** The account's tokens that were not revoked, oldest first. */
export async function listApiTokens({ em }: Session, accountId: string): Promise<UsedApiToken[]> {
  const tokens = await listUnrevokedApiTokens(em, accountId);
  const ids = tokens.map(({ id }) => id);
  const lastUses = await findLastUses(em, accountId, ids);
  return tokens.map((token) => ({ token, lastUsedAt: lastUses.get(token.id) ?? null }));
}

/**
 * Revoking a revoked token changes nothing. `null`: there is no such token, or, where `accountId` is given, it is
 * another account's.
 */
export async function revokeApiToken(
  session: Session,
  tokenId: string,
  accountId?: string,
): Promise<ApiToken | null> {
  return session.em.transactional(async (em) => {
    const token = await lockApiToken(em, tokenId);
    if (token === null || (accountId !== undefined && token.accountId !== accountId)) return null;
    markRevoked({ ...session, em }, token);
    return token;
  });
}

/** Revokes every token of the account, within the transaction of the session's entity manager. */
export async function revokeAllApiTokens(session: Session, accountId: string): Promise<void> {
  for (const token of await lockUnrevokedApiTokens(session.em, accountId)) markRevoked(session, token);
}

function markRevoked(session: Session, token: ApiToken): void {
  if (token.revokedAt !== null) return;
  token.revokedAt = session.clock.now();
  recordAuditEvent(session, token.accountId, 'token_revoked', token);
}
