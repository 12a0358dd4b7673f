import { createSecretKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { answerOf, authenticationAnswers } from '../matrix/problem-answer.ts';
import { type ConnectedApp, createTokenIssuer, type TokenChanges } from './token-issuer.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { now: '2026-11-16T12:00:00Z' });
const issuer = await createTokenIssuer(stack);
test.after.always(() => stack.close());
const { refused } = authenticationAnswers(stack.baseUrl);
const nowSeconds = Date.parse('2026-11-16T12:00:00Z') / 1_000;

const someKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const publicPem = issuer.publicKey.export({ type: 'spki', format: 'pem' });
/** RFC 8725 §2.1: a verifier that lets the token choose would take the public key for a shared secret. */
const publicKeyAsSecret = createSecretKey(Buffer.from(publicPem));

/** Each names the paragraph that a token of this kind breaks. */
const faults: Record<string, TokenChanges> = {
  'for the host instead of the API (RFC 9068 §4, aud)': { claims: { aud: stack.baseUrl } },
  'for a stranger (aud)': { claims: { aud: 'https://other.example/api/public/v1' } },
  'for no one (aud)': { claims: { aud: undefined } },
  'of another issuer (RFC 9068 §4, iss)': { claims: { iss: 'https://other.example' } },
  'of our issuer spelled otherwise (iss)': { claims: { iss: `${stack.baseUrl}/` } },
  'of no issuer (iss)': { claims: { iss: undefined } },
  'that is some other JWT (RFC 9068 §4, typ)': { header: { typ: 'JWT' } },
  'that does not say what it is (typ)': { header: { typ: undefined } },
  'that is an id token (typ)': { header: { typ: 'id_token+jwt' } },
  'signed with the public key as a secret (RFC 8725 §2.1)': {
    header: { alg: 'HS256' },
    key: publicKeyAsSecret,
  },
  'signed with another key under the name of ours': { key: someKey },
  'signed with a key that is not published': { header: { kid: randomUUID() }, key: someKey },
  'that does not name its key': { header: { kid: undefined } },
  'that has expired (RFC 9068 §4, exp)': { claims: { exp: nowSeconds - 5 } },
  'that never expires (exp)': { claims: { exp: undefined } },
  'that is not valid yet (RFC 7519 §4.1.5, nbf)': { claims: { nbf: nowSeconds + 6 } },
  'without a time of issue (RFC 9068 §2.2, iat)': { claims: { iat: undefined } },
  'without an id (RFC 9068 §2.2, jti)': { claims: { jti: undefined } },
  'whose id is no text (jti)': { claims: { jti: 7 } },
  'without a subject (RFC 9068 §2.2, sub)': { claims: { sub: undefined } },
  'whose subject is no account id (sub)': { claims: { sub: 'ada' } },
  'without a client (RFC 9068 §2.2, client_id)': { claims: { client_id: undefined } },
  'of another client than was granted (client_id)': { claims: { client_id: 'app_other' } },
  'that calls itself exchanged for a personal token (client_id)': { claims: { client_id: 'personal-token' } },
  'without a grant (grant_id)': { claims: { grant_id: undefined } },
  'of a grant that is not there (grant_id)': { claims: { grant_id: randomUUID() } },
  'whose grant is no id (grant_id)': { claims: { grant_id: "' or true --" } },
  'without a scope (scope)': { claims: { scope: undefined } },
  'whose scope is a list (scope)': { claims: { scope: ['read', 'write'] } },
};

async function connect(): Promise<ConnectedApp> {
  return issuer.connectApp(await stack.createAccount());
}

const answerTo = async (token: string) => answerOf(await stack.client(token).get('/me'));

for (const [what, changes] of Object.entries(faults)) {
  test(`an access token is refused ${what}`, async (t) => {
    const app = await connect();
    t.deepEqual(await answerTo(await issuer.issue(app, changes)), refused);
    t.deepEqual(await answerTo(await issuer.issue(app)), { status: 200 });
  });
}

test('an access token of the account of somebody else’s grant is refused (sub)', async (t) => {
  const [app, other] = [await connect(), await connect()];
  t.deepEqual(await answerTo(await issuer.issue({ ...app, accountId: other.accountId })), refused);
  t.deepEqual(await answerTo(await issuer.issue({ ...app, grantId: other.grantId })), refused);
  t.deepEqual(await answerTo(await issuer.issue({ ...app, clientId: other.clientId })), refused);
});

test('an app’s access token can’t stand on a personal token instead of a grant', async (t) => {
  const { account, token } = await stack.newClient();
  const app = { accountId: account.accountId, grantId: token.tokenId, clientId: 'app_own' };
  t.deepEqual(await answerTo(await issuer.issue(app)), refused);
});

test('an access token that was changed after it was signed is refused, before and after it was accepted', async (t) => {
  const app = await connect();
  const token = await issuer.issue(app, { claims: { scope: 'read' } });
  const [header, payload = '', signature] = token.split('.');
  const wider = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...wider, scope: 'read write' })).toString('base64url');
  t.deepEqual(await answerTo(`${header}.${forged}.${signature}`), refused);
  t.deepEqual(await answerTo(token), { status: 200 });
  t.deepEqual(await answerTo(`${header}.${forged}.${signature}`), refused);
  t.deepEqual(await answerTo(`${header}.${payload}.`), refused);
});

test('clocks may differ by 5 seconds, in both directions', async (t) => {
  const app = await connect();
  const served = [
    { exp: nowSeconds - 4, iat: nowSeconds - 604 },
    { iat: nowSeconds + 5, nbf: nowSeconds + 5 },
  ];
  for (const claims of served)
    t.deepEqual(await answerTo(await issuer.issue(app, { claims })), { status: 200 });
});

test('the API answers a refused app in words that tell what to do', async (t) => {
  const app = await connect();
  const client = stack.client(await issuer.issue(app));
  await issuer.disconnect(app);
  const { body } = await client.get('/me');
  t.is(body.message, 'The app was disconnected or its token was revoked.');
});
