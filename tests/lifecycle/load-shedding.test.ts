import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { createWebApps } from '#tests/app/web-app-client.ts';
import { callMessage, postMessage, readMessage } from '#tests/assistant/raw-message.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { insertTasks } from '#tests/support/factories.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { startStack } from '#tests/support/stack.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { holdTable } from './held-table.ts';
import { launchService } from './service-process.ts';

/** On a busy machine, what is held would else be given up before the others are asked. */
const patience = { DATABASE_WAIT_MILLISECONDS: '20000' };
const environment = { ...patience, MAX_CONCURRENT_REQUESTS: '2' };
const problem = {
  errorType: 'unavailable',
  errorCode: 'service_unavailable',
  message: 'The service is busy or restarting. Try again shortly.',
};

function isRefusal(t: ExecutionContext, { status, headers }: { status: number; headers: Headers }): void {
  t.is(status, 503);
  t.is(headers.get('Retry-After'), '1');
  t.truthy(headers.get('X-Request-Id'));
}

test.serial('a request beyond the limit is refused in the API’s shape; later ones succeed', async (t) => {
  const stack = await startStack(t, { environment });
  const client = await stack.newClient();
  // The client's check of its first answer asks for the document.
  await client.get('/areas');
  const table = await holdTable(t, stack.databaseUrl, 'tasks.area');
  const other = await stack.newClient();
  const slow = [client.get('/areas'), other.get('/areas')];
  await table.waiting(2);

  for (const path of ['/areas', '/tasks', '/openapi.json']) {
    const refused = await client.get(path);
    isRefusal(t, refused);
    t.like(refused.body, problem);
    t.is(refused.headers.get('Access-Control-Allow-Origin'), '*');
    t.is(refused.headers.get('RateLimit-Limit'), null, 'no store was asked');
  }
  const assistant = await fetch(`${stack.baseUrl}/mcp`, { method: 'POST' });
  isRefusal(t, assistant);
  t.like(await assistant.json(), problem);
  t.is(assistant.headers.get('Access-Control-Allow-Origin'), '*');
  t.deepEqual(
    stack.log.filter(({ level }) => level >= 50),
    [],
    'a refusal is no failure in the log',
  );

  await table.release();
  t.deepEqual(
    (await Promise.all(slow)).map(({ status }) => status),
    [200, 200],
  );
  t.is((await client.get('/areas')).status, 200);
});

test.serial('auth-server sheds load in the format of OAuth, of a page and of the API', async (t) => {
  const { baseUrl, databaseUrl } = await startStack(t, { withAuthServer: true, environment });
  const table = await holdTable(t, databaseUrl, 'auth.oauth_client');
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none', client_id: 'none' });
  const refresh = () => fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: form });
  const slow = [refresh(), refresh()];
  await table.waiting(2);

  const token = await refresh();
  isRefusal(t, token);
  t.is(((await token.json()) as { error: string }).error, 'temporarily_unavailable');
  t.is(token.headers.get('Access-Control-Allow-Origin'), '*');
  for (const path of ['/oauth/register', '/oauth/revoke', '/api/public/v1/auth/token']) {
    isRefusal(t, await fetch(baseUrl + path, { method: 'POST' }));
  }
  isRefusal(t, await fetch(`${baseUrl}/oauth/jwks`));
  const exchange = await fetch(`${baseUrl}/api/public/v1/auth/token`, { method: 'POST' });
  t.like(await exchange.json(), problem);
  for (const path of ['/', '/sign-in', '/settings', '/oauth/authorize']) {
    const page = await fetch(baseUrl + path);
    isRefusal(t, page);
    t.is(page.headers.get('Content-Type'), 'text/html; charset=utf-8');
    t.regex(await page.text(), /The service is busy/);
  }

  await table.release();
  t.deepEqual(
    (await Promise.all(slow)).map(({ status }) => status),
    [401, 401],
  );
  t.is((await fetch(`${baseUrl}/sign-in`)).status, 200);
});

test.serial('a service that sheds load is alive and ready', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const { sql, close } = connectSql(databaseUrl);
  t.teardown(close);
  const accounts = createTestAccounts(sql);
  const { secret } = await accounts.createToken(await accounts.createAccount());
  const service = await launchService(t, {
    service: 'resource-api',
    databaseUrl,
    environment: { ...patience, MAX_CONCURRENT_REQUESTS: '1' },
  });
  await service.ready();
  const headers = { Authorization: `Bearer ${secret}` };
  const areas = () => fetch(`${service.root}/api/public/v1/areas`, { headers });
  const table = await holdTable(t, databaseUrl, 'tasks.area');
  const slow = areas();
  await table.waiting(1);
  t.is((await areas()).status, 503);
  t.is((await service.probe('/livez'))?.status, 200);
  t.is((await service.probe('/readyz'))?.status, 200);
  await table.release();
  t.is((await slow).status, 200);
});

/** With room for one request, which waits for a table. */
async function startFull(t: ExecutionContext) {
  const stack = await startStack(t, { environment: { ...patience, MAX_CONCURRENT_REQUESTS: '1' } });
  const [client, other] = [await stack.newClient(), await stack.newClient()];
  await client.get('/areas');
  const table = await holdTable(t, stack.databaseUrl, 'tasks.area');
  const { port } = new URL(stack.baseUrl);
  const send = (requestLine: string, ...lines: string[]) => {
    const socket = connect(Number(port), '127.0.0.1');
    t.teardown(() => socket.destroy());
    const head = [
      `${requestLine} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${client.token.secret}`,
    ];
    socket.write(`${[...head, ...lines].join('\r\n')}\r\n\r\n`);
    return socket;
  };
  const status = async () => (await other.get('/me')).status;
  const responds = (wanted: number) =>
    waitFor(async () => (await status()) === wanted, { what: `the response ${wanted}` });
  return { table, send, status, responds };
}

test.serial('a request that is still uploading does not count, and counts once it has arrived', async (t) => {
  const { table, send, status, responds } = await startFull(t);
  const title = '{"title":"x"}';
  const headers = ['Content-Type: application/json', `Content-Length: ${title.length}`];
  const upload = send('POST /api/public/v1/areas', ...headers, 'Expect: 100-continue');
  t.regex(String(await once(upload, 'data')), /^HTTP\/1.1 100 /);
  const received = text(upload);
  await responds(200);
  upload.write(title);
  await table.waiting(1);
  t.is(await status(), 503);
  await table.release();
  t.regex(await received, /^HTTP\/1.1 201 /);
  t.is(await status(), 200);
});

test.serial('a request whose client has disconnected does not count', async (t) => {
  const { table, send, status, responds } = await startFull(t);
  const socket = send('GET /api/public/v1/areas');
  await table.waiting(1);
  t.is(await status(), 503);
  socket.destroy();
  await responds(200);
  await table.release();
});

test.serial('an account has a quarter of the requests in progress, and others have the rest', async (t) => {
  const stack = await startStack(t, { environment: { MAX_CONCURRENT_REQUESTS: '16' } });
  const [greedy, other] = [await stack.newClient(), await stack.newClient()];
  const second = stack.client(await stack.createToken(greedy.account));
  await other.get('/areas');
  const table = await holdTable(t, stack.databaseUrl, 'tasks.area');
  const slow = Array.from({ length: 4 }, () => greedy.get('/areas'));
  await table.waiting(2);
  const refused = await second.get<{ errorCode: string }>('/me');
  t.is(refused.headers.get('Retry-After'), '1');
  t.is(refused.body.errorCode, 'service_unavailable');
  t.is((await other.get('/me')).status, 200);
  await table.release();
  for (const { status } of await Promise.all(slow)) t.is(status, 200);
  t.is((await second.get('/me')).status, 200);
});

test.serial('a request whose client left before it was let in takes no place of its account', async (t) => {
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
});

test.serial('an account whose clients take no responses gets no more of them, until they do', async (t) => {
  const stack = await startStack(t, { environment: { MAX_CONCURRENT_REQUESTS: '400' } });
  const [greedy, other] = [await stack.newClient({ plan: 'premium' }), await stack.newClient()];
  const { port } = new URL(stack.baseUrl);
  for (let count = 0; count < 20; count += 1)
    t.is((await greedy.post('/tasks', { title: 'Long', description: 'x'.repeat(100_000) })).status, 201);
  const head =
    'GET /api/public/v1/tasks?limit=200 HTTP/1.1\r\nHost: a\r\n' +
    `Authorization: Bearer ${greedy.token.secret}\r\n\r\n`;
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket.pause().write(head.repeat(60));
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
  await waitFor(() => statuses().length === 60, { timeoutMilliseconds: 30_000, what: 'all responses' });
  const taken = statuses().filter((line) => line.endsWith('200')).length;
  t.true(taken < 40, `${taken} of 60`);
  await waitFor(async () => (await status()) === 200, { what: 'the account to be served' });
});

test.serial('what waits too long for its account’s share gets 503; others are served', async (t) => {
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
    for (const { status, headers } of refused) t.deepEqual([status, headers.get('Retry-After')], [503, '1']);
    t.is((await send()).status, served);
  }
});

test.serial('what the assistants of an account read takes no connection that others need', async (t) => {
  const stack = await startStack(t, { environment: { ...patience, DATABASE_POOL_SIZE: '6' } });
  const [greedy, other] = [await stack.newClient(), await stack.newClient()];
  await other.get('/areas');
  const table = await holdTable(t, stack.databaseUrl, 'tasks.task');
  const messages = [callMessage('find_tasks', {}), callMessage('overview', {}), readMessage('tasks://today')];
  const sent = Array.from({ length: 12 }, (_, index) =>
    postMessage(stack.baseUrl, greedy.token.secret, messages[index % messages.length]),
  );
  await table.waiting(2);
  t.is((await other.get('/areas')).status, 200);
  await table.release();
  for (const { status, text } of await Promise.all(sent)) {
    t.is(status, 200);
    t.false(text.includes('"isError":true'), text);
  }
});

test.serial('an account has four snapshots on their way at once, and others theirs', async (t) => {
  const stack = await startStack(t, { environment: { DATABASE_WAIT_MILLISECONDS: '2000' } });
  const apps = await createWebApps(stack);
  const [greedy, other] = [await apps.open(), await apps.open()];
  // More than sockets hold.
  await insertTasks(stack, greedy.account, 5_000, { title: 'x'.repeat(4_000) });
  const { hostname, port } = new URL(stack.baseUrl);
  const head =
    'GET /app/api/v1/snapshot HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n' +
    `Authorization: Bearer ${greedy.accessToken}\r\n\r\n`;
  const readers: Socket[] = [];
  while (readers.length < 4) {
    const reader = connect(Number(port), hostname);
    t.teardown(() => reader.destroy());
    reader.on('error', () => undefined).write(head);
    // It has its place once it begins.
    await once(reader, 'data');
    readers.push(reader.pause());
  }
  t.is((await greedy.app.get('/snapshot')).status, 503);
  t.is((await other.app.get('/snapshot')).status, 200);
  t.is((await greedy.get('/me')).status, 200);
  for (const reader of readers) reader.destroy();
  const isIdle = async () => (await stack.metrics('resource-api')).includes('http_requests_in_progress 0\n');
  await waitFor(isIdle, { what: 'the readers to be gone' });
  t.is((await greedy.app.get('/snapshot')).status, 200);
});
