import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { tokenPath } from '#auth-server/oauth/oauth-paths.ts';
import { signAccessToken } from '#auth-server/token-exchange/access-token-signer.ts';
import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { type ConnectedApp, connectApp } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { type Bench, serviceBaseUrl, type World } from './bench.ts';
import type { Client } from './clients.ts';
import { encodeRequest, type RequestSource } from './load.ts';
import type { ServerProcess } from './server-process.ts';
import { withConnection } from './stores.ts';

/** All clients of the bench call from one address: the limits count, and refuse nobody. */
const limits = {
  REGISTRATIONS_PER_ADDRESS_PER_HOUR: '1000000',
  TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE: '1000000',
  PAGES_PER_ADDRESS_PER_MINUTE: '1000000',
};

export function startAuthServer(bench: Bench, databaseUrl: string): Promise<ServerProcess> {
  return bench.startService({ service: 'auth-server', databaseUrl, isPublic: true, environment: limits });
}

/** Connects an app by a whole flow, in a browser that is signed in to a new account. */
export async function openConnector(
  databaseUrl: string,
  { port }: ServerProcess,
): Promise<() => Promise<ConnectedApp>> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const password = 'correct horse battery staple';
  const { email } = await withConnection(databaseUrl, ({ sql }) =>
    createTestAccounts(sql).createAccount({ password }),
  );
  const browser = createPageBrowser(baseUrl);
  await browser.signIn({ email, password });
  const endpoints = createOAuthEndpoints(baseUrl);
  return () => connectApp({ endpoints, browser });
}

/** An app that refreshes again and again, each time with the refresh token of the response before. */
export function refreshSource(app: { clientId: string; refreshToken: string }): RequestSource {
  let { refreshToken } = app;
  return {
    next() {
      const parameters = {
        grant_type: 'refresh_token',
        client_id: app.clientId,
        refresh_token: refreshToken,
      };
      return encodeRequest({
        method: 'POST',
        path: tokenPath,
        body: String(new URLSearchParams(parameters)),
      });
    },
    hear(body) {
      const answer: { refresh_token: string } = JSON.parse(String(body));
      refreshToken = answer.refresh_token;
    },
  };
}

/** 16 apps of one account, each to refresh over a connection of its own. */
export async function connectRefreshSources(
  databaseUrl: string,
  service: ServerProcess,
): Promise<RequestSource[]> {
  const connect = await openConnector(databaseUrl, service);
  const sources: RequestSource[] = [];
  for (let count = 0; count < 16; count += 1) {
    const { clientId, tokens } = await connect();
    sources.push(refreshSource({ clientId, refreshToken: tokens.refresh_token }));
  }
  return sources;
}

const lifetimeSeconds = 86_400;

/**
 * A JWT for each client, as auth-server issues them for personal tokens, signed with a key that is published
 * beside its own: how they are issued is not measured.
 */
export async function issueAccessTokens(
  { databaseUrl }: World,
  clients: readonly Client[],
): Promise<string[]> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = randomUUID();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' };
  await withConnection(
    databaseUrl,
    ({ sql }) => sql`insert into auth.signing_key
      (key_id, state, public_jwk, token_lifetime_seconds, created_at, current_since, retired_at)
      values (${keyId}, 'retired', ${JSON.stringify(jwk)}, ${lifetimeSeconds}, now(), now(), now())`,
  );
  const signingKeys = { current: async () => ({ keyId, privateKey }) };
  const signer = { config: { baseUrl: serviceBaseUrl }, signingKeys };
  const issuedAt = Math.floor(Date.now() / 1_000);
  const lifetime = { issuedAt, expiresAt: issuedAt + lifetimeSeconds - 60 };
  return Promise.all(
    clients.map(({ accountId, tokenId }) => {
      const claims = { accountId, clientId: personalTokenClientId, grantId: tokenId, credentialVersion: 1 };
      return signAccessToken(signer, { ...claims, scopes: ['read', 'write'] }, lifetime);
    }),
  );
}
