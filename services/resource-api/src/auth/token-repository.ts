import type { Queryable, Statement } from '#shared/database/database.ts';
import { knownScopes, scopes } from '#shared/scopes.ts';
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
type AppToken = { accountId: string; grantId: string; clientId: string; jti: string };

type TokenRow = {
  id: string;
  plan: Account['plan'];
  timezone: string;
  status: Account['status'];
  credentialVersion: number;
  credentialId: string;
  tokenName: string;
  scopes: string[];
  expiresAt: string | null;
  isRevoked: boolean;
};

const accountColumns = `account.account_id as id, account.plan, account.timezone, account.status,
    account.credential_version as "credentialVersion"`;

const selectToken = `select ${accountColumns}, token.token_id as "credentialId",
    token.name as "tokenName", token.scopes, token.expires_at as "expiresAt",
    token.revoked_at is not null as "isRevoked"
  from auth.api_token_access token join auth.account_access account on account.account_id = token.account_id`;

const selectApp = `select ${accountColumns}, app.grant_id as "credentialId",
    app.client_name as "tokenName", app.scopes, app.expires_at as "expiresAt",
    exists (select from auth.revoked_access_token_access revoked where revoked.jti = $1) as "isRevoked"
  from auth.oauth_grant_access app join auth.account_access account on account.account_id = app.account_id`;

const selectSession = `select ${accountColumns}, session.session_id as "credentialId",
    'Web app' as "tokenName", '{${scopes.join(',')}}'::text[] as scopes,
    session.expires_at as "expiresAt", false as "isRevoked"
  from auth.session_access session join auth.account_access account
    on account.account_id = session.account_id`;

export function findTokenByHash(db: Queryable, hash: Buffer): Promise<TokenRecord | undefined> {
  const text = `${selectToken} where token.token_hash = $1`;
  return findRecord(db, 'token', { name: 'find-token-by-hash', text, values: [hash] });
}

export function findTokenById(
  db: Queryable,
  { accountId, grantId: tokenId }: AppToken,
): Promise<TokenRecord | undefined> {
  const text = `${selectToken} where token.account_id = $1 and token.token_id = $2`;
  return findRecord(db, 'token', { name: 'find-token-by-id', text, values: [accountId, tokenId] });
}

/** The connected app behind an access token, and whether that very token was revoked. */
export function findConnectedApp(
  db: Queryable,
  { jti, accountId, grantId, clientId }: AppToken,
): Promise<TokenRecord | undefined> {
  const text = `${selectApp} where app.account_id = $2 and app.grant_id = $3 and app.client_id = $4`;
  const values = [jti, accountId, grantId, clientId];
  return findRecord(db, 'app', { name: 'find-connected-app', text, values });
}

/** The browser session behind an access token of the web app; none once the user has signed out. */
export function findBrowserSession(
  db: Queryable,
  { accountId, grantId: sessionId }: AppToken,
): Promise<TokenRecord | undefined> {
  const text = `${selectSession} where session.account_id = $1 and session.session_id = $2`;
  const values = [accountId, sessionId];
  return findRecord(db, 'browser', { name: 'find-browser-session', text, values });
}

/** Processes cache many records, so common values share strings. */
async function findRecord(
  db: Queryable,
  kind: PrincipalKind,
  statement: Statement,
): Promise<TokenRecord | undefined> {
  const { rows } = await db.query<TokenRow>(statement);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { id, plan, timezone, status, credentialId, tokenName, isRevoked } = row;
  return {
    principal: {
      account: { id, plan, timezone, status },
      kind,
      credentialId,
      tokenId: kind === 'browser' ? id : credentialId,
      tokenName,
      scopes: knownScopes(row.scopes),
    },
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
    isRevoked,
    credentialVersion: row.credentialVersion,
  };
}
