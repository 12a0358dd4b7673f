import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { openPathGateway } from '#local/path-gateway.ts';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { OWNED_PATHS, ownerOfPath, type ServiceName } from '#shared/http/path-ownership.ts';
import { bodyLimitBytes } from '#shared/http/request-input.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { type DeclareTest, testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { gatewayFolder, isHaproxyInstalled, startGateway } from './gateway/run-gateway.ts';

const testWithHaproxy = testWithProgram('HAProxy', isHaproxyInstalled);

const configuration = readFileSync(path.join(gatewayFolder, 'haproxy.cfg'), 'utf8');
const lines = configuration.split('\n').map((line) => line.trim());

function settingOf(setting: string): string {
  const found = lines.filter((line) => line.startsWith(`${setting} `));
  if (found.length !== 1) throw new Error(`${setting} is set ${found.length} times`);
  return found[0]?.slice(setting.length + 1) ?? '';
}

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

type Listeners = Partial<Record<ServiceName, RequestListener[]>>;
type Target = { port: number; managementPort: number };
type Targets = Record<ServiceName, Target[]>;
type Stub = { requests: IncomingMessage[]; isReady: boolean; refuse(): void };

/** The replicas of the services, and a gateway in front of them. */
async function openBehind<Gateway extends { port: number }>(
  t: ExecutionContext,
  openGateway: (parts: AsyncDisposableStack, targets: Targets) => Promise<Gateway>,
  listeners: Listeners,
) {
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
    const stub: Stub = { requests, isReady: true, refuse: close };
    const management = await listen((_req, res) => res.writeHead(stub.isReady ? 200 : 503).end());
    return { stub, target: { port, managementPort: management.port } };
  };
  const startAll = (service: ServiceName) => Promise.all((listeners[service] ?? []).map(start));
  const [authServers, apis] = [await startAll('auth-server'), await startAll('resource-api')];
  const gateway = await openGateway(parts, {
    'auth-server': authServers.map(({ target }) => target),
    'resource-api': apis.map(({ target }) => target),
  });
  const baseUrl = `http://127.0.0.1:${gateway.port}`;
  const stubsOf = (started: typeof apis) => started.map(({ stub }) => stub);
  return { gateway, port: gateway.port, baseUrl, auths: stubsOf(authServers), apis: stubsOf(apis) };
}

const openHaproxy = (t: ExecutionContext, listeners: Listeners) => openBehind(t, startGateway, listeners);

/** The gateway of `npm start`. */
const openLocal = (t: ExecutionContext, listeners: Listeners) =>
  openBehind(
    t,
    async (parts, targets) => {
      const port = await findFreePort();
      const portOf = (service: ServiceName) => targets[service][0]?.port;
      const { close } = await openPathGateway({ port, host: '127.0.0.1', portOf });
      parts.defer(close);
      return { port, close };
    },
    listeners,
  );

const named =
  (name: string): RequestListener =>
  (_req, res) =>
    void res.setHeader('X-Request-Id', 'of-the-service').end(name);

/** A service that returns what reached it. */
const mirror: RequestListener = async (req, res) => {
  const body = await text(req).catch(() => 'broken off');
  res.end(JSON.stringify({ url: req.url, headers: req.headers, body }));
};

/** Bytes as they are: a client library would normalise the path. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes, 'latin1');
  return text(socket);
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

type Seen = { url: string; headers: Record<string, string>; body: string };

/** What reaches the service of a request with these lines, further headers and body. */
async function mirrored(port: number, lines: string, body = ''): Promise<Seen> {
  const closing = /^Connection:/m.test(lines) ? '' : 'Connection: close\r\n';
  const answer = await exchange(port, `${lines}\r\nHost: tasks.example\r\n${closing}\r\n${body}`);
  return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
}

type OpenGateway = (t: ExecutionContext, listeners: Listeners) => ReturnType<typeof openBehind>;
const gateways: [name: string, declare: DeclareTest, open: OpenGateway][] = [
  ['npm start', test, openLocal],
  ['HAProxy', testWithHaproxy, openHaproxy],
];

for (const [name, declare, open] of gateways) {
  declare(`${name}: each path and what looks like one reach the owner in the path table`, async (t) => {
    const { port } = await open(t, {
      'auth-server': [named('auth-server')],
      'resource-api': [named('resource-api')],
    });
    const variants = OWNED_PATHS.flatMap(({ path: owned }) => [
      ...['', '/', '/x', 'x', '%2fx'].map((end) => owned + end),
      ...[owned.toUpperCase(), `/${owned}`, `/x/..${owned}`, `/%6${owned.slice(1)}`],
    ]);
    for (const pathname of ['/', '//', '/livez', '/readyz', '/metrics', '/favicon.ico', ...variants]) {
      const head = `GET ${pathname}?x=/oauth HTTP/1.1\r\nHost: tasks.example\r\nConnection: close`;
      t.is(bodyOf(await exchange(port, `${head}\r\n\r\n`)), ownerOfPath(pathname), pathname);
    }
  });

  declare(
    `${name}: the client’s address comes last in X-Forwarded-For, whatever the client sends`,
    async (t) => {
      const { port } = await open(t, { 'resource-api': [mirror] });
      const claims = 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2';
      const seen = await mirrored(port, `GET /mcp HTTP/1.1\r\n${claims}`);
      t.is(seen.headers['x-forwarded-for'], '192.0.2.1, 192.0.2.2, 127.0.0.1');
    },
  );

  declare(`${name}: a client’s Connection header takes no address away (RFC 9110 §7.6.1)`, async (t) => {
    const { port } = await open(t, { 'resource-api': [mirror] });
    const connection = 'Connection: close, X-Forwarded-For, Authorization\r\nAuthorization: Bearer a';
    const { headers } = await mirrored(port, `GET /mcp HTTP/1.1\r\n${connection}`);
    t.like(headers, { 'x-forwarded-for': '127.0.0.1', authorization: 'Bearer a' });
  });

  declare(`${name}: a request that a replica may have read is not sent again: 503`, async (t) => {
    const breaking: RequestListener = (req) => void req.socket.destroy();
    const { baseUrl, apis } = await open(t, { 'resource-api': [breaking, breaking] });
    const answer = await fetch(`${baseUrl}/mcp`, { method: 'POST', body: '{}' });
    t.is(answer.status, 503);
    t.is(answer.headers.get('retry-after'), '1');
    t.is(answer.headers.get('access-control-allow-origin'), '*');
    t.like(await answer.json(), { errorType: 'unavailable', errorCode: 'service_unavailable' });
    t.is(apis.flatMap(({ requests }) => requests).length, 1);
  });

  declare(`${name}: a service that dies while it responds is a cut connection`, async (t) => {
    const dying: RequestListener = (req, res) => {
      res.writeHead(200, { 'Content-Length': '10' });
      res.write('half ', () => req.socket.destroy());
    };
    const { baseUrl } = await open(t, { 'resource-api': [dying] });
    await t.throwsAsync(async () => (await fetch(`${baseUrl}/mcp`)).text());
  });
}

testWithHaproxy('one source has at most 500 connections, however slow it reads', async (t) => {
  const { port, baseUrl } = await openHaproxy(t, {});
  const open = new Set<Socket>();
  const sockets = Array.from({ length: 530 }, () => connect(port, '127.0.0.1'));
  t.teardown(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  }
  await waitFor(() => open.size <= 500, { what: 'connections too many to be refused' });
  t.true(open.size > 490, `${open.size} stay open`);
  sockets.forEach((socket) => void socket.destroy());
  const isServed = () =>
    fetch(baseUrl).then(
      ({ status }) => status > 0,
      () => false,
    );
  await waitFor(isServed, { what: 'the source to be served again' });
});

testWithHaproxy(
  'a service without a ready replica is a 503 with Retry-After; the other goes on',
  async (t) => {
    const listeners = { 'auth-server': [named('auth')], 'resource-api': [named('api')] };
    const { baseUrl, apis } = await openHaproxy(t, listeners);
    for (const stub of apis) stub.isReady = false;
    const isUnavailable = async () => {
      const answer = await fetch(`${baseUrl}/mcp`);
      const body = await answer.text();
      return answer.status === 503 && { answer, body };
    };
    const { answer, body } = await waitFor(isUnavailable, { timeoutMilliseconds: 20_000 });
    t.is(answer.headers.get('retry-after'), '1');
    t.like(JSON.parse(body), { errorType: 'unavailable', errorCode: 'service_unavailable' });
    t.is((await fetch(`${baseUrl}/oauth/x`)).status, 200);
  },
);

testWithHaproxy(
  'a browser that opens a page without a ready replica gets a page, an app the error',
  async (t) => {
    const { baseUrl, auths } = await openHaproxy(t, { 'auth-server': [named('auth')] });
    for (const stub of auths) stub.isReady = false;
    const open = async (Accept: string) => {
      const answer = await fetch(`${baseUrl}/app/`, { headers: { Accept } });
      const { status, headers } = answer;
      return { status, type: headers.get('content-type'), headers, body: await answer.text() };
    };
    const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const isDown = async () => {
      const answer = await open(ofBrowser);
      return answer.status === 503 && answer;
    };
    const { type, headers, body } = await waitFor(isDown, { timeoutMilliseconds: 20_000 });
    t.is(type, 'text/html; charset=utf-8');
    t.is(headers.get('retry-after'), '1');
    t.true(body.includes(`<code>${headers.get('x-request-id')}</code>`));
    t.like(await open('*/*'), { status: 503, type: 'application/json; charset=utf-8' });
  },
);

testWithHaproxy('a refused connection is retried on another replica', async (t) => {
  const { baseUrl, apis } = await openHaproxy(t, { 'resource-api': [named('a'), named('b')] });
  apis[0]?.refuse();
  for (let count = 0; count < 10; count += 1) {
    const answer = await fetch(`${baseUrl}/mcp`, { method: 'POST', body: '{}' });
    t.is(await answer.text(), 'b');
  }
});

testWithHaproxy('a body above the limit of the API is refused before it is sent on', async (t) => {
  const { baseUrl, apis } = await openHaproxy(t, { 'resource-api': [named('api')] });
  const headers = { 'Content-Length': bodyLimitBytes + 1 };
  const sent = request(`${baseUrl}/mcp`, { method: 'POST', headers });
  t.teardown(() => void sent.destroy());
  sent.on('error', () => undefined).write('{');
  const [answer] = await once(sent, 'response');
  t.is(answer.statusCode, 413);
  t.like(JSON.parse(await text(answer)), { errorCode: 'body_too_large' });
  t.deepEqual(apis[0]?.requests, []);
  const longest = { method: 'POST', body: Buffer.alloc(bodyLimitBytes) };
  t.is((await fetch(`${baseUrl}/mcp`, longest)).status, 200);
});

testWithHaproxy('its log has the client’s request id, and no path, query or header', async (t) => {
  const { gateway, baseUrl } = await openHaproxy(t, { 'auth-server': [named('auth')] });
  const headers = { Authorization: 'Bearer tms_secret' };
  for (const target of ['/oauth/authorize?code=tms_secret', '/tms_secret'])
    await (await fetch(baseUrl + target, { headers })).text();
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

test('npm start: a request arrives with its path, host and body as they were written', async (t) => {
  const { port } = await openLocal(t, { 'auth-server': [mirror], 'resource-api': [mirror] });
  const url = '/oauth/../api/%2e%2e/public?a=%20&b={"x"}|';
  const get = await mirrored(port, `GET ${url} HTTP/1.1`);
  t.like(get, { url, headers: { host: 'tasks.example' } });
  const sized = await mirrored(port, 'DELETE /mcp HTTP/1.1\r\nContent-Length: 5', 'hello');
  t.deepEqual([sized.headers['content-length'], sized.body], ['5', 'hello']);
  const chunks = '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
  const chunked = await mirrored(port, 'POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked', chunks);
  t.is(chunked.body, 'abcde');
});

test('npm start: a second Authorization header is not hidden from the service', async (t) => {
  const { port } = await openLocal(t, { 'resource-api': [mirror] });
  const twice = 'Authorization: Bearer a\r\nAuthorization: Bearer b';
  const seen = await mirrored(port, `GET /mcp HTTP/1.1\r\n${twice}`);
  t.is(seen.headers.authorization, 'Bearer a, Bearer b');
});

test('npm start: a service that is down is a 503 that any page may read and retry', async (t) => {
  const { baseUrl } = await openLocal(t, {});
  for (const pathname of ['/api/public/v1/me', '/sign-in']) {
    const answer = await fetch(baseUrl + pathname);
    t.is(answer.status, 503);
    t.is(answer.headers.get('retry-after'), '1');
    t.is(answer.headers.get('access-control-allow-origin'), '*');
    t.like(await answer.json(), { errorType: 'unavailable', errorCode: 'service_unavailable' });
  }
});

test('npm start: closing lets the request under way finish and accepts nothing new', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const waiting: RequestListener = async (_req, res) => {
    arrived.resolve();
    await finish.promise;
    res.end('complete');
  };
  const { gateway, baseUrl } = await openLocal(t, { 'resource-api': [waiting] });
  const underWay = fetch(`${baseUrl}/mcp`);
  await arrived.promise;
  const closed = gateway.close();
  await t.throwsAsync(fetch(`${baseUrl}/mcp`));
  finish.resolve();
  t.is(await (await underWay).text(), 'complete');
  await closed;
});

test('npm start: a port that is taken is refused', async (t) => {
  const { port, close } = await listenOnFreePort(createServer());
  t.teardown(close);
  const opening = openPathGateway({ port, host: '127.0.0.1', portOf: () => undefined });
  await t.throwsAsync(opening, { code: 'EADDRINUSE' });
});
