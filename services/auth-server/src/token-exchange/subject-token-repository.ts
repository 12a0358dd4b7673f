import type { EntityManager } from '@mikro-orm/postgresql';
import type { Scope } from '#shared/scopes.ts';
import { query } from '../database/query.ts';

/** A personal token, revoked and expired ones included, with its account's credential version. */
export type SubjectTokenRecord = {
  id: string;
  accountId: string;
  scopes: Scope[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  credentialVersion: number;
};

/** One statement: token and version are of one snapshot. */
export async function findSubjectTokenByHash(
  em: EntityManager,
  tokenHash: Buffer,
): Promise<SubjectTokenRecord | undefined> {
  const [token] = await query(em)<SubjectTokenRecord>`
    select token.id, token.account_id as "accountId", token.scopes, token.expires_at as "expiresAt",
       token.revoked_at as "revokedAt", account.credential_version as "credentialVersion"
     from auth.api_token token join auth.account account on account.id = token.account_id
     where token.token_hash = ${tokenHash}`;
  return token;
}
