import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpRows, lookUpTexts } from '#shared/database/query-rows.ts';
import { isScope } from '#shared/scopes.ts';
import type { Grant } from '../connected-apps/grant-repository.ts';

export type OAuthTokenKind = 'authorization_code' | 'refresh_token';

/** A token as a request names it. */
export type AskedToken = { kind: OAuthTokenKind; value: string };

/** As much of a grant as the package is told. */
export type GrantOfToken = Pick<
  Grant,
  'id' | 'accountId' | 'clientId' | 'scopes' | 'createdAt' | 'expiresAt'
>;

export type StoredToken = {
  payload: string;
  consumedAt: Date | null;
  /** Whether what it was consumed for has been stored. */
  hasSuccessor: boolean;
  /** What it was issued under; whether that has expired is not asked. */
  grant: GrantOfToken;
  /** JSON; undefined where the client is not a registered one. */
  clientMetadata: string | undefined;
};

type TokenTexts = [
  payload: string,
  consumedAt: string | null,
  hasSuccessor: 't' | 'f' | null,
  grantId: string,
  accountId: string,
  clientId: string,
  scopes: string,
  createdAt: string,
  expiresAt: string,
  clientMetadata: string | null,
];

export type NewToken = {
  value: string;
  grantId: string;
  payload: string;
  expiresAt: Date;
};

/** What the issue of a refresh token entails. */
export type RefreshTokenIssue = {
  at: Date;
  /** From its first refresh token on, which marks the redemption of its code, a grant lives so long. */
  grantTtlSeconds: number;
  /** The value of the refresh token it takes the place of, and whether that may have been consumed before. */
  rotates: { value: string; maybeConsumed: boolean } | undefined;
};

/** Codes and refresh tokens are kept by their hashes: what is stored can't be replayed. */
export function hashTokenValue(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Whether it was stored; not when its grant is gone, which takes all its tokens along. */
export async function insertCode(em: EntityManager, code: NewToken): Promise<boolean> {
  const { value, grantId, payload, expiresAt } = code;
  try {
    await lookUpTexts(
      em,
      `insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at) values (?, ?, ?, ?, ?)`,
      [hashTokenValue(value), 'authorization_code', grantId, payload, expiresAt],
    );
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === foreignKeyViolation) return false;
    throw error;
  }
}

/** PostgreSQL, appendix A. */
const foreignKeyViolation = '23503';

/**
 * Stores a refresh token, consumes the one it takes the place of, and marks the grant as used: all of it or nothing.
 * Whether it did; not when the grant is gone, or the other token was consumed before and must not have been.
 *
 * The grant is locked first, as by what ends it: that goes on to its tokens. `last_used_at` never goes back, though the
 * clocks of replicas differ: `hasSuccessor` rests on it.
 */
export async function issueRefreshToken(
  em: EntityManager,
  { value, grantId, payload, expiresAt }: NewToken,
  { at, grantTtlSeconds, rotates }: RefreshTokenIssue,
): Promise<boolean> {
  const rows = await lookUpTexts(
    em,
    `with app as (select id from auth.oauth_grant where id = ? for no key update),
     consumed as (
       update auth.oauth_token set consumed_at = ?
       where token_hash = ? and consumed_at is null and grant_id in (select id from app) returning 1),
     issuing as (select id from app where ? or exists (select from consumed)),
     used as (
       update auth.oauth_grant
       set last_used_at = greatest(last_used_at, ?), expires_at = created_at + make_interval(secs => ?)
       where id in (select id from issuing))
     insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
     select ?, 'refresh_token', id, ?, ? from issuing returning 1`,
    [
      grantId,
      at,
      rotates && hashTokenValue(rotates.value),
      rotates?.maybeConsumed ?? true,
      at,
      grantTtlSeconds,
      hashTokenValue(value),
      payload,
      expiresAt,
    ],
  );
  return rows.length === 1;
}

/** A token that has not expired, consumed or not, and what it belongs to. */
export async function findToken(
  em: EntityManager,
  { kind, value }: AskedToken,
  now: Date,
): Promise<StoredToken | undefined> {
  const [row] = await lookUpTexts<TokenTexts>(
    em,
    `select token.payload, token.consumed_at, app.last_used_at >= token.consumed_at,
       app.id, app.account_id, app.client_id, array_to_string(app.scopes, ' '), app.created_at, app.expires_at,
       client.metadata
     from auth.oauth_token token join auth.oauth_grant app on app.id = token.grant_id
     left join auth.oauth_client client on client.client_id = app.client_id
     where token.token_hash = ? and token.kind = ? and token.expires_at > ?`,
    [hashTokenValue(value), kind, now],
  );
  return row && toStoredToken(row);
}

function toStoredToken(row: TokenTexts): StoredToken {
  const [payload, consumedAt, hasSuccessor, id, accountId, clientId, scopes, createdAt, expiresAt, metadata] =
    row;
  return {
    payload,
    consumedAt: consumedAt === null ? null : new Date(consumedAt),
    hasSuccessor: hasSuccessor === 't',
    grant: {
      id,
      accountId,
      clientId,
      scopes: scopes.split(' ').filter(isScope),
      createdAt: new Date(createdAt),
      expiresAt: new Date(expiresAt),
    },
    clientMetadata: metadata ?? undefined,
  };
}

/** Whether this call consumed the token: of any number at once, exactly one does. */
export async function consumeToken(em: EntityManager, value: string, now: Date): Promise<boolean> {
  const rows = await lookUpTexts(
    em,
    `update auth.oauth_token set consumed_at = ? where token_hash = ? and consumed_at is null returning 1`,
    [now, hashTokenValue(value)],
  );
  return rows.length === 1;
}

export async function deleteToken(em: EntityManager, value: string): Promise<void> {
  await em.execute(`delete from auth.oauth_token where token_hash = ?`, [hashTokenValue(value)]);
}

/** Whom a refresh token belongs to, used before or not. */
export async function findRefreshTokenOwner(
  em: EntityManager,
  value: string,
): Promise<{ grantId: string; clientId: string } | undefined> {
  const [row] = await lookUpRows<{ grantId: string; clientId: string }>(
    em,
    `select grant_id as "grantId", client_id as "clientId"
     from auth.oauth_token join auth.oauth_grant on oauth_grant.id = grant_id
     where token_hash = ? and kind = 'refresh_token'`,
    [hashTokenValue(value)],
  );
  return row;
}
