import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpTexts } from '#shared/database/query-rows.ts';
import { isScope } from '#shared/scopes.ts';
import type { Account, Principal } from '../auth/principal.ts';

type RecordTexts = [
  accountId: string,
  plan: Account['plan'],
  timezone: string,
  status: Account['status'],
  credentialVersion: string,
  tokenId: string,
  tokenName: string,
  scopes: string,
  expiresAt: string | null,
  isRevoked: 't' | 'f',
];

/**
 * What is on record of a personal token or a connected app, its end included: who asks decides what that means.
 * `credentialVersion`: how often the account's password has changed.
 */
export type TokenRecord = {
  principal: Principal;
  expiresAt: Date | null;
  isRevoked: boolean;
  credentialVersion: number;
};

/** What a connected app's access token says of itself. */
export type AppToken = { accountId: string; grantId: string; clientId: string; jti: string };

const accountColumns =
  'account.account_id, account.plan, account.timezone, account.status, account.credential_version';
const personalTokens = `select ${accountColumns}, token.token_id, token.name, array_to_string(token.scopes, ' '),
    token.expires_at, token.revoked_at is not null
  from auth.api_token_access token join auth.account_access account on account.account_id = token.account_id`;
const connectedApps = `select ${accountColumns}, app.grant_id, app.client_name, array_to_string(app.scopes, ' '),
    app.expires_at, exists (select from auth.revoked_access_token_access revoked where revoked.jti = ?)
  from auth.oauth_grant_access app join auth.account_access account on account.account_id = app.account_id`;

export function findTokenByHash(em: EntityManager, hash: Buffer): Promise<TokenRecord | undefined> {
  return findRecord(em, `${personalTokens} where token.token_hash = ?`, [hash]);
}

export function findTokenById(
  em: EntityManager,
  accountId: string,
  tokenId: string,
): Promise<TokenRecord | undefined> {
  const sql = `${personalTokens} where token.account_id = ? and token.token_id = ?`;
  return findRecord(em, sql, [accountId, tokenId]);
}

/** The connected app behind an access token, and whether that very token was revoked. */
export function findConnectedApp(em: EntityManager, token: AppToken): Promise<TokenRecord | undefined> {
  const sql = `${connectedApps} where app.account_id = ? and app.grant_id = ? and app.client_id = ?`;
  return findRecord(em, sql, [token.jti, token.accountId, token.grantId, token.clientId]);
}

async function findRecord(
  em: EntityManager,
  sql: string,
  values: readonly unknown[],
): Promise<TokenRecord | undefined> {
  const [row] = await lookUpTexts<RecordTexts>(em, sql, values);
  return row && toTokenRecord(row);
}

function toTokenRecord(row: RecordTexts): TokenRecord {
  const [id, plan, timezone, status, credentialVersion, tokenId, tokenName, scopes, expiresAt, isRevoked] =
    row;
  return {
    principal: {
      account: { id, plan, timezone, status },
      tokenId,
      tokenName,
      scopes: scopes.split(' ').filter(isScope),
    },
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    isRevoked: isRevoked === 't',
    credentialVersion: Number(credentialVersion),
  };
}
