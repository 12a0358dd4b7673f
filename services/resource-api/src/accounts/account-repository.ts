import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpTexts } from '#shared/database/query-rows.ts';
import { isScope } from '#shared/scopes.ts';
import type { Account, Principal } from '../auth/principal.ts';
import { readSettledChanges, settledChangesOf } from '../sync/account-feed.ts';

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
  lastChangedAt: string | null,
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

type Table = { columns: string; from: string };

const accountColumns =
  'account.account_id, account.plan, account.timezone, account.status, account.credential_version';
const personalTokens: Table = {
  columns: `${accountColumns}, token.token_id, token.name, array_to_string(token.scopes, ' '), token.expires_at,
    token.revoked_at is not null`,
  from: 'auth.api_token_access token join auth.account_access account on account.account_id = token.account_id',
};
const connectedApps: Table = {
  columns: `${accountColumns}, app.grant_id, app.client_name, array_to_string(app.scopes, ' '), app.expires_at,
    exists (select from auth.revoked_access_token_access revoked where revoked.jti = ?)`,
  from: 'auth.oauth_grant_access app join auth.account_access account on account.account_id = app.account_id',
};

type LookUp = Record<'atOnce' | 'afterWrites', string>;

const tokenByHash = lookUpIn(personalTokens, 'token.token_hash = ?');
const tokenById = lookUpIn(personalTokens, 'token.account_id = ? and token.token_id = ?');
const appById = lookUpIn(connectedApps, 'app.account_id = ? and app.grant_id = ? and app.client_id = ?');

function lookUpIn({ columns, from }: Table, condition: string): LookUp {
  const selecting = (lastChangedAt: string) =>
    `select ${columns}, ${lastChangedAt} from ${from} where ${condition}`;
  return { atOnce: selecting('null'), afterWrites: selecting(settledChangesOf('account.account_id')) };
}

/** All of them with `awaitsWrites` after the writes of the account that are under way; see `waitForWrites`. */
export function findTokenByHash(
  em: EntityManager,
  hash: Buffer,
  awaitsWrites: boolean,
): Promise<TokenRecord | undefined> {
  return findRecord(em, tokenByHash, [hash], awaitsWrites);
}

export function findTokenById(
  em: EntityManager,
  { accountId, grantId: tokenId }: Pick<AppToken, 'accountId' | 'grantId'>,
  awaitsWrites: boolean,
): Promise<TokenRecord | undefined> {
  return findRecord(em, tokenById, [accountId, tokenId], awaitsWrites);
}

/** The connected app behind an access token, and whether that very token was revoked. */
export function findConnectedApp(
  em: EntityManager,
  { jti, accountId, grantId, clientId }: AppToken,
  awaitsWrites: boolean,
): Promise<TokenRecord | undefined> {
  return findRecord(em, appById, [jti, accountId, grantId, clientId], awaitsWrites);
}

async function findRecord(
  em: EntityManager,
  { atOnce, afterWrites }: LookUp,
  values: readonly unknown[],
  awaitsWrites: boolean,
): Promise<TokenRecord | undefined> {
  const [row] = await lookUpTexts<RecordTexts>(em, awaitsWrites ? afterWrites : atOnce, values);
  if (row === undefined) return undefined;
  const record = toTokenRecord(row);
  if (awaitsWrites) record.principal.settledChanges = readSettledChanges(row[10]);
  return record;
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
