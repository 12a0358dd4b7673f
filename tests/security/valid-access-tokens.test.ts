import test from 'ava';
import { decodeJwt } from 'jose';
import { type Answer, answerOf, authenticationAnswers } from '#tests/api/matrix/problem-answer.ts';
import { createTokenIssuer } from '#tests/api/oauth-tokens/token-issuer.ts';
import { startStack } from '#tests/support/stack.ts';
import { validTokenOf, type Written, writeToken } from './written-token.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const now = '2026-11-16T12:00:00Z';
const stack = await startStack(undefined, { now });
const issuer = await createTokenIssuer(stack);
const valid = await validTokenOf(stack, issuer);
const { refused, outOfScope } = authenticationAnswers(stack.baseUrl);
test.after.always(() => stack.close());

const nowSeconds = Date.parse(now) / 1_000;
const { apiRoot, baseUrl } = stack;
const answerTo = async (token: string): Promise<Answer> => answerOf(await stack.client(token).get('/me'));
const reversed = (members: object) => JSON.stringify(Object.fromEntries(Object.entries(members).reverse()));

const headers: Record<string, Written> = {
  'as our issuer writes it': {},
  'with its members in another order': reversed(valid.header),
  'with its type in full (RFC 9068 §2.1)': { typ: 'application/at+jwt' },
  'with its type in capitals (RFC 2045 §5.1)': { typ: 'AT+JWT' },
  'with parameters nobody has to understand (RFC 7515 §4)': { x: 1, zip: 'DEF', cty: 'x', b64: true },
  'with alg given twice, the last ours (RFC 7515 §4)': `{"alg":"none",${JSON.stringify(valid.header).slice(1)}`,
};

const claims: Record<string, Written> = {
  'with an audience in a list of one (RFC 7519 §4.1.3)': { aud: [apiRoot] },
  'with our audience among others (RFC 7519 §4.1.3)': { aud: [baseUrl, apiRoot, 'https://other.example'] },
  'with claims nobody has to understand (RFC 7519 §4)': {
    x: { y: [null] },
    auth_time: 1,
    acr: '0',
    sid: 'é',
  },
  'with fractions of seconds (RFC 7519 §2)': { iat: nowSeconds - 0.5, exp: nowSeconds + 0.5 },
  'at the tolerated ends of its time': { iat: nowSeconds + 5, nbf: nowSeconds + 5 },
  'in the last second of the tolerance': { iat: nowSeconds - 604, exp: nowSeconds - 4 },
  'with its scopes in another order, one twice': { scope: 'write read write' },
  'with a scope nobody knows beside ours': { scope: 'openid read profile' },
  'with a member given twice, the last right (RFC 7519 §4)': `{"aud":"x","sub":7,${JSON.stringify(valid.claims).slice(1)}`,
};

for (const [what, header] of Object.entries(headers)) {
  test(`a token is accepted with a header ${what}`, async (t) => {
    t.deepEqual(await answerTo(writeToken(valid, { header })), { status: 200 });
  });
}

for (const [what, written] of Object.entries(claims)) {
  test(`a token is accepted ${what}`, async (t) => {
    t.deepEqual(await answerTo(writeToken(valid, { claims: written })), { status: 200 });
  });
}

test('a token grants what it says and its grant allows, and never more (RFC 9068 §4)', async (t) => {
  const account = await stack.createAccount();
  const reader = await issuer.connectApp(account, { scopes: ['read'] });
  const token = await issuer.issue(reader, { claims: { scope: 'read write admin *' } });
  t.is((await stack.client(token).get('/tasks')).status, 200);
  t.deepEqual(answerOf(await stack.client(token).post('/tasks', { title: 'x' })), outOfScope('write'));
  for (const scope of ['admin', 'READ', 'read,write', 'read\twrite', ' ', '*', 'readwrite', 'read_write']) {
    const odd = await issuer.issue(reader, { claims: { scope } });
    const { status } = await answerTo(odd);
    t.true(status === 403 || status === 401, `${scope}: ${status}`);
  }
});

/*
 * ECDSA has two signatures for everything that was signed, and whoever has one can write down the other (SEC 1 §4.1.4
 * accepts both). So a token is never known by its text: what is revoked is its id.
 */
test('a token in the other spelling of its signature is the same token, and falls with it', async (t) => {
  const token = writeToken(valid, {});
  const end = token.lastIndexOf('.') + 1;
  const signature = Buffer.from(token.slice(end), 'base64url');
  const twins = [token, token.slice(0, end) + mirrored(signature).toString('base64url')];
  for (const twin of twins) t.deepEqual(await answerTo(twin), { status: 200 }, twin);
  await stack.sql`insert into auth.revoked_access_token (jti, expires_at)
    values (${String(decodeJwt(token).jti)}, ${new Date(nowSeconds * 1_000 + 600_000)})`;
  for (const twin of twins) t.deepEqual(await answerTo(twin), refused, twin);
});

/** The order of P-256 (SP 800-186 §3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The other of the two signatures that fit: the same r, and the order less s. */
function mirrored(signature: Buffer): Buffer {
  const s = order - BigInt(`0x${signature.subarray(32).toString('hex')}`);
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
}
