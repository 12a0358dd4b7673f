import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { answerOf, authenticationAnswers } from '../matrix/problem-answer.ts';
import { createTokenIssuer } from './token-issuer.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);

const issuer = await createTokenIssuer(stack);

test.after.always(() => stack.close());

/** A second request is answered from what the first one made known. */
async function useTwice(client: ApiClient): Promise<number[]> {
  return [(await client.get('/me')).status, (await client.get('/me')).status];
}

async function isRefused({ baseUrl }: Stack, client: ApiClient): Promise<boolean> {
  const { refused } = authenticationAnswers(baseUrl);
  return JSON.stringify(answerOf(await client.get('/me'))) === JSON.stringify(refused);
}

async function connectAndUse(claims: Record<string, unknown> = {}) {
  const app = await issuer.connectApp(await stack.createAccount());
  const token = await issuer.issue(app, { claims });
  const client = stack.client(token);
  return { app, token, client, statuses: await useTwice(client) };
}

test('a cached token is refused at the next request after its revocation, its siblings are not', async (t) => {
  const jti = randomUUID();
  const { app, client, statuses } = await connectAndUse({ jti });
  const sibling = stack.client(await issuer.issue(app));
  t.deepEqual([...statuses, ...(await useTwice(sibling))], [200, 200, 200, 200]);
  await stack.sql`insert into auth.revoked_access_token (jti, expires_at) values (${jti}, now() + interval '1 hour')`;
  await stack.announceChange(app.accountId);
  t.true(await isRefused(stack, client));
  t.is((await sibling.get('/me')).status, 200);
});

test('a token that differs from a cached one in its signature alone is refused', async (t) => {
  const { token, statuses } = await connectAndUse();
  t.deepEqual(statuses, [200, 200]);
  t.true(await isRefused(stack, stack.client(token.replace(/[^.]+$/, 'A'.repeat(86)))));
});

test('a cached token is refused once its key is no longer published', async (t) => {
  const { keyId, connectApp, issue } = await createTokenIssuer(stack);
  const app = await connectApp(await stack.createAccount());
  const client = stack.client(await issue(app));
  t.true(await waitFor(async () => (await client.get('/me')).status === 200, { what: 'the key' }));
  await stack.sql`delete from auth.signing_key where key_id = ${keyId}`;
  // An unknown key is looked for at most once a second.
  const other = stack.client(await issue(app, { header: { kid: randomUUID() } }));
  const isGone = async () => (await isRefused(stack, other)) && (await isRefused(stack, client));
  t.true(await waitFor(isGone, { what: 'the end of the key' }));
});

test('narrowing a grant narrows a cached token', async (t) => {
  const { app, client, statuses } = await connectAndUse();
  t.deepEqual(statuses, [200, 200]);
  await stack.sql`update auth.oauth_grant set scopes = '{write}' where id = ${app.grantId}`;
  await stack.announceChange(app.accountId);
  t.is((await client.get('/me')).status, 403);
  t.is((await client.post('/tasks', { title: 'x' })).status, 201);
});

test('a cached token is refused once it has expired, or the app’s connection', async (t) => {
  const own = await startStack(t, { now: '2026-11-16T12:00:00Z' });
  const { issue, connectApp } = await createTokenIssuer(own);
  const account = await own.createAccount();
  const expiresAt = new Date('2026-11-16T12:01:00Z');
  const client = own.client(await issue(await connectApp(account)));
  const short = own.client(await issue(await connectApp(account, { expiresAt })));
  for (const each of [client, short]) t.deepEqual(await useTwice(each), [200, 200]);
  own.clock.advance(60_000);
  t.true(await isRefused(own, short));
  own.clock.advance(544_999);
  t.is((await client.get('/me')).status, 200);
  own.clock.advance(1);
  t.true(await isRefused(own, client));
});
