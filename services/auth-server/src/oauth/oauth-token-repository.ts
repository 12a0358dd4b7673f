import type { EntityManager } from '@mikro-orm/postgresql';
import { codeOf } from '#shared/errors/error-code.ts';
import { hashSecret } from '#shared/tokens/secret.ts';
import { query } from '../database/query.ts';

type OAuthTokenKind = 'authorization_code' | 'refresh_token';

type StoredToken = {
  payload: string;
  consumedAt: Date | null;
  hasSuccessor: boolean;
};

export type NewToken = {
  value: string;
  grantId: string;
  payload: string;
  expiresAt: Date;
};

type RefreshTokenIssue = {
  at: Date;
  /** Lifetime of a grant from its first refresh token on, that is from the redemption of its code. */
  grantTtlSeconds: number;
  /** The refresh token that this one replaces; undefined for the first. */
  replaced: string | undefined;
  /**
   * The replaced one may have been consumed after this time; null: no grace. Compared with the row, since the
   * first of parallel refreshes may have the later time.
   */
  graceSince: Date | null;
};

/** Returns whether it was stored: false if its grant is gone. */
export async function insertCode(em: EntityManager, code: NewToken): Promise<boolean> {
  const { value, grantId, payload, expiresAt } = code;
  try {
    await query(em)`insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
      values (${hashSecret(value)}, 'authorization_code', ${grantId}, ${payload}, ${expiresAt})`;
    return true;
  } catch (error) {
    if (codeOf(error) === foreignKeyViolation) return false;
    throw error;
  }
}

/** Before every grace period. */
const longAgo = new Date(0);

/** PostgreSQL, appendix A. */
const foreignKeyViolation = '23503';

/**
 * Stores a refresh token, consumes the replaced one and marks the grant as used, or does nothing and returns
 * false: the grant is gone, or the replaced token was consumed before its grace period.
 *
 * A refresh token is unused (no `consumed_at`), in its grace period, or consumed. The use of one ends the
 * grace period of the one it replaced and of all others that replaced the same: of several tokens issued from
 * one, one stays valid, and a later use of another ends the grant.
 *
 * The grant is locked first, as by a deletion, which continues with its tokens. `last_used_at` never
 * decreases, even if the clocks of replicas differ: `hasSuccessor` depends on it.
 */
export async function issueRefreshToken(
  em: EntityManager,
  { value, grantId, payload, expiresAt }: NewToken,
  { at, grantTtlSeconds, replaced, graceSince }: RefreshTokenIssue,
): Promise<boolean> {
  const replacedHash = replaced === undefined ? null : hashSecret(replaced);
  const rows = await query(em)`
    with app as (select id from auth.oauth_grant where id = ${grantId} for no key update),
    consumed as (
      update auth.oauth_token set consumed_at = coalesce(consumed_at, ${at})
      where token_hash = ${replacedHash} and (consumed_at is null or consumed_at > ${graceSince})
        and grant_id in (select id from app)
      returning token_hash, replaces),
    relatives as (
      update auth.oauth_token relative set consumed_at = ${longAgo} from consumed
      where (relative.token_hash = consumed.replaces or relative.replaces = consumed.replaces)
        and relative.token_hash <> consumed.token_hash),
    issuing as (select id from app where ${replacedHash}::bytea is null or exists (select from consumed)),
    used as (
      update auth.oauth_grant
      set last_used_at = greatest(last_used_at, ${at}::timestamptz),
        expires_at = created_at + make_interval(secs => ${grantTtlSeconds})
      where id in (select id from issuing))
    insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at, replaces)
    select ${hashSecret(value)}::bytea, 'refresh_token', id, ${payload}, ${expiresAt}::timestamptz,
      ${replacedHash}::bytea
    from issuing returning 1`;
  return rows.length === 1;
}

/** An unexpired token, consumed or not. */
export async function findToken(
  em: EntityManager,
  kind: OAuthTokenKind,
  value: string,
  now: Date,
): Promise<StoredToken | undefined> {
  const [token] = await query(em)<StoredToken>`
    select token.payload, token.consumed_at as "consumedAt",
      coalesce(app.last_used_at >= token.consumed_at, false) as "hasSuccessor"
    from auth.oauth_token token join auth.oauth_grant app on app.id = token.grant_id
    where token.token_hash = ${hashSecret(value)} and token.kind = ${kind} and token.expires_at > ${now}
  `;
  return token;
}

/**
 * Returns whether this call consumed the code: of concurrent calls exactly one. It is stored as long as its
 * grant, to recognise a replay.
 */
export async function consumeCode(em: EntityManager, value: string, now: Date): Promise<boolean> {
  const rows = await query(em)`update auth.oauth_token set consumed_at = ${now}, expires_at = 'infinity'
    where token_hash = ${hashSecret(value)} and consumed_at is null returning 1`;
  return rows.length === 1;
}

/** The owner of a refresh token, used or not. */
export async function findRefreshTokenOwner(
  em: EntityManager,
  value: string,
): Promise<{ grantId: string; clientId: string } | undefined> {
  const [owner] = await query(em)<{ grantId: string; clientId: string }>`
    select grant_id as "grantId", client_id as "clientId"
    from auth.oauth_token join auth.oauth_grant on oauth_grant.id = grant_id
    where token_hash = ${hashSecret(value)} and kind = 'refresh_token'`;
  return owner;
}

/** Revokes the access token; stored until its expiry. */
export async function insertRevokedAccessToken(
  em: EntityManager,
  { jti, accountId, expiresAt }: { jti: string; accountId: string; expiresAt: Date },
): Promise<void> {
  await query(em)`insert into auth.revoked_access_token (jti, account_id, expires_at)
    values (${jti}, ${accountId}, ${expiresAt}) on conflict (jti) do nothing`;
}

/** A pending authorization request; only the user's browser knows `uid`. */
export async function insertInteraction(
  em: EntityManager,
  uid: string,
  payload: string,
  expiresAt: Date,
): Promise<void> {
  await query(em)`insert into auth.oauth_interaction (uid_hash, payload, expires_at)
    values (${hashSecret(uid)}, ${payload}, ${expiresAt})`;
}

/** Returns whether it still existed. */
export async function updateInteraction(em: EntityManager, uid: string, payload: string): Promise<boolean> {
  const rows = await query(em)`update auth.oauth_interaction set payload = ${payload}
    where uid_hash = ${hashSecret(uid)} returning 1`;
  return rows.length === 1;
}

export async function findInteraction(
  em: EntityManager,
  uid: string,
  now: Date,
): Promise<string | undefined> {
  const [interaction] = await query(em)<{ payload: string }>`select payload from auth.oauth_interaction
    where uid_hash = ${hashSecret(uid)} and expires_at > ${now}`;
  return interaction?.payload;
}

/** Returns whether this call deleted it: of concurrent calls exactly one. */
export async function deleteInteraction(em: EntityManager, uid: string): Promise<boolean> {
  const rows = await query(em)`delete from auth.oauth_interaction
    where uid_hash = ${hashSecret(uid)} returning 1`;
  return rows.length === 1;
}
