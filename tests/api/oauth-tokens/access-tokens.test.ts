import { randomUUID } from 'node:crypto';
import test from 'ava';
import { answerOf, authenticationAnswers } from '#tests/api/matrix/problem-answer.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Identity } from '#tests/support/api-types.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type ConnectedApp, createTokenIssuer } from './token-issuer.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const issuer = await createTokenIssuer(stack);
/** Where the clock stands still. */
const frozen = await startStack(undefined, { now: '2026-11-16T12:00:00Z' });
const frozenIssuer = await createTokenIssuer(frozen);
test.after.always(() => Promise.all([stack.close(), frozen.close()]));
const { refused } = authenticationAnswers(stack.baseUrl);

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

test('the error of a refused app tells what to do', async (t) => {
  const app = await connect();
  const client = stack.client(await issuer.issue(app));
  await issuer.disconnect(app);
  const { body } = await client.get('/me');
  t.is(body.message, 'The app was disconnected or its token was revoked.');
});

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

test('a cached token is refused right after its revocation, its siblings are not', async (t) => {
  const jti = randomUUID();
  const { app, client, statuses } = await connectAndUse({ jti });
  const sibling = stack.client(await issuer.issue(app));
  t.deepEqual([...statuses, ...(await useTwice(sibling))], [200, 200, 200, 200]);
  await stack.sql`insert into auth.revoked_access_token (jti, expires_at)
    values (${jti}, now() + interval '1 hour')`;
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

type Use = { token_id: string; last_used_at: string };

/** What auth-server shows of the account. */
async function usesOf({ sql }: Stack, accountId: string): Promise<Map<string, string>> {
  const rows = await sql<Use>`select token_id, last_used_at from tasks.token_last_use
    where account_id = ${accountId}`;
  return new Map(rows.map((row) => [row.token_id, new Date(row.last_used_at).toISOString()]));
}

function waitForUse(own: Stack, accountId: string, tokenId: string): Promise<string> {
  const what = 'the use to be recorded';
  return waitFor(async () => (await usesOf(own, accountId)).get(tokenId), { what });
}

test('the last use of a personal token and of a connected app is on record', async (t) => {
  const { account, token, get } = await frozen.newClient();
  const { accountId } = account;
  const unused = await frozen.createToken(account);
  const app = await frozenIssuer.connectApp(account);
  await get('/me');
  await frozen.client(await frozenIssuer.issue(app)).post('/tasks', { title: 'x' });
  t.is(await waitForUse(frozen, accountId, token.tokenId), '2026-11-16T12:00:00.000Z');
  t.is(await waitForUse(frozen, accountId, app.grantId), '2026-11-16T12:00:00.000Z');
  t.false((await usesOf(frozen, accountId)).has(unused.tokenId));
});

test('a refused request counts as a use; one without a valid token does not', async (t) => {
  const account = await frozen.createAccount();
  const [reader, expired] = [
    await frozen.createToken(account, { scopes: ['read'] }),
    await frozen.createToken(account, { expiresAt: new Date('2026-11-16T11:59:59Z') }),
  ];
  t.is((await frozen.client(expired).get('/me')).status, 401);
  t.is((await frozen.client(reader).post('/tasks', { title: 'x' })).status, 403);
  await waitForUse(frozen, account.accountId, reader.tokenId);
  t.deepEqual([...(await usesOf(frozen, account.accountId)).keys()], [reader.tokenId]);
});

test('what is left to record is recorded when the service ends', async (t) => {
  const own = await startStack(undefined, { now: '2026-11-16T12:00:00Z' });
  const url = own.databaseUrl;
  const other = await startStack(t, { databaseUrl: url, now: '2026-11-16T12:00:00Z' });
  t.teardown(own.close);
  const { account, token } = await other.newClient();
  await other.client(token).get('/me');
  await other.close();
  t.true((await usesOf(own, account.accountId)).has(token.tokenId));
});

test('an earlier use never replaces a later one', async (t) => {
  const { account, token, get } = await frozen.newClient();
  await frozen.sql`insert into tasks.token_use (account_id, token_id, last_used_at)
    values (${account.accountId}, ${token.tokenId}, '2026-11-16T12:30:00Z')`;
  const marker = await frozen.createToken(account);
  await get('/me');
  await frozen.client(marker).get('/me');
  await waitForUse(frozen, account.accountId, marker.tokenId);
  t.is((await usesOf(frozen, account.accountId)).get(token.tokenId), '2026-11-16T12:30:00.000Z');
});

test('the record of a deleted app is deleted, those of revoked tokens and other apps are not', async (t) => {
  const [{ account, token }, other] = [await frozen.newClient(), await frozen.newClient()];
  const [app, otherApp] = [
    await frozenIssuer.connectApp(account),
    await frozenIssuer.connectApp(other.account),
  ];
  await frozen.client(await frozenIssuer.issue(app)).get('/me');
  await frozen.client(await frozenIssuer.issue(otherApp)).get('/me');
  await frozen.client(token).get('/me');
  await waitForUse(frozen, account.accountId, token.tokenId);
  await waitForUse(frozen, other.account.accountId, otherApp.grantId);
  await frozenIssuer.disconnect(app);
  await frozenIssuer.disconnect(otherApp);
  await frozen.revokeToken(token);

  const next = await frozen.createToken(account);
  await frozen.client(next).get('/me');
  await waitForUse(frozen, account.accountId, next.tokenId);
  const left = await usesOf(frozen, account.accountId);
  t.deepEqual([...left.keys()].toSorted(), [token.tokenId, next.tokenId].toSorted());
  t.true((await usesOf(frozen, other.account.accountId)).has(otherApp.grantId));
});

test('requests are served when uses can’t be recorded, and the log says so once', async (t) => {
  const own = await startStack(t, { own: true });
  await own.sql`revoke insert on tasks.token_use from resource_api`;
  const failures = () =>
    own.log.filter(
      ({ msg, purpose }) => msg === 'a sweep failed' && purpose === 'record the last use of tokens',
    );
  for (let turn = 0; turn < 3; turn += 1) t.is((await (await own.newClient()).get('/me')).status, 200);
  await waitFor(() => failures().length > 0, { what: 'the failure to be logged' });
  await own.sql`grant insert on tasks.token_use to resource_api`;
  const { account, token, get } = await own.newClient();
  t.is((await get('/me')).status, 200);
  await waitForUse(own, account.accountId, token.tokenId);
  t.is(failures().length, 1);
});
