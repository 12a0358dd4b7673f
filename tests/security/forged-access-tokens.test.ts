import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { type Answer, answerOf, authenticationAnswers } from '#tests/api/matrix/problem-answer.ts';
import { createTokenIssuer } from '#tests/api/oauth-tokens/token-issuer.ts';
import { startStack } from '#tests/support/stack.ts';
import { forgeriesOf } from './forgeries.ts';
import { signWith, validTokenOf, writeToken } from './written-token.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const now = '2026-11-16T12:00:00Z';
const stack = await startStack(undefined, { now });
const issuer = await createTokenIssuer(stack);
const valid = await validTokenOf(stack, issuer);
const { refused } = authenticationAnswers(stack.baseUrl);
test.after.always(() => stack.close());

const answerTo = async (token: string): Promise<Answer> => answerOf(await stack.client(token).get('/me'));

const { keyId, publicKey } = issuer;
const forgeries = forgeriesOf(valid, { ...stack, keyId, publicKey, nowSeconds: Date.parse(now) / 1_000 });

for (const [part, tokens] of Object.entries(forgeries)) {
  for (const [what, token] of Object.entries(tokens)) {
    test(`a token is refused for its ${part}: ${what}`, async (t) => {
      t.deepEqual(await answerTo(token), refused);
    });
  }
}

test('clocks may differ by 5 seconds, in both directions; the log tells of more', async (t) => {
  const nowSeconds = Date.parse(now) / 1_000;
  for (const claims of [
    { exp: nowSeconds - 4, iat: nowSeconds - 604 },
    { iat: nowSeconds + 5, nbf: nowSeconds + 5 },
  ])
    t.deepEqual(await answerTo(writeToken(valid, { claims })), { status: 200 });
  const ahead = { iat: nowSeconds + 60, exp: nowSeconds + 660 };
  t.deepEqual(await answerTo(writeToken(valid, { claims: ahead })), refused);
  t.true(stack.log.some(({ level, msg }) => level === 40 && String(msg).includes('auth-server is ahead')));
});

test.after(
  'what was refused was refused for its fault: without one the same token is accepted',
  async (t) => {
    t.deepEqual(await answerTo(writeToken(valid, {})), { status: 200 });
  },
);

test.after('no forged token was a failure of the service', (t) => {
  t.deepEqual(
    stack.log.filter(({ level }) => Number(level) >= 50),
    [],
  );
});

test('a token of a key that is published no more is refused', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = JSON.stringify({
    ...publicKey.export({ format: 'jwk' }),
    kid: 'gone',
    alg: 'ES256',
    use: 'sig',
  });
  await stack.sql`insert into auth.signing_key
    (key_id, state, public_jwk, token_lifetime_seconds, created_at, current_since, retired_at)
    values ('gone', 'retired', ${jwk}::jsonb, 600, now(), now(), now() - interval '11 minutes 1 second')`;
  const token = writeToken(valid, { header: { kid: 'gone' }, sign: signWith(privateKey) });
  t.deepEqual(await answerTo(token), refused);
});

test('a token of a megabyte is refused unread, and the next request gets a response', async (t) => {
  const token = writeToken(valid, { claims: { padding: 'x'.repeat(750_000) } });
  const outcome = await stack
    .client(token)
    .get('/me')
    .then(
      ({ status }) => status,
      () => 'cut off',
    );
  t.true([431, 'cut off'].includes(outcome), String(outcome));
  t.deepEqual(await answerTo(writeToken(valid, {})), { status: 200 });
});
