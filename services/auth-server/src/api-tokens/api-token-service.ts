import { randomUUID } from 'node:crypto';
import { invalidField } from '#shared/errors/errors.ts';
import { scopes } from '#shared/scopes.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { hashApiToken, mintApiToken } from '#shared/tokens/api-token.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { Session } from '../session.ts';
import { type ApiToken, ApiTokenEntity } from './api-token-entity.ts';
import { apiTokenInput } from './api-token-schema.ts';

/**
 * `input`: `{name, scopes, expiresAt?}`. The secret is known to the caller alone: only its hash is kept.
 * Throws validation_error.
 */
export async function createApiToken(
  { em, clock }: Session,
  accountId: string,
  input: unknown,
): Promise<{ token: ApiToken; secret: string }> {
  const wanted = validateInput(apiTokenInput, input, 'token');
  const now = clock.now();
  const expiresAt = wanted.expiresAt ? (parseInstant(wanted.expiresAt) ?? null) : null;
  if (expiresAt !== null && expiresAt <= now)
    throw invalidField('expiresAt', 'expiresAt must lie in the future');
  const secret = mintApiToken();
  const token = em.create(ApiTokenEntity, {
    id: randomUUID(),
    accountId,
    name: wanted.name,
    scopes: scopes.filter((scope) => wanted.scopes.includes(scope)),
    tokenHash: hashApiToken(secret),
    lastFour: secret.slice(-4),
    expiresAt,
    revokedAt: null,
    createdAt: now,
  });
  await em.persist(token).flush();
  return { token, secret };
}

/** Revoking a revoked token changes nothing. `null`: there is no such token. */
export async function revokeApiToken({ em, clock }: Session, tokenId: string): Promise<ApiToken | null> {
  const token = await em.findOne(ApiTokenEntity, { id: tokenId });
  if (token === null) return null;
  token.revokedAt ??= clock.now();
  await em.flush();
  return token;
}
