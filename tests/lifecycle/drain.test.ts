import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { createGracefulStop } from '#shared/http/graceful-stop.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { holdTable } from './held-table.ts';
import { launchService } from './service-process.ts';

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string };

type KeptConnection = {
  /** Sends a request on the connection of the one before, while that is open. Rejects when it is lost. */
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
};

/** A client of one connection that it keeps, and that tries nothing again. */
function openKeptConnection(): KeptConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async get(url, headers = {}) {
      const sent = request(url, { agent, headers }).end();
      const [answer] = await once(sent, 'response');
      return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
    },
    close: () => agent.destroy(),
  };
}

const alwaysThere = { 'auth-server': '/oauth/jwks', 'resource-api': '/api/public/v1/openapi.json' };

async function authorize(t: ExecutionContext, databaseUrl: string): Promise<Record<string, string>> {
  const { sql, close } = connectSql(databaseUrl);
  t.teardown(close);
  const accounts = createTestAccounts(sql);
  const { secret } = await accounts.createToken(await accounts.createAccount());
  return { Authorization: `Bearer ${secret}` };
}

test.serial('on SIGTERM a service is unready at once, answers what is under way and exits 0', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const headers = await authorize(t, databaseUrl);
  const service = await launchService(t, {
    service: 'resource-api',
    databaseUrl,
    environment: { SHUTDOWN_DELAY_MILLISECONDS: '5000', SHUTDOWN_GRACE_MILLISECONDS: '60000' },
  });
  await service.ready();
  const areas = `${service.root}/api/public/v1/areas`;
  const table = await holdTable(t, databaseUrl, 'tasks.area');
  const slow = openKeptConnection().get(areas, headers);
  await table.waiting(1);

  service.child.kill('SIGTERM');
  await service.logged('stopping');
  const draining = { status: 503, body: { status: 'draining' } };
  t.deepEqual(await service.probe('/readyz'), draining);
  t.is((await service.probe('/livez'))?.status, 200);
  const late = await openKeptConnection().get(service.root + alwaysThere['resource-api']);
  t.is(late.status, 200, 'a request that comes after the signal');
  t.is(late.headers.connection, 'close');

  service.child.kill('SIGTERM');
  const isRefused = () =>
    openKeptConnection()
      .get(areas)
      .then(
        () => false,
        () => true,
      );
  await waitFor(isRefused, { timeoutMilliseconds: 30_000, what: 'the end of accepting' });
  t.deepEqual(await service.probe('/readyz'), draining, 'while the last request is under way');
  await table.release();
  const answer = await slow;
  t.is(answer.status, 200);
  t.is(answer.headers.connection, 'close');
  t.deepEqual(await service.ended, [0, null]);
});

for (const [service, signal] of [
  ['auth-server', 'SIGTERM'],
  ['resource-api', 'SIGINT'],
] as const) {
  test.serial(`kept connections in steady use lose no request when ${service} gets ${signal}`, async (t) => {
    const databaseUrl = await freshDatabaseUrl(t);
    const { ready, root, child, ended } = await launchService(t, { service, databaseUrl });
    await ready();
    let answered = 0;
    const connections = Array.from({ length: 8 }, async () => {
      const connection = openKeptConnection();
      t.teardown(connection.close);
      for (;;) {
        const { status, headers } = await connection.get(root + alwaysThere[service]);
        if (status !== 200) throw new Error(`answered with ${status}`);
        answered += 1;
        if (headers.connection === 'close') return;
      }
    });
    await waitFor(() => answered >= 80, { timeoutMilliseconds: 30_000, what: 'steady use' });
    child.kill(signal);
    await t.notThrowsAsync(Promise.all(connections));
    t.deepEqual(await ended, [0, null]);
  });
}

test('requests that exceed the grace period are aborted', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const headers = await authorize(t, databaseUrl);
  const environment = { SHUTDOWN_GRACE_MILLISECONDS: '100' };
  const service = await launchService(t, { service: 'resource-api', databaseUrl, environment });
  await service.ready();
  const table = await holdTable(t, databaseUrl, 'tasks.area');
  const slow = openKeptConnection().get(`${service.root}/api/public/v1/areas`, headers);
  const cut = t.throwsAsync(slow, { code: 'ECONNRESET' });
  await table.waiting(1);
  service.child.kill('SIGTERM');
  await cut;
  t.deepEqual(await service.ended, [0, null]);
});

for (const path of ['/throw', '/reject']) {
  test(`an uncaught exception (${path}) is logged as fatal; the service exits 1`, async (t) => {
    const databaseUrl = await freshDatabaseUrl(t);
    const environment = { SHUTDOWN_DELAY_MILLISECONDS: '60000' };
    const service = await launchService(t, { service: 'faulty-service', databaseUrl, environment });
    await service.ready();
    const slow = await fetch(`${service.root}/slow`);
    await fetch(service.root + path);
    const { level, err } = await service.logged('uncaught exception');
    t.is(level, 60);
    t.like(err, { message: 'thrown into the void' });
    t.is(await slow.text(), 'answered all the same');
    t.deepEqual(await service.ended, [1, null]);
  });
}

test('a port in use ends the start with code 1 and a message', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const first = await launchService(t, { service: 'faulty-service', databaseUrl });
  await first.ready();
  const environment = { PORT: new URL(first.root).port };
  const second = await launchService(t, { service: 'faulty-service', databaseUrl, environment });
  const { level, err } = await second.logged('the service could not start');
  t.is(level, 60);
  t.like(err, { code: 'EADDRINUSE' });
  t.deepEqual(await second.ended, [1, null]);
});

test('a response that began before the stop is completed, and its connection then closed', async (t) => {
  let begun: ServerResponse | undefined;
  const server = createApiServer((_req, res) => {
    res.write('first,');
    begun = res;
  });
  const stop = createGracefulStop(server);
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const socket = connect(port, '127.0.0.1');
  const received = text(socket);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const res = await waitFor(() => begun, { what: 'the request' });
  stop.begin();
  let isOver = false;
  void stop.finish(120_000).then(() => {
    isOver = true;
  });
  await waitFor(() => !server.listening, { what: 'the end of accepting' });
  res.end('last');
  await waitFor(() => isOver, { what: 'the end of the stop' });
  t.regex(await received, /first,[\s\S]*last/);
});
