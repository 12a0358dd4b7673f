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
  kind: OAuthTokenKind;
  grantId: string;
  payload: string;
  expiresAt: Date;
};

/** A grant's first refresh token marks the redemption of its code: from then on the grant lives its own life. */
export type GrantUse = { at: Date; grantTtlSeconds: number };

/** Codes and refresh tokens are kept by their hashes: what is stored can't be replayed. */
export function hashTokenValue(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Whether it was stored; not when its grant is gone, which takes all its tokens along. */
export async function insertToken(em: EntityManager, token: NewToken, use?: GrantUse): Promise<boolean> {
  const insert = `insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at) values (?, ?, ?, ?, ?)`;
  const values = [hashTokenValue(token.value), token.kind, token.grantId, token.payload, token.expiresAt];
  try {
    if (use === undefined) await lookUpTexts(em, insert, values);
    else
      await lookUpTexts(em, `with stored as (${insert}) ${markUse}`, [...values, ...useValues(token, use)]);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === foreignKeyViolation) return false;
    throw error;
  }
}

/** PostgreSQL, appendix A. */
const foreignKeyViolation = '23503';

/** Never back in time, though the clocks of replicas differ: `hasSuccessor` rests on it. */
const markUse = `update auth.oauth_grant
  set last_used_at = greatest(last_used_at, ?), expires_at = created_at + make_interval(secs => ?) where id = ?`;

function useValues({ grantId }: NewToken, { at, grantTtlSeconds }: GrantUse): unknown[] {
  return [at, grantTtlSeconds, grantId];
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
