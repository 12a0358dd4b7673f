import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { openPathGateway } from '#local/path-gateway.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';

type Seen = { url: string; headers: Record<string, string>; body: string };

async function serve(t: ExecutionContext, listener: RequestListener): Promise<number> {
  const { port, close } = await listenOnFreePort(createServer(listener));
  t.teardown(close);
  return port;
}

/** A service that returns what reached it. */
const mirror: RequestListener = async (req, res) => {
  const body = await text(req).catch(() => 'broken off');
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ url: req.url, headers: req.headers, body }));
};

type Services = { authServer?: RequestListener; resourceApi?: RequestListener };

async function openGateway(t: ExecutionContext, { authServer, resourceApi }: Services) {
  const authPort = authServer && (await serve(t, authServer));
  const apiPort = resourceApi && (await serve(t, resourceApi));
  const port = await findFreePort();
  const portOf = (service: string) => (service === 'auth-server' ? authPort : apiPort);
  const gateway = await openPathGateway({ port, host: '127.0.0.1', portOf });
  t.teardown(() => gateway.close());
  return { gateway, port, url: `http://127.0.0.1:${port}` };
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

const close = 'Host: tasks.example\r\nConnection: close\r\n';

test('a client’s Connection takes no address away (RFC 9110 §7.6.1)', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const { headers } = await mirrored(
    port,
    'GET /mcp HTTP/1.1\r\nHost: tasks.example\r\nConnection: close, X-Forwarded-For, Authorization\r\n' +
      'Authorization: Bearer a\r\n\r\n',
  );
  t.like(headers, { 'x-forwarded-for': '127.0.0.1', authorization: 'Bearer a' });
});

test('each path reaches its owner, by the path without its query', async (t) => {
  const named =
    (name: string): RequestListener =>
    (_req, res) =>
      void res.end(name);
  const { url } = await openGateway(t, { authServer: named('auth'), resourceApi: named('api') });
  const owners: Record<string, string> = {};
  for (const path of ['/', '/oauth/token', '/api/public/v1/me', '/api/public/v1/auth/token', '/mcp'])
    owners[path] = await (await fetch(`${url}${path}?x=/oauth`)).text();
  t.deepEqual(owners, {
    '/': 'auth',
    '/oauth/token': 'auth',
    '/api/public/v1/me': 'api',
    '/api/public/v1/auth/token': 'auth',
    '/mcp': 'api',
  });
});

test('a path that is spelled otherwise is not resource-api’s', async (t) => {
  const { port } = await openGateway(t, { authServer: mirror });
  for (const path of ['/metrics', '/%61pi/public/v1/me', '/x/../mcp', '//mcp', '/API/public/v1/me'])
    t.is((await mirrored(port, `GET ${path} HTTP/1.1\r\n${close}\r\n`)).url, path);
});

test('a request arrives with its path, host and body as they were written', async (t) => {
  const { port } = await openGateway(t, { authServer: mirror, resourceApi: mirror });
  const path = '/oauth/../api/%2e%2e/public?a=%20&b={"x"}|';
  const get = await mirrored(port, `GET ${path} HTTP/1.1\r\n${close}\r\n`);
  t.is(get.url, path);
  t.is(get.headers.host, 'tasks.example');
  const sized = await mirrored(port, `DELETE /mcp HTTP/1.1\r\nContent-Length: 5\r\n${close}\r\nhello`);
  t.deepEqual([sized.headers['content-length'], sized.body], ['5', 'hello']);
  const chunks = '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
  const chunked = await mirrored(
    port,
    `POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}\r\n${chunks}`,
  );
  t.is(chunked.body, 'abcde');
});

test('the client’s address comes last in X-Forwarded-For, whatever the client claims', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const claims = 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\n';
  const seen = await mirrored(port, `GET /mcp HTTP/1.1\r\n${claims}${close}\r\n`);
  t.is(seen.headers['x-forwarded-for'], '192.0.2.1, 192.0.2.2, 127.0.0.1');
  const plain = await mirrored(port, `GET /mcp HTTP/1.1\r\n${close}\r\n`);
  t.is(plain.headers['x-forwarded-for'], '127.0.0.1');
});

test('a second Authorization header is not hidden from the service', async (t) => {
  const { port } = await openGateway(t, { resourceApi: mirror });
  const twice = 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n';
  const seen = await mirrored(port, `GET /mcp HTTP/1.1\r\n${twice}${close}\r\n`);
  t.is(seen.headers.authorization, 'Bearer a, Bearer b');
});

test('a service that is down, or dies before it responds, is a 503 that any page may read and retry', async (t) => {
  const { url } = await openGateway(t, { authServer: (req) => req.socket.destroy() });
  for (const path of ['/api/public/v1/me', '/sign-in']) {
    const response = await fetch(url + path);
    t.is(response.status, 503);
    t.is(response.headers.get('retry-after'), '1');
    t.is(response.headers.get('access-control-allow-origin'), '*');
    t.like(await response.json(), { errorType: 'unavailable', errorCode: 'service_unavailable' });
  }
});

test('a service that dies while it responds is a cut connection', async (t) => {
  const resourceApi: RequestListener = (req, res) => {
    res.writeHead(200, { 'Content-Length': '10' });
    res.write('half ', () => req.socket.destroy());
  };
  const { url } = await openGateway(t, { resourceApi });
  const cut = await fetch(`${url}/mcp`);
  await t.throwsAsync(cut.text());
});

const chunkedRequest = (coding: string, body: string) =>
  `POST /mcp HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`;
const brokenRequests: Record<string, string> = {
  'no HTTP': 'hello\r\n\r\n',
  'two lengths': 'POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'a length and chunks':
    'POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a chunk of no size': chunkedRequest('chunked', 'zz\r\n{}\r\n0\r\n\r\n'),
  'another coding than chunks': chunkedRequest('gzip', '{}'),
};

test('requests that could be read in two ways are refused, and the next client is served', async (t) => {
  const { port, url } = await openGateway(t, { authServer: mirror, resourceApi: mirror });
  for (const [what, bytes] of Object.entries(brokenRequests)) {
    t.regex(await exchange(port, bytes), /^HTTP\/1\.1 400 /, what);
    t.is((await fetch(url)).status, 200);
  }
});

test('closing lets the request under way finish and accepts nothing new', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const resourceApi: RequestListener = async (_req, res) => {
    arrived.resolve();
    await finish.promise;
    res.end('complete');
  };
  const { gateway, url } = await openGateway(t, { resourceApi });
  const underWay = fetch(`${url}/mcp`);
  await arrived.promise;
  const closed = gateway.close();
  await t.throwsAsync(fetch(`${url}/mcp`));
  finish.resolve();
  t.is(await (await underWay).text(), 'complete');
  await closed;
});

test('a port that is taken is refused', async (t) => {
  const port = await serve(t, mirror);
  const opening = openPathGateway({ port, host: '127.0.0.1', portOf: () => undefined });
  await t.throwsAsync(opening, { code: 'EADDRINUSE' });
});
