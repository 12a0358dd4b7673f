import test from 'ava';
import type { Identity, Problem } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps } from './web-app-client.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

test('the web app may call the public API, and is named by one id for all browsers of the account', async (t) => {
  const first = await webApps.open();
  const second = await webApps.open({ account: first.account });
  const identities = await Promise.all([first, second].map((browser) => browser.get<Identity>('/me')));
  const { accountId } = first.account;
  for (const { body } of identities) t.like(body, { accountId, scopes: ['read', 'write'] });
  t.is(identities[0]?.body.tokenId, identities[1]?.body.tokenId);
});

test('a browser repeats with its idempotency key what another browser of the account did', async (t) => {
  const first = await webApps.open();
  const second = await webApps.open({ account: first.account });
  const headers = { 'Idempotency-Key': 'one' };
  const created = await first.post('/tasks', { title: 'Once' }, { headers });
  await first.endSession();
  const repeated = await second.post('/tasks', { title: 'Once' }, { headers });
  t.deepEqual(repeated.body, created.body);
  t.is(repeated.headers.get('idempotency-replayed'), 'true');
});

test('a session that has ended is refused by the next request', async (t) => {
  const [ended, other] = [await webApps.open(), await webApps.open()];
  t.is((await ended.get('/me')).status, 200);
  await ended.endSession();
  const { status, body } = await ended.get<Problem>('/me');
  t.deepEqual([status, body.errorCode], [401, 'token_invalid']);
  t.is((await other.get('/me')).status, 200);
});

test('a session that has expired is refused', async (t) => {
  const browser = await webApps.open();
  await stack.sql`update auth.browser_session set expires_at = now() where id = ${browser.sessionId}`;
  t.is((await browser.get('/me')).status, 401);
});

test('a token of the web app for the session of another account is refused', async (t) => {
  const [victim, thief] = [await webApps.open(), await webApps.open()];
  const { accountId } = victim.account;
  const token = await webApps.issuer.issue({
    accountId,
    grantId: thief.sessionId,
    clientId: 'first-party-app',
  });
  t.is((await stack.client(token).get('/me')).status, 401);
});
