import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { connectSql } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
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

test.serial(
  'the request beyond the limit is refused in the API’s shape, and later ones succeed',
  async (t) => {
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
  },
);

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
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const { sql, close } = connectSql(database.url);
  t.teardown(close);
  const accounts = createTestAccounts(sql);
  const { secret } = await accounts.createToken(await accounts.createAccount());
  const service = await launchService(t, {
    service: 'resource-api',
    databaseUrl: database.url,
    environment: { ...patience, MAX_CONCURRENT_REQUESTS: '1' },
  });
  await service.ready();
  const headers = { Authorization: `Bearer ${secret}` };
  const areas = () => fetch(`${service.root}/api/public/v1/areas`, { headers });
  const table = await holdTable(t, database.url, 'tasks.area');
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
