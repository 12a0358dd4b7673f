import test from 'ava';
import type { CryptoKey } from 'jose';
import type { VerifiedAccessToken } from '#resource-api/auth/access-token-verifier.ts';
import { cacheVerifiedTokens } from '#resource-api/auth/verified-token-cache.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const startSeconds = Date.parse('2026-11-16T12:00:00Z') / 1_000;
const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
  'sign',
  'verify',
]);

/** A cache over a check that accepts every token but «bad» and counts what it was asked. */
function setUp(options: { capacity?: number } = {}) {
  const clock = createTestClock();
  clock.set('2026-11-16T12:00:00Z');
  const published = new Map<string, CryptoKey>([['key', publicKey]]);
  const checked: string[] = [];
  const verifier = {
    async verify(token: string): Promise<VerifiedAccessToken | undefined> {
      checked.push(token);
      if (token === 'bad' || !published.has('key')) return undefined;
      return {
        accountId: 'account',
        clientId: 'client',
        grantId: 'grant',
        scopes: ['read'],
        credentialVersion: undefined,
        jti: `id of ${token}`,
        keyId: 'key',
        expiresAtSeconds: startSeconds + 600,
      };
    },
  };
  const keys = { find: async (keyId: string) => published.get(keyId) };
  const cache = cacheVerifiedTokens({ verifier, keys, clock, ...options });
  const countChecks = async (...tokens: string[]): Promise<number> => {
    const before = checked.length;
    for (const token of tokens) await cache.verify(token);
    return checked.length - before;
  };
  return { cache, clock, published, countChecks };
}

test('a token is checked once, and answered alike every time', async (t) => {
  const { cache, countChecks } = setUp();
  const first = await cache.verify('one');
  t.is(first?.jti, 'id of one');
  t.deepEqual(await cache.verify('one'), first);
  t.is(await countChecks('one', 'one', 'one'), 0);
  t.is((await cache.verify('two'))?.jti, 'id of two');
});

test('a token that failed is checked again every time', async (t) => {
  const { cache, countChecks } = setUp();
  t.is(await cache.verify('bad'), undefined);
  t.is(await countChecks('bad', 'bad'), 2);
});

test('a token is known until 5 seconds after its end, and not a moment longer', async (t) => {
  const { clock, countChecks } = setUp();
  await countChecks('one');
  clock.advance(604_999);
  t.is(await countChecks('one'), 0);
  clock.advance(1);
  t.is(await countChecks('one'), 1);
});

test('a token is no longer known when its key is not published any more', async (t) => {
  const { cache, published, countChecks } = setUp();
  await countChecks('one');
  published.clear();
  t.is(await cache.verify('one'), undefined);
  t.is(await countChecks('one'), 1);
});

test('a token that is used stays, the one that was not used for longest goes', async (t) => {
  const { countChecks } = setUp({ capacity: 2 });
  await countChecks('one', 'two', 'one', 'three');
  t.is(await countChecks('one'), 0);
  t.is(await countChecks('two'), 1);
});
