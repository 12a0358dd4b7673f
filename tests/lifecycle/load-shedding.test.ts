import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import express from 'express';
import { createLoadShedding } from '#shared/http/load-shedding.ts';
import { sendProblem } from '#shared/http/problem.ts';
import { createBodyReader } from '#shared/http/read-body.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { openInProcessServer } from '#tests/support/in-process-server.ts';
import { startStack } from '#tests/support/stack.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { holdTable } from './held-table.ts';
import { launchService } from './service-process.ts';

const environment = { MAX_CONCURRENT_REQUESTS: '2' };
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
    const slow = [client.get('/areas'), client.get('/areas')];
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

test.serial('auth-server refuses in the shape of OAuth, of a page and of the API', async (t) => {
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

test.serial('a service that refuses requests is alive and ready', async (t) => {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const { sql, close } = connectSql(database.url);
  t.teardown(close);
  const accounts = createTestAccounts(sql);
  const { secret } = await accounts.createToken(await accounts.createAccount());
  const service = await launchService(t, {
    service: 'resource-api',
    databaseUrl: database.url,
    environment: { MAX_CONCURRENT_REQUESTS: '1' },
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

/** Reads a body, then works until it is told to answer. */
async function openReadingServer(t: ExecutionContext) {
  const server = await openInProcessServer();
  t.teardown(server.close);
  const load = createLoadShedding(1);
  const readBody = createBodyReader(1_000);
  const mayAnswer = Promise.withResolvers<void>();
  const app = express().use(load.count, load.refuse(sendProblem));
  app.post('/', async (req, res) => {
    await readBody(req, res);
    await mayAnswer.promise;
    res.end('done');
  });
  app.post('/unread', (_req, res) => {
    res.end('done');
  });
  server.serve(app);
  const send = (bytes: string) => {
    const socket = connect(server.port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\n${bytes}`,
    );
    return socket;
  };
  const counted = (count: number) =>
    waitFor(() => load.current() === count, { what: `${count} requests to be counted` });
  return { root: `http://127.0.0.1:${server.port}`, load, send, counted, answer: mayAnswer.resolve };
}

test.serial('a request whose body is still on its way takes no place until the body is there', async (t) => {
  const { load, send, counted, answer } = await openReadingServer(t);
  const slow = send('ab');
  const received = text(slow);
  const gone = send('ab');
  const quick = send('abcd');
  const quickAnswer = text(quick);
  await counted(1);
  slow.write('cd');
  await counted(2);
  t.regex(await text(send('abcd')), /^HTTP\/1.1 503 /);
  t.is(load.shed(), 1);
  answer();
  for (const text of [await received, await quickAnswer]) t.regex(text, /^HTTP\/1.1 200 [\s\S]*done/);
  await counted(0);
  const closed = once(gone, 'close');
  gone.destroy();
  await closed;
  await counted(0);
  t.regex(await text(send('abcd')), /^HTTP\/1.1 200 /);
});

test.serial('a caller that goes away gives its place back', async (t) => {
  const { send, counted, answer } = await openReadingServer(t);
  const socket = send('abcd');
  await counted(1);
  socket.destroy();
  await counted(0);
  answer();
  t.regex(await text(send('abcd')), /^HTTP\/1.1 200 /);
});

test.serial('a request that is answered before its body was read takes no place afterwards', async (t) => {
  const { root, counted } = await openReadingServer(t);
  const unread = () => fetch(`${root}/unread`, { method: 'POST', body: 'abcd' });
  t.is((await unread()).status, 200);
  await counted(0);
  t.is((await unread()).status, 200);
});
