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

type SubjectTokenRow = Omit<SubjectTokenRecord, 'expiresAt' | 'revokedAt'> & {
  expiresAt: string | null;
  revokedAt: string | null;
};

/** One statement: token and version are of one snapshot. */
export async function findSubjectTokenByHash(
  em: EntityManager,
  tokenHash: Buffer,
): Promise<SubjectTokenRecord | undefined> {
  const [row] = await query(em)<SubjectTokenRow>`
    select token.id, token.account_id as "accountId", token.scopes, token.expires_at as "expiresAt",
       token.revoked_at as "revokedAt", account.credential_version as "credentialVersion"
     from auth.api_token token join auth.account account on account.id = token.account_id
     where token.token_hash = ${tokenHash}`;
  return row && { ...row, expiresAt: toDate(row.expiresAt), revokedAt: toDate(row.revokedAt) };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
