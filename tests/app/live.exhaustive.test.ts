import test from 'ava';
import { appClientId } from '#shared/app/app-protocol.ts';
import { makeTask } from '#tests/support/factories.ts';
import { type OwnStack, type StackOwner, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { holdTable } from '../lifecycle/held-table.ts';
import { openProxiedRedis } from '../stores/store-proxies.ts';
import { openStream, requestStream } from './event-stream.ts';
import { createWebApps, type WebApps } from './web-app-client.ts';

type World = { stack: OwnStack; webApps: WebApps; use(replica: 0 | 1): void };

/** Two replicas: requests go to the chosen one. */
async function startWorld(owner: StackOwner, redisUrl?: string): Promise<World> {
  let chosen: 0 | 1 = 0;
  const stack = await startStack(owner, {
    withAuthServer: true,
    chooseReplica: (service) => (service === 'resource-api' ? chosen : 0),
    ...(redisUrl !== undefined && { redisUrl }),
  });
  const use = (replica: 0 | 1) => {
    chosen = replica;
  };
  return { stack, webApps: await createWebApps(stack), use };
}

const world = await startWorld(undefined);

test.after.always(world.stack.close);
test.beforeEach(() => world.use(0));

test.serial('a stream hears of each change of its account alone, whichever replica commits it', async (t) => {
  const { stack, webApps, use } = world;
  const [client, other] = [await webApps.open(), await webApps.open()];
  const [stream, foreign] = [
    await openStream(stack, client.accessToken),
    await openStream(stack, other.accessToken),
  ];
  await makeTask(client);
  await waitFor(() => stream.events.at(-1)?.seq === 1, { what: 'the change of this replica' });
  use(1);
  // Its first look at the key of the tokens.
  await waitFor(async () => (await client.get('/me')).status === 200);
  await makeTask(client);
  await waitFor(() => stream.events.at(-1)?.seq === 2, { what: 'the change of the other replica' });
  t.deepEqual(foreign.events, []);
});

test('changes reach streams without Redis too, and once it is back at once again', async (t) => {
  const { proxy, url } = await openProxiedRedis(t);
  const { stack, webApps, use } = await startWorld(t, url);
  const client = await webApps.open();
  const stream = await openStream(stack, client.accessToken);
  use(1);
  await waitFor(async () => (await client.get('/me')).status === 200);
  proxy.setMode('refuse');
  await makeTask(client);
  const timeoutMilliseconds = 15_000;
  await waitFor(() => stream.events.at(-1)?.seq === 1, { timeoutMilliseconds, what: 'the change' });
  proxy.setMode('pass');
  let seq = 1;
  const isPublished = async () => {
    await makeTask(client);
    seq += 1;
    await waitFor(() => stream.events.at(-1)?.seq === seq, { timeoutMilliseconds, what: 'a change' });
    return /live_wakeups_total\{source="redis"\} [1-9]/.test(await stack.metrics('resource-api')) || seq > 5;
  };
  await waitFor(isPublished, { timeoutMilliseconds: 60_000 });
  t.is(stream.events.at(-1)?.seq, seq);
});

test.serial('a stream hears that its account has changed, though no row has', async (t) => {
  const { stack, webApps, use } = world;
  const client = await webApps.open();
  const stream = await openStream(stack, client.accessToken);
  await makeTask(client);
  await waitFor(() => stream.events.length === 1, { what: 'the change' });
  use(1);
  await stack.setPlan(client.account, 'premium');
  await waitFor(() => stream.events.length === 2, { what: 'the change of the account' });
  t.deepEqual(stream.events, [{ seq: 1 }, { seq: 1 }]);
});

test('a burst of changes is a few events, the last with the newest number', async (t) => {
  const { stack, webApps } = world;
  const client = await webApps.open();
  const stream = await openStream(stack, client.accessToken);
  await Promise.all(Array.from({ length: 40 }, () => makeTask(client)));
  await waitFor(() => stream.events.at(-1)?.seq === 40, { what: 'the newest number' });
  t.true(stream.events.length < 40);
});

test.serial('a stream ends with its token, and the next may follow; not after its session', async (t) => {
  const { stack, webApps } = world;
  const client = await webApps.open();
  const other = await webApps.open();
  const identity = {
    accountId: other.account.accountId,
    grantId: other.sessionId,
    clientId: appClientId,
  };
  const exp = Math.floor(Date.now() / 1_000) + 2;
  const shortLived = await openStream(stack, await webApps.issuer.issue(identity, { claims: { exp } }));
  const stream = await openStream(stack, client.accessToken);
  await client.endSession();
  t.is((await requestStream(stack, client.accessToken)).status, 401);
  await waitFor(shortLived.hasEnded, { timeoutMilliseconds: 15_000, what: 'the end of the token' });
  // As if the half minute between two looks at the sessions had passed.
  const realNow = performance.now;
  t.teardown(() => {
    performance.now = realNow;
  });
  performance.now = () => realNow.call(performance) + 30_000;
  await waitFor(stream.hasEnded, { timeoutMilliseconds: 60_000, what: 'the end of the session' });
  t.true(shortLived.isRenewed());
  t.false(stream.isRenewed());
});

test('an account has ten streams, which take nothing from the limit of requests', async (t) => {
  const stack = await startStack(t, { environment: { MAX_CONCURRENT_REQUESTS: '5' } });
  const webApps = await createWebApps(stack);
  const client = await webApps.open();
  const streams = [];
  for (let count = 0; count < 10; count += 1) streams.push(await openStream(stack, client.accessToken));
  const refused = await requestStream(stack, client.accessToken);
  t.is(refused.status, 429);
  t.truthy(refused.headers.get('retry-after'));
  t.is((await client.get('/me')).status, 200);
  t.regex(await stack.metrics('resource-api'), /^live_streams_open 10$/m);
  for (const stream of streams) stream.close();
  await waitFor(async () => (await requestStream(stack, client.accessToken)).ok, { what: 'a free place' });
});

test('a stream whose client has left before it was let in is not opened', async (t) => {
  const stack = await startStack(t, { own: true });
  const webApps = await createWebApps(stack);
  const client = await webApps.open();
  const second = await webApps.open({ account: client.account });
  const table = await holdTable(t, stack.databaseUrl, 'auth.browser_session');
  const leaving = new AbortController();
  const stream = requestStream(stack, second.accessToken, leaving.signal);
  await table.waiting(1);
  leaving.abort();
  await t.throwsAsync(stream);
  await waitFor(() => stack.log.some(({ isAborted }) => isAborted), { what: 'the service to notice' });
  await table.release();
  t.is((await second.get('/me')).status, 200);
  t.regex(await stack.metrics('resource-api'), /^live_streams_open 0$/m);
});
