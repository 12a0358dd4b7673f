import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import type { Scope } from '#shared/scopes.ts';
import { nowOf, type Stack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';

export type ConnectedApp = { accountId: string; grantId: string; clientId: string };
type AppOptions = {
  name?: string;
  clientId?: string;
  scopes?: readonly Scope[];
  expiresAt?: Date;
};

/** A member that is undefined is left out of the token. */
type TokenChanges = {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: KeyObject | Uint8Array;
};

export type TokenIssuer = {
  keyId: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
  /** A grant as a redeemed code leaves it. */
  connectApp(account: TestAccount, options?: AppOptions): Promise<ConnectedApp>;
  /** An access token of the app, as the OAuth endpoints issue it. */
  issue(app: ConnectedApp, changes?: TokenChanges): Promise<string>;
  disconnect(app: ConnectedApp): Promise<void>;
};

const day = 86_400_000;

/** Issues access tokens without auth-server: with a key of its own, which it publishes. */
export async function createTokenIssuer(stack: Stack): Promise<TokenIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = randomUUID();
  const { sql, baseUrl, apiRoot } = stack;
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' };
  // Retired just now: such keys are still published, and there may be any number of them.
  await sql`insert into auth.signing_key
    (key_id, state, public_jwk, token_lifetime_seconds, created_at, current_since, retired_at)
    values (${keyId}, 'retired', ${JSON.stringify(publicJwk)}::jsonb, 86400, now(), now(), now())`;

  return {
    keyId,
    publicKey,
    privateKey,
    async connectApp({ accountId }, options = {}) {
      const grantId = randomUUID();
      const { name = 'Test app', clientId = `app_${grantId}`, scopes = ['read', 'write'] } = options;
      const expiresAt = options.expiresAt ?? new Date(nowOf(stack).getTime() + 365 * day);
      await sql`insert into auth.oauth_grant
        (id, account_id, client_id, client_name, scopes, created_at, last_used_at, expires_at)
        values (${grantId}, ${accountId}, ${clientId}, ${name}, string_to_array(${scopes.join(',')}, ','),
          ${nowOf(stack)}, ${nowOf(stack)}, ${expiresAt})`;
      return { accountId, grantId, clientId };
    },
    issue({ accountId, grantId, clientId }, { claims = {}, header = {}, key = privateKey } = {}) {
      const issuedAt = Math.floor(nowOf(stack).getTime() / 1_000);
      const payload = {
        iss: baseUrl,
        aud: apiRoot,
        sub: accountId,
        client_id: clientId,
        grant_id: grantId,
        scope: 'read write',
        jti: randomUUID(),
        iat: issuedAt,
        exp: issuedAt + 600,
        ...claims,
      };
      const protectedHeader = { alg: 'ES256', typ: 'at+jwt', kid: keyId, ...header };
      return new SignJWT(payload).setProtectedHeader(protectedHeader as JWTHeaderParameters).sign(key);
    },
    async disconnect({ accountId, grantId }) {
      await sql`delete from auth.oauth_grant where id = ${grantId}`;
      await stack.announceChange(accountId);
    },
  };
}
