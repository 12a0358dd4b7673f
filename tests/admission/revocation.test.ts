import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { changeAccount, changeAccountLock } from '#auth-server/admin/account-admin.ts';
import { endApp } from '#auth-server/admin/app-admin.ts';
import { endSession } from '#auth-server/admin/session-admin.ts';
import { revokeToken } from '#auth-server/admin/token-admin.ts';
import { createTokenIssuer } from '../api/oauth-tokens/token-issuer.ts';
import { createWebApps } from '../app/web-app-client.ts';
import { behindProxy } from '../support/behind-proxy.ts';
import { leaseRedisDatabase } from '../support/redis-lease.ts';
import { waitFor } from '../support/wait-for.ts';
import { patient, recordsFrom, startRevocationWorld, waitUntilRemembered } from './revocation-world.ts';

const parts = new AsyncDisposableStack();
/** For tests that neither break it nor count what it read. */
const shared = await startRevocationWorld({ teardown: (close) => parts.defer(close) });
test.after.always(() => parts.disposeAsync());

test.serial('what ends in the database alone is still let in for a moment', async (t) => {
  const { stack } = shared;
  // The poll of changes may come in between: then another token is tried.
  const client = await waitFor(async () => {
    const tried = await stack.newClient();
    await waitUntilRemembered(stack, tried);
    await stack.sql`update auth.api_token set revoked_at = now() where id = ${tried.token.tokenId}`;
    return (await tried.get('/me')).status === 200 && tried;
  }, patient);
  await waitFor(async () => (await client.get('/me')).status === 401, patient);
  t.pass();
});

test.serial('a change of a token, an app, a session or an account shows at the next request', async (t) => {
  const { stack, stores } = shared;
  const { account, token, ...client } = await stack.newClient();
  const issuer = await createTokenIssuer(stack);
  const app = await issuer.connectApp(account);
  const appClient = stack.client(await issuer.issue(app));
  const browser = await (await createWebApps(stack)).open({ account });
  for (const each of [client, appClient, browser]) await waitUntilRemembered(stack, each);

  await changeAccount(stores, account.email, { plan: 'premium', timezone: 'Asia/Tokyo' });
  t.like((await client.get('/me')).body, { plan: 'premium', timezone: 'Asia/Tokyo' });
  await changeAccount(stores, account.email, { status: 'suspended' });
  t.is((await client.post('/tasks', { title: 'x' })).status, 423);
  await changeAccount(stores, account.email, { status: 'active' });
  t.is((await client.post('/tasks', { title: 'x' })).status, 201);
  await endSession(stores, account.email, browser.sessionId);
  t.is((await browser.get('/me')).status, 401);
  await endApp(stores, app.grantId);
  t.is((await appClient.get('/me')).status, 401);
  await revokeToken(stores, token.tokenId);
  t.is((await client.get('/me')).status, 401);
  const other = stack.client(await stack.createToken(account));
  await waitUntilRemembered(stack, other);
  await changeAccountLock(stores, account.email, true);
  t.is((await other.get('/me')).status, 401);
});

const lateBodies = {
  '/api/public/v1/tasks': { title: 'left behind' },
  '/mcp': {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'add_tasks', arguments: { tasks: [{ title: 'left behind' }] } },
  },
};
for (const [path, content] of Object.entries(lateBodies))
  test.serial(`a request to ${path} that is held open does nothing once its token is revoked`, async (t) => {
    const { stack, stores } = shared;
    const { account, token } = await stack.newClient();
    const body = JSON.stringify(content);
    const headers = {
      authorization: `Bearer ${token.secret}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const before = await recordsFrom(stack, 'first_use');
    const sending = request(new URL(path, stack.baseUrl), { method: 'POST', headers });
    const answered = once(sending, 'response');
    sending.write(body.slice(0, -1));
    await waitFor(async () => (await recordsFrom(stack, 'first_use')) > before, patient);
    await revokeToken(stores, token.tokenId);
    sending.end(body.slice(-1));
    const [answer]: IncomingMessage[] = await answered;
    t.is(answer?.statusCode, 401);
    t.regex(answer?.headers['www-authenticate'] ?? '', /invalid_token/);
    const rows = await stack.sql`select from tasks.task where account_id = ${account.accountId}`;
    t.is(rows.length, 0);
  });

type StoresOf = (t: ExecutionContext, tokenId: string) => Promise<Parameters<typeof revokeToken>[0]>;
/** Those that break the shared Redis run alone. */
const unconfirmed: [way: string, run: typeof test | typeof test.serial, storesOf: StoresOf][] = [
  ['without Redis', test, async () => ({ databaseUrl: shared.stores.databaseUrl })],
  ['with its reply lost', test.serial, async () => throughRedis('dropReplies')],
  ['with Redis frozen for everybody', test.serial, async () => throughRedis('freeze')],
  [
    'by a second primary',
    test.serial,
    async (t) => {
      const { url, release } = await leaseRedisDatabase();
      t.teardown(release);
      return { ...shared.stores, redisUrl: url, waitsAlways: true };
    },
  ],
  [
    'of a token that was revoked already',
    test,
    async (_, tokenId) => {
      await shared.stack.sql`update auth.api_token set revoked_at = now() where id = ${tokenId}`;
      return { databaseUrl: shared.stores.databaseUrl };
    },
  ],
];

function throughRedis(mode: 'dropReplies' | 'freeze') {
  shared.redis.proxy.setMode(mode);
  return { ...shared.stores, redisUrl: shared.redis.url };
}

for (const [way, run, storesOf] of unconfirmed) {
  run(`a revocation that Redis does not confirm has been waited for: ${way}`, async (t) => {
    t.teardown(() => shared.redis.proxy.setMode('pass'));
    const client = await shared.stack.newClient();
    await waitUntilRemembered(shared.stack, client);
    await revokeToken(await storesOf(t, client.token.tokenId), client.token.tokenId);
    t.is((await client.get('/me')).status, 401);
  });
}

test.serial('what is read while a revocation is not committed yet does not outlast it', async (t) => {
  const { stack, stores } = shared;
  const client = await stack.newClient();
  await waitUntilRemembered(stack, client);
  const { proxy, url } = await behindProxy(t, stores.databaseUrl);
  const isWritten = Promise.withResolvers<void>();
  proxy.onClientData((bytes) => {
    if (!/update .*api_token.* set /.test(bytes.toString())) return;
    proxy.setMode('freeze');
    isWritten.resolve();
  });
  const revoking = revokeToken({ ...stores, databaseUrl: url }, client.token.tokenId);
  await isWritten.promise;
  for (let time = 0; time < 3; time += 1) t.is((await client.get('/me')).status, 200);
  proxy.setMode('pass');
  await revoking;
  t.is((await client.get('/me')).status, 401);
});

for (const place of ['sent', 'answered'] as const) {
  test(`a revocation after a record’s version was read is not missed: ${place}`, async (t) => {
    const { stack, stores, database, redis } = await startRevocationWorld(t);
    const client = await stack.newClient();
    t.is((await client.get('/me')).status, 200);
    const isReached = Promise.withResolvers<void>();
    const [seen, words] =
      place === 'sent' ? [redis, `auth:v:${client.account.accountId}`] : [database, 'find-token-by-hash'];
    const stop = seen.proxy.onClientData((bytes) => {
      if (!bytes.includes(words)) return;
      database.proxy.setMode('freeze');
      isReached.resolve();
    });
    const early = client.get('/me');
    await isReached.promise;
    stop();
    await revokeToken(stores, client.token.tokenId);
    database.proxy.setMode('pass');
    t.true([200, 401].includes((await early).status));
    t.is((await client.get('/me')).status, 401);
  });
}

test('after a flush of Redis, or on another connection, PostgreSQL is read again', async (t) => {
  const { stack, stores, redis } = await startRevocationWorld(t);
  const [client, revoked] = [await stack.newClient(), await stack.newClient()];
  for (const each of [client, revoked]) await waitUntilRemembered(stack, each);
  const direct = new Redis(redis.directUrl);
  t.teardown(() => direct.disconnect());
  await direct.flushdb();
  t.is((await client.get('/me')).status, 200);
  t.true((await recordsFrom(stack, 'version_changed')) > 0);
  await waitUntilRemembered(stack, revoked);
  redis.proxy.setMode('cut');
  await revokeToken(stores, revoked.token.tokenId);
  t.is((await revoked.get('/me')).status, 401);
  await waitUntilRemembered(stack, client);
  t.true((await recordsFrom(stack, 'connection_changed')) > 0);
});

test('while changes cannot be polled PostgreSQL is read for each request', async (t) => {
  const { stack } = await startRevocationWorld(t);
  const client = await stack.newClient();
  await waitUntilRemembered(stack, client);
  await stack.sql`revoke select on auth.principal_change_access from resource_api`;
  await waitFor(async () => {
    await client.get('/me');
    return (await recordsFrom(stack, 'lease_lapsed')) > 0;
  }, patient);
  await stack.sql`update auth.api_token set revoked_at = now() where id = ${client.token.tokenId}`;
  t.is((await client.get('/me')).status, 401);
});

test('without Redis and PostgreSQL no token is assumed to be valid', async (t) => {
  const { stack, database, redis } = await startRevocationWorld(t);
  const client = await stack.newClient();
  await waitUntilRemembered(stack, client);
  for (const { proxy } of [redis, database]) proxy.setMode('refuse');
  t.is((await client.get('/me')).status, 503);
});

test('late commits and bulk deletions are not missed', async (t) => {
  const { stack } = await startRevocationWorld(t);
  const [client, other] = [await stack.newClient(), await stack.newClient()];
  const issuer = await createTokenIssuer(stack);
  const app = stack.client(await issuer.issue(await issuer.connectApp(await stack.createAccount())));
  for (const each of [client, other, app]) await waitUntilRemembered(stack, each);
  const slow = stack.sql`with changed as (
      update auth.api_token set revoked_at = now() where id = ${client.token.tokenId} returning 1)
    select pg_sleep(2) from changed`;
  // A later number that is seen first.
  await stack.sql`update auth.account set plan = 'premium' where id = ${other.account.accountId}`;
  await waitFor(async () => (await other.get<{ plan: string }>('/me')).body.plan === 'premium', patient);
  await slow;
  await waitFor(async () => (await client.get('/me')).status === 401, patient);
  await stack.sql`truncate auth.oauth_grant cascade`;
  await waitFor(async () => (await app.get('/me')).status === 401, patient);
  t.is((await other.get('/me')).status, 200);
});
