import { argon2Sync, randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '#shared/scopes.ts';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import { hashSecret } from '#shared/tokens/secret.ts';
import type { Sql } from './connect-sql.ts';

/** Argon2's minimum (RFC 9106 §3.1). */
const cost = { memory: 8, passes: 1, parallelism: 1 };

/** A hash at minimum cost: at the service's own cost, the passwords of all tests would take a minute. */
function cheapPasswordHash(password: string): string {
  const salt = randomBytes(16);
  const message = password.normalize('NFKC');
  const tag = argon2Sync('argon2id', { message, nonce: salt, tagLength: 32, ...cost });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
}

/** Base64 without padding, as the PHC string format has it. */
function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

export type AccountOptions = {
  plan?: 'free' | 'premium';
  timezone?: string;
  status?: 'active' | 'suspended';
  email?: string;
  /** Without it, nobody can sign in to the account. */
  password?: string;
};

export type TokenOptions = { name?: string; scopes?: readonly Scope[]; expiresAt?: Date | null };

export type TestAccount = { accountId: string; email: string };

export type TestToken = { accountId: string; tokenId: string; secret: string };

export type TestAccounts = {
  createAccount(options?: AccountOptions): Promise<TestAccount>;
  createToken(account: TestAccount, options?: TokenOptions): Promise<TestToken>;
  revokeToken(token: TestToken): Promise<void>;
  setPlan(account: TestAccount, plan: 'free' | 'premium'): Promise<void>;
  setStatus(account: TestAccount, status: 'active' | 'suspended'): Promise<void>;
};

/**
 * Inserts rows as auth-server does, so that tests of the API need no sign-up. Calls `announce` after changes.
 */
export function createTestAccounts(
  sql: Sql,
  announce: (accountId: string) => Promise<void> = async () => undefined,
): TestAccounts {
  return {
    async createAccount(options = {}) {
      const { plan = 'free', timezone = 'UTC', status = 'active' } = options;
      const accountId = randomUUID();
      const email = options.email ?? `${accountId}@example.com`;
      const passwordHash = options.password === undefined ? 'none' : cheapPasswordHash(options.password);
      await sql`insert into auth.account
        (id, email, email_folded, password_hash, plan, timezone, status, created_at, updated_at)
        values (${accountId}, ${email}, ${email.toLowerCase()}, ${passwordHash}, ${plan},
          ${timezone}, ${status}, now(), now())`;
      return { accountId, email };
    },
    async createToken({ accountId }, options = {}) {
      const { name = 'Test token', scopes = ['read', 'write'], expiresAt = null } = options;
      const tokenId = randomUUID();
      const secret = mintApiToken();
      await sql`insert into auth.api_token
        (id, account_id, name, scopes, token_hash, last_four, expires_at, created_at)
        values (${tokenId}, ${accountId}, ${name}, string_to_array(${scopes.join(',')}, ','),
          ${hashSecret(secret)}, ${secret.slice(-4)}, ${expiresAt}, now())`;
      return { accountId, tokenId, secret };
    },
    async revokeToken({ tokenId, accountId }) {
      await sql`update auth.api_token set revoked_at = now() where id = ${tokenId}`;
      await announce(accountId);
    },
    async setPlan({ accountId }, plan) {
      await sql`update auth.account set plan = ${plan} where id = ${accountId}`;
      await announce(accountId);
    },
    async setStatus({ accountId }, status) {
      await sql`update auth.account set status = ${status} where id = ${accountId}`;
      await announce(accountId);
    },
  };
}
