import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { openPathGateway } from '#local/path-gateway.ts';
import { createApiServer } from '#shared/http/run-server.ts';

type Seen = { method: string; url: string; headers: string[]; body: string };

async function listenOnFreePort(t: ExecutionContext, listener: RequestListener): Promise<number> {
  const server = createApiServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

/** A service that tells what reached it. */
const mirror: RequestListener = async (req, res) => {
  const seen: Seen = {
    method: req.method ?? '',
    url: req.url ?? '',
    headers: req.rawHeaders,
    body: await text(req).catch(() => 'broken off'),
  };
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(seen));
};

type Ports = { authServer?: RequestListener; resourceApi?: RequestListener; trustedProxyHops?: number };

async function openGateway(t: ExecutionContext, { authServer, resourceApi, trustedProxyHops = 0 }: Ports) {
  const authPort = authServer && (await listenOnFreePort(t, authServer));
  const apiPort = resourceApi && (await listenOnFreePort(t, resourceApi));
  const port = await findFreePort();
  const gateway = await openPathGateway({
    port,
    hosts: ['127.0.0.1'],
    trustedProxyHops,
    portOf: (service) => (service === 'auth-server' ? authPort : apiPort),
  });
  t.teardown(() => gateway.close());
  return { gateway, port };
}

/** Sends exactly these bytes and reads until the other side closes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes, 'latin1');
  return await text(socket);
}

async function mirrored(port: number, bytes: string): Promise<Seen> {
  const answer = await exchange(port, bytes);
  return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
}

function valuesOf(seen: Seen, name: string): string[] {
  return seen.headers.filter(
    (_value, index) => index % 2 === 1 && seen.headers[index - 1]?.toLowerCase() === name,
  );
}

const CLOSE = 'Host: tasks.example\r\nConnection: close\r\n';

test('each path reaches its owner, and nobody else', async (t) => {
  const named =
    (name: string): RequestListener =>
    (_req, res) =>
      void res.end(name);
  const { port } = await openGateway(t, { authServer: named('auth'), resourceApi: named('api') });
  const owners: Record<string, string> = {};
  for (const path of ['/', '/oauth/token', '/api/public/v1/me', '/api/public/v1/auth/token', '/mcp']) {
    owners[path] = await (await fetch(`http://127.0.0.1:${port}${path}?x=/oauth`)).text();
  }
  t.deepEqual(owners, {
    '/': 'auth',
    '/oauth/token': 'auth',
    '/api/public/v1/me': 'api',
    '/api/public/v1/auth/token': 'auth',
    '/mcp': 'api',
  });
});

for (const path of ['/metrics', '/%61pi/public/v1/me', '/x/../oauth/token', '//oauth/token', '*']) {
  test(`${path} is answered 404 in the shape of the API's errors`, async (t) => {
    const { port } = await openGateway(t, { authServer: mirror, resourceApi: mirror });
    const answer = await exchange(port, `OPTIONS ${path} HTTP/1.1\r\n${CLOSE}\r\n`);
    t.regex(answer, /^HTTP\/1\.1 404 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    t.like(body, { errorType: 'not_found', errorCode: 'not_found' });
    t.true(answer.includes(`X-Request-Id: ${body.requestId}`));
  });
}

test('a path is sent on as it is written', async (t) => {
  const { port } = await openGateway(t, { authServer: mirror });
  const seen = await mirrored(
    port,
    `GET /oauth/../api/%2e%2e/public?a=%20&b={"x"}| HTTP/1.1\r\n${CLOSE}\r\n`,
  );
  t.is(seen.url, '/oauth/../api/%2e%2e/public?a=%20&b={"x"}|');
});

test('a target in absolute form is routed by its path and names the host (RFC 9112 §3.2.2)', async (t) => {
  const { port } = await openGateway(t, { authServer: mirror });
  const seen = await mirrored(port, `GET http://other.example/oauth/jwks?x=1 HTTP/1.1\r\n${CLOSE}\r\n`);
  t.is(seen.url, '/oauth/jwks?x=1');
  t.deepEqual(valuesOf(seen, 'host'), ['other.example']);
});

test('repeated headers arrive repeated', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const seen = await mirrored(
    port,
    `GET /api/public/v1/me HTTP/1.1\r\nAuthorization: Bearer a\r\nX-One: 1\r\nauthorization: Bearer b\r\n${CLOSE}\r\n`,
  );
  t.deepEqual(valuesOf(seen, 'authorization'), ['Bearer a', 'Bearer b']);
});

test('headers of the connection stay on the connection (RFC 9110 §7.6.1)', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const seen = await mirrored(
    port,
    'POST /mcp HTTP/1.1\r\nHost: h\r\nConnection: close, X-Private, Content-Length\r\nX-Private: 1\r\nTE: trailers\r\nUpgrade: h2c\r\nKeep-Alive: 5\r\nContent-Length: 2\r\nX-Public: 1\r\n\r\n{}',
  );
  const names = seen.headers.filter((_value, index) => index % 2 === 0).map((name) => name.toLowerCase());
  t.deepEqual(names.toSorted(), [
    'connection',
    'content-length',
    'host',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-public',
  ]);
  t.deepEqual(valuesOf(seen, 'connection'), ['keep-alive']);
  t.is(seen.body, '{}');
});

test("the caller's address comes last in X-Forwarded-For, whatever the caller claims", async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const claims =
    'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil\r\n';
  const seen = await mirrored(port, `GET /mcp HTTP/1.1\r\n${claims}${CLOSE}\r\n`);
  t.deepEqual(valuesOf(seen, 'x-forwarded-for'), ['192.0.2.1, 192.0.2.2, 127.0.0.1']);
  t.deepEqual(valuesOf(seen, 'x-forwarded-proto'), ['http']);
  t.deepEqual(valuesOf(seen, 'x-forwarded-host'), ['tasks.example']);
});

test('a trusted proxy in front may say how the caller reached it', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror, trustedProxyHops: 1 });
  const claims = 'X-Forwarded-Proto: https\r\nX-Forwarded-Host: public.example\r\n';
  const seen = await mirrored(port, `GET /mcp HTTP/1.1\r\n${claims}${CLOSE}\r\n`);
  t.deepEqual(valuesOf(seen, 'x-forwarded-proto'), ['https']);
  t.deepEqual(valuesOf(seen, 'x-forwarded-host'), ['public.example']);
});

test('a POST without a body arrives without one', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const seen = await mirrored(port, `POST /mcp HTTP/1.1\r\n${CLOSE}\r\n`);
  t.deepEqual(
    [valuesOf(seen, 'content-length'), valuesOf(seen, 'transfer-encoding'), seen.body],
    [[], [], ''],
  );
});

test('a body keeps its framing and its bytes', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const sized = await mirrored(port, `DELETE /mcp HTTP/1.1\r\nContent-Length: 5\r\n${CLOSE}\r\nhello`);
  t.deepEqual([valuesOf(sized, 'content-length'), sized.body], [['5'], 'hello']);
  const chunked = await mirrored(
    port,
    `POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${CLOSE}\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
  );
  t.deepEqual([valuesOf(chunked, 'transfer-encoding'), chunked.body], [['chunked'], 'abcde']);
});

test('answers keep their status, their repeated headers and their body', async (t) => {
  const authServer: RequestListener = (_req, res) => {
    res.writeHead(418, 'Short And Stout', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Case', 'Kept']);
    res.end('tea');
  };
  const { port } = await openGateway(t, { authServer });
  const answer = await exchange(port, `GET /sign-in HTTP/1.1\r\n${CLOSE}\r\n`);
  t.regex(answer, /^HTTP\/1\.1 418 Short And Stout\r\n/);
  t.deepEqual(answer.match(/^Set-Cookie: .*$/gm), ['Set-Cookie: a=1', 'Set-Cookie: b=2']);
  t.is(answer.match(/^date:/gim)?.length, 1);
});

test('an answer is streamed while it is being made', async (t) => {
  const finish = Promise.withResolvers<void>();
  const resourceApi: RequestListener = async (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    res.flushHeaders();
    await finish.promise;
    res.write('data: 1\n\n');
    res.end();
  };
  const { port } = await openGateway(t, { resourceApi });
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`);
  t.is(answer.status, 200);
  finish.resolve();
  t.is(await answer.text(), 'data: 1\n\n');
});

test('a service that is down is a 503 that may be read by any page and retried', async (t) => {
  const { port } = await openGateway(t, {});
  const answer = await fetch(`http://127.0.0.1:${port}/api/public/v1/me`);
  t.is(answer.status, 503);
  t.is(answer.headers.get('retry-after'), '1');
  t.is(answer.headers.get('access-control-allow-origin'), '*');
  t.like(await answer.json(), { errorType: 'unavailable', errorCode: 'service_unavailable' });
});

test('a service that dies before it answers is a 503, one that dies while answering a cut connection', async (t) => {
  const authServer: RequestListener = (req) => req.socket.destroy();
  const resourceApi: RequestListener = (req, res) => {
    res.writeHead(200, { 'Content-Length': '10' });
    res.write('half ', () => req.socket.destroy());
  };
  const { port } = await openGateway(t, { authServer, resourceApi });
  t.is((await fetch(`http://127.0.0.1:${port}/sign-in`)).status, 503);
  const cut = await fetch(`http://127.0.0.1:${port}/mcp`);
  await t.throwsAsync(cut.text());
});

test('a caller who goes away is noticed by the service', async (t) => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  const { port } = await openGateway(t, { resourceApi: (req) => arrived.resolve(req) });
  const caller = request({ port, host: '127.0.0.1', path: '/mcp' });
  caller.on('error', () => undefined);
  caller.end();
  const { socket } = await arrived.promise;
  const gone = once(socket, 'close');
  caller.destroy();
  await gone;
  t.true(socket.destroyed);
});

test('a service is asked before any of the body has come', async (t) => {
  const resourceApi: RequestListener = (req, res) => void res.writeHead(401).end(req.headers.expect);
  const { port } = await openGateway(t, { resourceApi });
  for (const expectation of ['', 'Expect: 100-continue\r\n']) {
    const head = `POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 16\r\n${expectation}\r\n`;
    t.regex(await exchange(port, head), /HTTP\/1\.1 401 /);
  }
});

test('a request of HTTP/1.0 that names no host is sent on with one (RFC 9112 §3.2)', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const seen = await mirrored(port, 'GET /mcp HTTP/1.0\r\n\r\n');
  t.regex(valuesOf(seen, 'host').join(), /^127\.0\.0\.1:\d+$/);
});

const chunked = (coding: string, body: string) =>
  `POST /mcp HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`;
const BROKEN_REQUESTS: Record<string, [bytes: string, status: string]> = {
  'no HTTP': ['hello\r\n\r\n', '400'],
  'a header without a colon': ['GET / HTTP/1.1\r\nHost h\r\n\r\n', '400'],
  'two lengths': ['POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', '400'],
  'a length and chunks': [
    'POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '400',
  ],
  'no Host': ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
  'a chunk of no size': [chunked('chunked', 'zz\r\n{}\r\n0\r\n\r\n'), '400'],
  'headers without end': [`GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
};

for (const [title, [bytes, status]] of Object.entries(BROKEN_REQUESTS)) {
  test(`a request with ${title} is refused with ${status}, and the next caller is served`, async (t) => {
    const { port } = await openGateway(t, { authServer: mirror, resourceApi: mirror });
    const answer = await exchange(port, bytes);
    t.true(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    t.is((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
  });
}

test('closing lets the answer under way finish and accepts nothing new', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const resourceApi: RequestListener = async (_req, res) => {
    arrived.resolve();
    await finish.promise;
    res.end('complete');
  };
  const { gateway, port } = await openGateway(t, { resourceApi });
  const underWay = fetch(`http://127.0.0.1:${port}/mcp`);
  await arrived.promise;
  const closed = gateway.close();
  await t.throwsAsync(fetch(`http://127.0.0.1:${port}/mcp`));
  finish.resolve();
  t.is(await (await underWay).text(), 'complete');
  await closed;
});

test('a port that is taken is refused', async (t) => {
  const taken = await listenOnFreePort(t, mirror);
  const opening = openPathGateway({
    port: taken,
    hosts: ['127.0.0.1'],
    trustedProxyHops: 0,
    portOf: () => undefined,
  });
  await t.throwsAsync(opening, { code: 'EADDRINUSE' });
});
