import test from 'ava';
import { answerOf, authenticationAnswers } from '#tests/api/matrix/problem-answer.ts';
import type { Identity } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import { type ConnectedApp, createTokenIssuer } from './token-issuer.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { now: '2026-11-16T12:00:00Z' });
const issuer = await createTokenIssuer(stack);
test.after.always(() => stack.close());
const { refused, outOfScope } = authenticationAnswers(stack.baseUrl);
const nowSeconds = Date.parse('2026-11-16T12:00:00Z') / 1_000;

test('/me returns the connected app instead of a personal token', async (t) => {
  const account = await stack.createAccount({ plan: 'premium', timezone: 'Europe/Berlin' });
  const app = await issuer.connectApp(account, { name: 'Assistant “7” <b>' });
  const { status, body } = await stack.client(await issuer.issue(app)).get<Identity>('/me');
  t.is(status, 200);
  t.deepEqual(body, {
    accountId: account.accountId,
    tokenId: app.grantId,
    tokenName: 'Assistant “7” <b>',
    scopes: ['read', 'write'],
    timezone: 'Europe/Berlin',
    plan: 'premium',
  });
});

test('an app whose client is a metadata document is served like any other', async (t) => {
  const clientId = 'https://client.example/oauth/metadata.json?v=1';
  const app = await issuer.connectApp(await stack.createAccount(), { clientId });
  t.is((await stack.client(await issuer.issue(app)).get('/me')).status, 200);
});

test('a token and a grant that have no scope in common allow nothing', async (t) => {
  const app = await issuer.connectApp(await stack.createAccount(), { scopes: ['write'] });
  const client = stack.client(await issuer.issue(app, { claims: { scope: 'read' } }));
  t.deepEqual(answerOf(await client.get('/me')), outOfScope('read'));
  t.deepEqual(answerOf(await client.post('/tasks', { title: 'x' })), outOfScope('write'));
});

test('unknown scopes are ignored', async (t) => {
  const app = await issuer.connectApp(await stack.createAccount());
  const client = stack.client(await issuer.issue(app, { claims: { scope: 'admin read readwrite' } }));
  t.deepEqual((await client.get<Identity>('/me')).body.scopes, ['read']);
});

async function connect(): Promise<ConnectedApp> {
  return issuer.connectApp(await stack.createAccount());
}

const answerTo = async (token: string) => answerOf(await stack.client(token).get('/me'));

test('an access token of the account of somebody else’s grant is refused (sub)', async (t) => {
  const [app, other] = [await connect(), await connect()];
  t.deepEqual(await answerTo(await issuer.issue({ ...app, accountId: other.accountId })), refused);
  t.deepEqual(await answerTo(await issuer.issue({ ...app, grantId: other.grantId })), refused);
  t.deepEqual(await answerTo(await issuer.issue({ ...app, clientId: other.clientId })), refused);
});

test('an app’s access token cannot refer to a personal token instead of a grant', async (t) => {
  const { account, token } = await stack.newClient();
  const app = { accountId: account.accountId, grantId: token.tokenId, clientId: 'app_own' };
  t.deepEqual(await answerTo(await issuer.issue(app)), refused);
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

test('the error of a refused app tells what to do', async (t) => {
  const app = await connect();
  const client = stack.client(await issuer.issue(app));
  await issuer.disconnect(app);
  const { body } = await client.get('/me');
  t.is(body.message, 'The app was disconnected or its token was revoked.');
});
