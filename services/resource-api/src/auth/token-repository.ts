import type { Queryable } from '#shared/database/database.ts';
import { scopes } from '#shared/scopes.ts';
import type { Account, Principal, PrincipalKind } from './principal.ts';

/** A personal token, a connected app or a browser session as it is stored, revoked and expired ones too. */
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
  id: string;
  plan: Account['plan'];
  timezone: string;
  status: Account['status'];
  credentialVersion: number;
  kind: PrincipalKind;
  credentialId: string;
  tokenId: string;
  tokenName: string;
  scopes: string[];
  expiresAt: string | null;
  isRevoked: boolean;
};

const accountColumns = `account.account_id as id, account.plan, account.timezone, account.status,
    account.credential_version as "credentialVersion"`;

const selectToken = `select ${accountColumns}, 'token' as kind, token.token_id as "credentialId",
    token.token_id as "tokenId", token.name as "tokenName", token.scopes,
    token.expires_at as "expiresAt", token.revoked_at is not null as "isRevoked"
  from auth.api_token_access token join auth.account_access account on account.account_id = token.account_id`;

const selectApp = `select ${accountColumns}, 'app' as kind, app.grant_id as "credentialId",
    app.grant_id as "tokenId", app.client_name as "tokenName", app.scopes,
    app.expires_at as "expiresAt",
    exists (select from auth.revoked_access_token_access revoked where revoked.jti = $1) as "isRevoked"
  from auth.oauth_grant_access app join auth.account_access account on account.account_id = app.account_id`;

const selectSession = `select ${accountColumns}, 'browser' as kind, session.session_id as "credentialId",
    account.account_id as "tokenId", 'Web app' as "tokenName", '{${scopes.join(',')}}'::text[] as scopes,
    session.expires_at as "expiresAt", false as "isRevoked"
  from auth.session_access session join auth.account_access account on account.account_id = session.account_id`;

export function findTokenByHash(db: Queryable, hash: Buffer): Promise<TokenRecord | undefined> {
  return findRecord(db, 'find-token-by-hash', `${selectToken} where token.token_hash = $1`, [hash]);
}

export function findTokenById(
  db: Queryable,
  { accountId, grantId: tokenId }: Pick<AppToken, 'accountId' | 'grantId'>,
): Promise<TokenRecord | undefined> {
  const text = `${selectToken} where token.account_id = $1 and token.token_id = $2`;
  return findRecord(db, 'find-token-by-id', text, [accountId, tokenId]);
}

/** The connected app behind an access token, and whether that very token was revoked. */
export function findConnectedApp(
  db: Queryable,
  { jti, accountId, grantId, clientId }: AppToken,
): Promise<TokenRecord | undefined> {
  const text = `${selectApp} where app.account_id = $2 and app.grant_id = $3 and app.client_id = $4`;
  return findRecord(db, 'find-connected-app', text, [jti, accountId, grantId, clientId]);
}

/** The browser session behind an access token of the web app; none once the user has signed out. */
export function findBrowserSession(
  db: Queryable,
  { accountId, grantId: sessionId }: Pick<AppToken, 'accountId' | 'grantId'>,
): Promise<TokenRecord | undefined> {
  const text = `${selectSession} where session.account_id = $1 and session.session_id = $2`;
  return findRecord(db, 'find-browser-session', text, [accountId, sessionId]);
}

async function findRecord(
  db: Queryable,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<TokenRecord | undefined> {
  const { rows } = await db.query<TokenRow>({ name, text, values });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { id, plan, timezone, status, kind, credentialId, tokenId, tokenName, isRevoked } = row;
  return {
    principal: {
      account: { id, plan, timezone, status },
      kind,
      credentialId,
      tokenId,
      tokenName,
      // The catalogue's own strings, which all tokens share.
      scopes: scopes.filter((scope) => row.scopes.includes(scope)),
    },
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
    isRevoked,
    credentialVersion: row.credentialVersion,
  };
}
