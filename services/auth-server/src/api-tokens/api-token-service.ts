import { randomUUID } from 'node:crypto';
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidState } from '#shared/errors/errors.ts';
import { scopes } from '#shared/scopes.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import { hashSecret } from '#shared/tokens/secret.ts';
import { closedObject, enumeration, listOf, timestamp, title } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { lockAccountRow } from '../accounts/lock-account-row.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { type BrowserOwner, lockBrowserSession } from '../browser/browser-session-repository.ts';
import { query } from '../database/query.ts';
import { runRevocation, type Session } from '../session.ts';
import { findLastUses } from '../token-use/token-use-repository.ts';
import { type ApiToken, ApiTokenEntity } from './api-token-entity.ts';

const apiTokenInput = (now: Date) =>
  closedObject({
    name: title(200).defined(),
    scopes: listOf(enumeration(scopes).defined(), scopes.length)
      .min(1, '${path} must name at least one scope')
      .defined(),
    expiresAt: timestamp()
      .test('future', '${path} must lie in the future', (value) => {
        const instant = value ? parseInstant(value) : undefined;
        return instant === undefined || instant > now;
      })
      .nullable(),
  });

/** Tokens that are neither revoked nor expired. */
export const maximumLiveTokens = 50;

export class TokenLimitError extends AppError {
  constructor() {
    super('invalid_state', {
      message: `An account has at most ${maximumLiveTokens} tokens. Revoke one that is no longer needed.`,
    });
  }
}

const oldestFirst = { createdAt: 'asc', id: 'asc' } as const;
/** Locks the tokens until the end of the transaction, and rereads them. */
const writeLock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

/**
 * `input`: `{name, scopes, expiresAt?}`. `form`: the id of the token that it makes, and the browser that sent
 * it. Only the hash of the secret is stored. Throws validation_error, TokenLimitError; invalid_state if the
 * form has its token already, and token_missing if its session has ended.
 */
export async function createApiToken(
  session: Session,
  accountId: string,
  input: unknown,
  form?: { tokenId: string; owner: BrowserOwner },
): Promise<{ token: ApiToken; secret: string }> {
  const now = session.clock.now();
  const wanted = validateInput(apiTokenInput(now), input, 'token');
  const expiresAt = wanted.expiresAt ? (parseInstant(wanted.expiresAt) ?? null) : null;
  const secret = mintApiToken();
  const row: ApiToken = {
    id: form?.tokenId ?? randomUUID(),
    accountId,
    name: wanted.name,
    scopes: scopes.filter((scope) => wanted.scopes.includes(scope)),
    tokenHash: hashSecret(secret),
    lastFour: secret.slice(-4),
    expiresAt,
    revokedAt: null,
    createdAt: now,
  };
  try {
    const token = await session.em.transactional(async (em) => {
      await requireTokenLimit(em, row);
      if (form) await lockBrowserSession(em, form.owner);
      const created = em.create(ApiTokenEntity, row);
      recordAuditEvent({ ...session, em }, accountId, 'token_created', created);
      return created;
    });
    return { token, secret };
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw invalidState('This token has been created already.');
  }
}

/** The account's lock makes the count exact. A resubmitted form has its token already. */
async function requireTokenLimit(em: EntityManager, { id, accountId, createdAt }: ApiToken): Promise<void> {
  await lockAccountRow(em, accountId);
  const [live] = await query(em)<{ count: number }>`
    select count(*)::int as count from auth.api_token where account_id = ${accountId} and id <> ${id}
      and revoked_at is null and (expires_at is null or expires_at > ${createdAt})`;
  if (live !== undefined && live.count >= maximumLiveTokens) throw new TokenLimitError();
}

/** `lastUsedAt` is null for an unused token. */
export type UsedApiToken = { token: ApiToken; lastUsedAt: Date | null };

/** The account's unrevoked tokens, oldest first. */
export async function listApiTokens({ em }: Session, accountId: string): Promise<UsedApiToken[]> {
  const tokens = await em.find(ApiTokenEntity, { accountId, revokedAt: null }, { orderBy: oldestFirst });
  const ids = tokens.map(({ id }) => id);
  const lastUses = await findLastUses(em, accountId, ids);
  return tokens.map((token) => ({ token, lastUsedAt: lastUses.get(token.id) ?? null }));
}

/** Idempotent. Returns null if there is no such token, or it belongs to another account than `accountId`. */
export async function revokeApiToken(
  session: Session,
  tokenId: string,
  accountId?: string,
): Promise<ApiToken | null> {
  return runRevocation(session, async (within, affects) => {
    const token = await within.em.findOne(ApiTokenEntity, { id: tokenId }, writeLock);
    if (token === null || (accountId !== undefined && token.accountId !== accountId)) return null;
    affects(token.accountId);
    markRevoked(within, token);
    return token;
  });
}

/** Revokes every token of the account, within the caller's transaction. */
export async function revokeAllApiTokens(session: Session, accountId: string): Promise<void> {
  const unrevoked = { accountId, revokedAt: null };
  const tokens = await session.em.find(ApiTokenEntity, unrevoked, { orderBy: oldestFirst, ...writeLock });
  for (const token of tokens) markRevoked(session, token);
}

function markRevoked(session: Session, token: ApiToken): void {
  if (token.revokedAt !== null) return;
  token.revokedAt = session.clock.now();
  recordAuditEvent(session, token.accountId, 'token_revoked', token);
}
