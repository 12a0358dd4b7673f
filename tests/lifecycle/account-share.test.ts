import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { holdTable } from './held-table.ts';

test.serial('an account has a quarter of the requests in progress, and others have the rest', async (t) => {
  const stack = await startStack(t, { environment: { MAX_CONCURRENT_REQUESTS: '16' } });
  const [greedy, other] = [await stack.newClient(), await stack.newClient()];
  const second = stack.client(await stack.createToken(greedy.account));
  await other.get('/areas');
  const table = await holdTable(t, stack.databaseUrl, 'tasks.area');
  const slow = Array.from({ length: 4 }, () => greedy.get('/areas'));
  await table.waiting(4);
  const refused = await second.get<{ errorCode: string }>('/me');
  t.is(refused.headers.get('Retry-After'), '1');
  t.is(refused.body.errorCode, 'service_unavailable');
  t.is((await other.get('/me')).status, 200);
  await table.release();
  for (const { status } of await Promise.all(slow)) t.is(status, 200);
  t.is((await second.get('/me')).status, 200);
});

test.serial(
  'a request whose client has left before it was let in takes no place of its account',
  async (t) => {
    const stack = await startStack(t, { environment: { MAX_CONCURRENT_REQUESTS: '16' } });
    const account = await stack.createAccount();
    const secrets = [];
    for (let count = 0; count < 5; count += 1) secrets.push((await stack.createToken(account)).secret);
    const table = await holdTable(t, stack.databaseUrl, 'auth.api_token');
    const leaving = new AbortController();
    const sent = secrets.slice(1).map((secret) => {
      const headers = { Authorization: `Bearer ${secret}` };
      return fetch(`${stack.apiRoot}/me`, { headers, signal: leaving.signal });
    });
    await table.waiting(sent.length);
    leaving.abort();
    await Promise.allSettled(sent);
    const isNoted = () => stack.log.filter(({ isAborted }) => isAborted).length === sent.length;
    await waitFor(isNoted, { what: 'the service to notice' });
    await table.release();
    for (const secret of secrets) t.is((await stack.client(secret).get('/me')).status, 200);
  },
);

test.serial('an account whose clients take no responses gets no more of them, until they do', async (t) => {
  const stack = await startStack(t, { environment: { MAX_CONCURRENT_REQUESTS: '400' } });
  const [greedy, other] = [await stack.newClient({ plan: 'premium' }), await stack.newClient()];
  const { port } = new URL(stack.baseUrl);
  for (let count = 0; count < 20; count += 1)
    t.is((await greedy.post('/tasks', { title: 'Long', description: 'x'.repeat(100_000) })).status, 201);
  const head = `GET /api/public/v1/tasks?limit=200 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${greedy.token.secret}\r\n\r\n`;
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket.pause().write(head.repeat(40));
  const status = async () => {
    const client = stack.client(await stack.createToken(greedy.account));
    return (await client.get('/me')).status;
  };
  await waitFor(async () => (await status()) === 503, {
    timeoutMilliseconds: 30_000,
    what: 'the account to be refused',
  });
  t.is((await other.get('/me')).status, 200);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.resume();
  const statuses = () => received.match(/HTTP\/1\.1 \d+/g) ?? [];
  await waitFor(() => statuses().length === 40, { timeoutMilliseconds: 30_000, what: 'all responses' });
  t.true(statuses().filter((line) => line.endsWith('200')).length < 30);
  await waitFor(async () => (await status()) === 200, { what: 'the account to be served' });
});

test.serial(
  'reads and uploads that wait too long for their account’s share get 503; others are served',
  async (t) => {
    const stack = await startStack(t, { environment: { DATABASE_WAIT_MILLISECONDS: '2000' } });
    const [greedy, other] = [await stack.newClient({ plan: 'premium' }), await stack.newClient()];
    for (let count = 0; count < 20; count += 1)
      t.is((await greedy.post('/tasks', { title: 'Long', description: 'x'.repeat(100_000) })).status, 201);
    // Known to the process from now on: its /me does not ask the database.
    await other.get('/me');
    const page = () => greedy.get('/tasks?limit=200');
    const upload = (client: typeof greedy) => client.post('/tasks', { title: 'x'.repeat(700_000) });
    for (const [send, served] of [
      [page, 200],
      [() => upload(greedy), 400],
    ] as const) {
      const sent = Array.from({ length: 32 }, send);
      t.is((await other.get('/me')).status, 200);
      t.is((await upload(other)).status, 400);
      const answers = await Promise.all(sent);
      const refused = answers.filter(({ status }) => status !== served);
      t.true(refused.length > 0 && refused.length < answers.length, `${refused.length} refused`);
      for (const { status, headers } of refused)
        t.deepEqual([status, headers.get('Retry-After')], [503, '1']);
      t.is((await send()).status, served);
    }
  },
);
