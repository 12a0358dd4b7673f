import test from 'ava';
import { type CryptoKey, generateKeyPair, SignJWT } from 'jose';
import { createAccessTokenVerifier } from '#resource-api/auth/access-token-verifier.ts';
import {
  accessTokenAlgorithm,
  accessTokenType,
  writeAccessTokenClaims,
} from '#shared/tokens/access-token-claims.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const baseUrl = 'https://tasks.example.com';
const start = '2026-11-16T12:00:00Z';
const { publicKey, privateKey } = await generateKeyPair(accessTokenAlgorithm);

/** A verifier at a clock that the test sets, with keys that the test publishes, and a token of ten minutes. */
async function setUp() {
  const clock = createTestClock();
  clock.set(start);
  const published = new Map<string, CryptoKey>([['key', publicKey]]);
  const keys = { find: async (keyId: string) => published.get(keyId) };
  const verifier = createAccessTokenVerifier({ baseUrl, clock, keys });
  const issuedAt = Date.parse(start) / 1_000;
  const claims = writeAccessTokenClaims({
    accountId: 'account',
    clientId: 'client',
    grantId: 'grant',
    scopes: ['read'],
    credentialVersion: undefined,
  });
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: accessTokenAlgorithm, typ: accessTokenType, kid: 'key' })
    .setIssuer(baseUrl)
    .setAudience(`${baseUrl}/api/public/v1`)
    .setSubject('account')
    .setJti('the token')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 600)
    .sign(privateKey);
  return {
    clock,
    published,
    token,
    idOf: async (text = token) => (await verifier.verify({ token: text, digest: text }))?.jti,
  };
}

test('a verified token is accepted until 5 seconds after it expired, and not a moment longer', async (t) => {
  const { clock, idOf } = await setUp();
  t.is(await idOf(), 'the token');
  clock.advance(604_999);
  t.is(await idOf(), 'the token');
  clock.advance(1);
  t.is(await idOf(), undefined);
});

test('a verified token is refused as soon as its key is no longer published', async (t) => {
  const { published, idOf } = await setUp();
  t.is(await idOf(), 'the token');
  published.clear();
  t.is(await idOf(), undefined);
});

test('a token that differs from a verified one is refused', async (t) => {
  const { token, idOf } = await setUp();
  t.is(await idOf(), 'the token');
  t.is(await idOf(`${token}A`), undefined);
  t.is(await idOf(token.replace(/\.[^.]+$/, `.${'A'.repeat(86)}`)), undefined);
});
