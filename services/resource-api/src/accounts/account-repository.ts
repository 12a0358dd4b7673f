import type { EntityManager } from '@mikro-orm/postgresql';
import { isScope } from '#shared/scopes.ts';
import type { Account, Principal } from '../auth/principal.ts';

type AccountRow = { account_id: string; plan: Account['plan']; timezone: string; status: Account['status'] };
type TokenRow = AccountRow & {
  token_id: string;
  name: string;
  scopes: string[];
  expires_at: string | null;
  revoked_at: string | null;
};

/** A token as it is on record, its end included: who asks decides what an ended token means. */
export type TokenRecord = { principal: Principal; expiresAt: Date | null; isRevoked: boolean };

const tokenColumns = `token.token_id, token.name, token.scopes, token.expires_at, token.revoked_at,
  account.account_id, account.plan, account.timezone, account.status`;
const tokenSource = `auth.api_token_access token
  join auth.account_access account on account.account_id = token.account_id`;

export async function findTokenByHash(em: EntityManager, hash: Buffer): Promise<TokenRecord | undefined> {
  const sql = `select ${tokenColumns} from ${tokenSource} where token.token_hash = ?`;
  const [row] = await em.execute<TokenRow[]>(sql, [hash]);
  return row && toTokenRecord(row);
}

export async function findTokenById(
  em: EntityManager,
  accountId: string,
  tokenId: string,
): Promise<TokenRecord | undefined> {
  const sql = `select ${tokenColumns} from ${tokenSource} where token.account_id = ? and token.token_id = ?`;
  const [row] = await em.execute<TokenRow[]>(sql, [accountId, tokenId]);
  return row && toTokenRecord(row);
}

function toTokenRecord(row: TokenRow): TokenRecord {
  const account = { id: row.account_id, plan: row.plan, timezone: row.timezone, status: row.status };
  const principal = {
    account,
    tokenId: row.token_id,
    tokenName: row.name,
    scopes: row.scopes.filter(isScope),
  };
  return {
    principal,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    isRevoked: row.revoked_at !== null,
  };
}
