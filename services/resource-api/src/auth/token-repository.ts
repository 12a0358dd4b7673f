import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpRows } from '#shared/database/query-rows.ts';
import { isScope } from '#shared/scopes.ts';
import type { Account, Principal } from './principal.ts';

/** A personal token or a connected app as it is stored, revoked and expired ones too. */
export type TokenRecord = {
  principal: Principal;
  expiresAt: Date | null;
  isRevoked: boolean;
  /** How often the account's password has changed. */
  credentialVersion: number;
};

/** What a connected app's access token claims. */
export type AppToken = { accountId: string; grantId: string; clientId: string; jti: string };

type TokenRow = {
  account_id: string;
  plan: Account['plan'];
  timezone: string;
  status: Account['status'];
  credential_version: number;
  token_id: string;
  name: string;
  scopes: string[];
  expires_at: string | null;
  is_revoked: boolean;
};

const accountColumns =
  'account.account_id, account.plan, account.timezone, account.status, account.credential_version';

const selectToken = `select ${accountColumns}, token.token_id, token.name, token.scopes, token.expires_at,
    token.revoked_at is not null as is_revoked
  from auth.api_token_access token join auth.account_access account on account.account_id = token.account_id`;

const selectApp = `select ${accountColumns}, app.grant_id as token_id, app.client_name as name, app.scopes, app.expires_at,
    exists (select from auth.revoked_access_token_access revoked where revoked.jti = ?) as is_revoked
  from auth.oauth_grant_access app join auth.account_access account on account.account_id = app.account_id`;

export function findTokenByHash(em: EntityManager, hash: Buffer): Promise<TokenRecord | undefined> {
  return findRecord(em, `${selectToken} where token.token_hash = ?`, [hash]);
}

export function findTokenById(
  em: EntityManager,
  { accountId, grantId: tokenId }: Pick<AppToken, 'accountId' | 'grantId'>,
): Promise<TokenRecord | undefined> {
  const sql = `${selectToken} where token.account_id = ? and token.token_id = ?`;
  return findRecord(em, sql, [accountId, tokenId]);
}

/** The connected app behind an access token, and whether that very token was revoked. */
export function findConnectedApp(
  em: EntityManager,
  { jti, accountId, grantId, clientId }: AppToken,
): Promise<TokenRecord | undefined> {
  const sql = `${selectApp} where app.account_id = ? and app.grant_id = ? and app.client_id = ?`;
  return findRecord(em, sql, [jti, accountId, grantId, clientId]);
}

async function findRecord(
  em: EntityManager,
  sql: string,
  values: readonly unknown[],
): Promise<TokenRecord | undefined> {
  const [row] = await lookUpRows<TokenRow>(em, sql, values);
  if (row === undefined) return undefined;
  const { account_id: id, plan, timezone, status } = row;
  return {
    principal: {
      account: { id, plan, timezone, status },
      tokenId: row.token_id,
      tokenName: row.name,
      scopes: row.scopes.filter(isScope),
    },
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    isRevoked: row.is_revoked,
    credentialVersion: row.credential_version,
  };
}
