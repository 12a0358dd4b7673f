import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createAccessTokenSigner } from '#auth-server/token-exchange/access-token-signer.ts';
import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import { serviceBaseUrl, type World } from './bench.ts';
import type { Client } from './clients.ts';
import { withConnection } from './stores.ts';

const lifetimeSeconds = 86_400;

/**
 * JWTs as auth-server issues them for personal tokens, `count` of them, taking the clients in turn. Signed here with a
 * key that is published beside auth-server's own: tens of thousands are needed, and how they are issued is not measured.
 */
export async function issueAccessTokens(
  { databaseUrl }: World,
  clients: readonly Client[],
  count: number,
): Promise<string[]> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = randomUUID();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' };
  // A retired key still verifies; auth-server takes no notice of it.
  await withConnection(
    databaseUrl,
    ({ sql }) => sql`insert into auth.signing_key
      (key_id, state, public_jwk, token_lifetime_seconds, created_at, current_since, retired_at)
      values (${keyId}, 'retired', ${JSON.stringify(jwk)}, ${lifetimeSeconds}, now(), now(), now())`,
  );
  const signer = createAccessTokenSigner(serviceBaseUrl, {
    current: async () => ({ keyId, privateKey }),
    published: async () => [],
    reload: async () => undefined,
  });
  const issuedAt = Math.floor(Date.now() / 1_000);
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const client = clients[index % clients.length];
    if (client === undefined) throw new Error('access tokens need clients');
    const claims = {
      accountId: client.accountId,
      clientId: personalTokenClientId,
      grantId: client.tokenId,
      scopes: ['read' as const, 'write' as const],
      credentialVersion: 1,
    };
    tokens.push(await signer.sign(claims, { issuedAt, expiresAt: issuedAt + lifetimeSeconds - 60 }));
  }
  return tokens;
}
