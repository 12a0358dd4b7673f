import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { DEFAULT_OWNER, OWNED_PATHS, ownerOfPath, type ServiceName } from '#shared/http/path-ownership.ts';
import { bodyLimitBytes } from '#shared/http/request-input.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type Gateway, gatewayFolder, isHaproxyInstalled, startGateway } from './gateway/run-gateway.ts';

const testWithHaproxy = testWithProgram('HAProxy', isHaproxyInstalled);

const configuration = readFileSync(path.join(gatewayFolder, 'haproxy.cfg'), 'utf8');
const lines = configuration.split('\n').map((line) => line.trim());

function settingOf(setting: string): string {
  const found = lines.filter((line) => line.startsWith(`${setting} `));
  if (found.length !== 1) throw new Error(`${setting} is set ${found.length} times`);
  return found[0]?.slice(setting.length + 1) ?? '';
}

testWithHaproxy('HAProxy accepts the configuration', (t) => {
  const env = { ...process.env, GATEWAY_BIND: '127.0.0.1:1' };
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', path.join(gatewayFolder, 'haproxy.cfg')], {
    encoding: 'utf8',
    env,
  });
  t.is(status, 0, stderr);
});

test('the paths and their owners are those of the path table, the longest first', (t) => {
  const lengthOf = (rule: string) => /\{ path (\S+) \}/.exec(rule)?.[1]?.length ?? 0;
  const rules = lines.filter((line) => line.startsWith('use_backend '));
  const expected = OWNED_PATHS.map(
    ({ path: owned, owner }) => `use_backend ${owner} if { path ${owned} } || { path_beg ${owned}/ }`,
  );
  t.deepEqual(rules.toSorted(), expected.toSorted());
  const lengths = rules.map(lengthOf);
  t.deepEqual(
    lengths,
    lengths.toSorted((left, right) => right - left),
  );
  t.is(settingOf('default_backend'), DEFAULT_OWNER);
});

test('its own responses have the bodies of the error catalogue', (t) => {
  const answers = readdirSync(path.join(gatewayFolder, 'answers'));
  t.true(answers.length >= 6);
  for (const file of answers) {
    const written = readFileSync(path.join(gatewayFolder, 'answers', file), 'utf8');
    const [head = '', body = ''] = file.endsWith('.http') ? written.split('\n\n') : ['', written];
    const { errorType, errorCode, message, requestId }: Record<string, string> = JSON.parse(body);
    const expected = errorCatalogue[errorCode as keyof typeof errorCatalogue];
    t.deepEqual({ errorType, message }, { errorType: expected.type, message: expected.message }, file);
    if (head === '') t.is(requestId, '%[var(txn.request_id)]', file);
    else {
      t.true(head.includes(`\nContent-Length: ${Buffer.byteLength(body)}\n`), file);
      t.true(head.includes(`\nX-Request-Id: ${requestId}`), file);
    }
  }
});

test('its timeouts exceed the services’, and it retries only failed connections', (t) => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = createApiServer(() => undefined);
  const milliseconds = (setting: string) => Number(/^(\d+)s$/.exec(settingOf(setting))?.[1]) * 1_000;
  t.is(milliseconds('timeout http-request'), headersTimeout);
  t.true(milliseconds('timeout server') > requestTimeout);
  t.true(milliseconds('timeout client') > timeout);
  t.is(milliseconds('timeout http-keep-alive'), keepAliveTimeout);
  t.is(settingOf('retry-on'), 'conn-failure');
});

type Stub = { requests: IncomingMessage[]; isReady: boolean; refuse(): void };

async function openGateway(
  t: ExecutionContext,
  listeners: Partial<Record<ServiceName, RequestListener[]>>,
): Promise<{ gateway: Gateway; apis: Stub[] }> {
  const parts = new AsyncDisposableStack();
  t.teardown(() => parts.disposeAsync());
  const listen = async (listener: RequestListener) => {
    const listening = await listenOnFreePort(createServer(listener));
    parts.defer(listening.close);
    return listening;
  };
  const start = async (listener: RequestListener) => {
    const requests: IncomingMessage[] = [];
    const { port, close } = await listen((req, res) => {
      requests.push(req);
      listener(req, res);
    });
    const stub = { requests, isReady: true, refuse: close };
    const management = await listen((_req, res) => res.writeHead(stub.isReady ? 200 : 503).end());
    return { stub, target: { port, managementPort: management.port } };
  };
  const startAll = (service: ServiceName) => Promise.all((listeners[service] ?? []).map(start));
  const [authServers, apis] = [await startAll('auth-server'), await startAll('resource-api')];
  const gateway = await startGateway(parts, {
    'auth-server': authServers.map(({ target }) => target),
    'resource-api': apis.map(({ target }) => target),
  });
  return { gateway, apis: apis.map(({ stub }) => stub) };
}

const named =
  (name: string): RequestListener =>
  (_req, res) =>
    void res.setHeader('X-Request-Id', 'of-the-service').end(name);

/** Bytes as they are: a client library would normalise the path. */
async function exchange({ port }: Gateway, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head}\r\nHost: tasks.example\r\nConnection: close\r\n\r\n`, 'latin1');
  return text(socket);
}

testWithHaproxy('each path and what looks like one reach the owner in the path table', async (t) => {
  const { gateway } = await openGateway(t, {
    'auth-server': [named('auth-server')],
    'resource-api': [named('resource-api')],
  });
  const variants = OWNED_PATHS.flatMap(({ path: owned }) => [
    ...['', '/', '/x', 'x', '%2fx'].map((end) => owned + end),
    ...[owned.toUpperCase(), `/${owned}`, `/x/..${owned}`, `/%6${owned.slice(1)}`],
  ]);
  for (const pathname of ['/', '//', '/livez', '/readyz', '/metrics', '/favicon.ico', ...variants]) {
    const answer = await exchange(gateway, `GET ${pathname} HTTP/1.1`);
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    t.is(body, ownerOfPath(pathname), pathname);
  }
});

testWithHaproxy(
  'the client’s address comes last in X-Forwarded-For, whatever the client sends',
  async (t) => {
    const { gateway, apis } = await openGateway(t, { 'resource-api': [named('api')] });
    await exchange(gateway, 'GET /mcp HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2');
    const [received] = apis[0]?.requests ?? [];
    t.is(received?.headers['x-forwarded-for'], '192.0.2.1, 192.0.2.2, 127.0.0.1');
  },
);

testWithHaproxy('a client’s Connection header cannot remove X-Forwarded-For (RFC 9110 §7.6.1)', async (t) => {
  const { gateway, apis } = await openGateway(t, { 'resource-api': [named('api')] });
  await exchange(gateway, 'GET /mcp HTTP/1.1\r\nConnection: close, X-Forwarded-For');
  t.is(apis[0]?.requests[0]?.headers['x-forwarded-for'], '127.0.0.1');
});

testWithHaproxy('one source has at most 500 connections, however slow it reads', async (t) => {
  const { gateway } = await openGateway(t, {});
  const open = new Set<Socket>();
  const sockets = Array.from({ length: 530 }, () => connect(gateway.port, '127.0.0.1'));
  t.teardown(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  }
  await waitFor(() => open.size <= 500, { what: 'connections too many to be refused' });
  t.true(open.size > 490, `${open.size} stay open`);
  sockets.forEach((socket) => void socket.destroy());
  const isServed = () =>
    fetch(gateway.baseUrl).then(
      ({ status }) => status > 0,
      () => false,
    );
  await waitFor(isServed, { what: 'the source to be served again' });
});

testWithHaproxy(
  'a service without a ready replica is a 503 with Retry-After; the other goes on',
  async (t) => {
    const listeners = { 'auth-server': [named('auth')], 'resource-api': [named('api')] };
    const { gateway, apis } = await openGateway(t, listeners);
    for (const stub of apis) stub.isReady = false;
    const isUnavailable = async () => {
      const answer = await fetch(`${gateway.baseUrl}/mcp`);
      const body = await answer.text();
      return answer.status === 503 && { answer, body };
    };
    const { answer, body } = await waitFor(isUnavailable, { timeoutMilliseconds: 20_000 });
    t.is(answer.headers.get('retry-after'), '1');
    t.like(JSON.parse(body), { errorType: 'unavailable', errorCode: 'service_unavailable' });
    t.is((await fetch(`${gateway.baseUrl}/oauth/x`)).status, 200);
  },
);

testWithHaproxy('a refused connection is retried on another replica', async (t) => {
  const { gateway, apis } = await openGateway(t, { 'resource-api': [named('a'), named('b')] });
  apis[0]?.refuse();
  for (let count = 0; count < 10; count += 1) {
    const answer = await fetch(`${gateway.baseUrl}/mcp`, { method: 'POST', body: '{}' });
    t.is(await answer.text(), 'b');
  }
});

testWithHaproxy('a request that a replica may have read is not sent again: 503', async (t) => {
  const breaking: RequestListener = (req) => void req.socket.destroy();
  const { gateway, apis } = await openGateway(t, { 'resource-api': [breaking, breaking] });
  const answer = await fetch(`${gateway.baseUrl}/mcp`, { method: 'POST', body: '{}' });
  t.is(answer.status, 503);
  t.like(await answer.json(), { errorCode: 'service_unavailable' });
  t.is(apis.flatMap(({ requests }) => requests).length, 1);
});

testWithHaproxy('a body above the limit of the API is refused before it is sent on', async (t) => {
  const { gateway, apis } = await openGateway(t, { 'resource-api': [named('api')] });
  const headers = { 'Content-Length': bodyLimitBytes + 1 };
  const sent = request(`${gateway.baseUrl}/mcp`, { method: 'POST', headers });
  t.teardown(() => void sent.destroy());
  sent.on('error', () => undefined).write('{');
  const [answer] = await once(sent, 'response');
  t.is(answer.statusCode, 413);
  t.like(JSON.parse(await text(answer)), { errorCode: 'body_too_large' });
  t.deepEqual(apis[0]?.requests, []);
  const longest = { method: 'POST', body: Buffer.alloc(bodyLimitBytes) };
  t.is((await fetch(`${gateway.baseUrl}/mcp`, longest)).status, 200);
});

testWithHaproxy('its log has the client’s request id, and no path, query or header', async (t) => {
  const { gateway } = await openGateway(t, { 'auth-server': [named('auth')] });
  const headers = { Authorization: 'Bearer tms_secret' };
  for (const target of ['/oauth/authorize?code=tms_secret', '/tms_secret'])
    await (await fetch(gateway.baseUrl + target, { headers })).text();
  gateway.child.kill('SIGTERM');
  const log = await gateway.log;
  const entries = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  for (const entry of entries) t.like(entry, { program: 'gateway', owner: 'auth-server' });
  t.true(entries.some(({ requestId }) => requestId === 'of-the-service'));
  t.notRegex(log, /tms_secret|code=/);
});
