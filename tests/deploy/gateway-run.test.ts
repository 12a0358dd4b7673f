import { once } from 'node:events';
import { Agent, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { OWNED_PATHS, ownerOfPath, type ServiceName } from '#shared/http/path-ownership.ts';
import { bodyLimitBytes } from '#shared/http/request-input.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import {
  createAddresses,
  type Gateway,
  startGateway,
  testWithHaproxy,
  testWithRecentHaproxy,
} from './gateway/run-gateway.ts';
import { type StubReplica, startStubReplica } from './gateway/stub-replica.ts';

type Replicas = Readonly<Record<ServiceName, StubReplica[]>>;

const named =
  (name: string): RequestListener =>
  (_req, res) =>
    void res.setHeader('X-Request-Id', 'of-the-service').end(name);

async function openGateway(
  t: ExecutionContext,
  listeners: Partial<Record<ServiceName, RequestListener[]>>,
): Promise<{ gateway: Gateway; replicas: Replicas }> {
  const nextAddress = createAddresses();
  const start = (service: ServiceName) =>
    Promise.all((listeners[service] ?? []).map((listener) => startStubReplica(t, nextAddress(), listener)));
  const replicas = { 'auth-server': await start('auth-server'), 'resource-api': await start('resource-api') };
  const gateway = await startGateway(t, (service) => replicas[service].map(({ address }) => address));
  const paths = { 'auth-server': '/oauth/x', 'resource-api': '/mcp' };
  for (const [service, path] of Object.entries(paths) as [ServiceName, string][]) {
    const { length } = replicas[service];
    // Every replica has been found when each has answered.
    const found = new Set<string>();
    const isComplete = async () => {
      const answer = await fetch(gateway.baseUrl + path, { headers: { Connection: 'close' } });
      await answer.text();
      for (const replica of replicas[service]) if (replica.requests.length > 0) found.add(replica.address);
      return found.size === length;
    };
    if (length > 0)
      await waitFor(isComplete, { timeoutMilliseconds: 20_000, what: `replicas of ${service}` });
    for (const replica of replicas[service]) replica.requests.length = 0;
  }
  return { gateway, replicas };
}

async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes, 'latin1');
  return text(socket);
}

const CLOSE = 'Host: tasks.example\r\nConnection: close\r\n';

async function bodyOf(gateway: Gateway, path: string): Promise<string> {
  const answer = await exchange(gateway.port, `GET ${path} HTTP/1.1\r\n${CLOSE}\r\n`);
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}

testWithHaproxy(
  'each path and what looks like one reach the owner that the path table names, or nobody',
  async (t) => {
    const listeners = { 'auth-server': [named('auth-server')], 'resource-api': [named('resource-api')] };
    const { gateway } = await openGateway(t, listeners);
    const variants = OWNED_PATHS.flatMap(({ path }) => [
      path,
      `${path}/`,
      `${path}/x`,
      `${path}x`,
      `${path}%2fx`,
      path.toUpperCase(),
      `/${path}`,
      `/x/..${path}`,
      `/%6${path.slice(1)}`,
    ]);
    for (const path of ['/', '//', '/livez', '/readyz', '/metrics', '/favicon.ico', ...variants]) {
      const body = await bodyOf(gateway, path);
      t.is(body.startsWith('{') ? undefined : body, ownerOfPath(path), path);
      t.is((await bodyOf(gateway, `${path}?x=/oauth/`)) === body || body.startsWith('{'), true, path);
    }
  },
);

for (const method of ['GET', 'OPTIONS']) {
  testWithHaproxy(`what nobody owns is answered as the services would answer it: ${method}`, async (t) => {
    const { gateway } = await openGateway(t, {});
    const answer = await fetch(`${gateway.baseUrl}/metrics`, { method });
    t.is(answer.status, 404);
    const body: { requestId: string } = JSON.parse(await answer.text());
    t.is(answer.headers.get('x-request-id'), body.requestId);
    t.regex(body.requestId, /^[0-9a-f-]{36}$/);
    t.like(body, { errorType: 'not_found', errorCode: 'not_found' });
    t.is(answer.headers.get('access-control-allow-origin'), '*');
    t.is(answer.headers.get('cache-control'), 'no-store');
  });
}

const longHeader = `X-Long: ${'x'.repeat(40_000)}\r\n`;
const refused: Record<string, readonly [bytes: string, status: number]> = {
  'what is not HTTP': ['no request\r\n\r\n', 400],
  'two hosts': [`GET /mcp HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`, 400],
  'an unknown transfer coding': [
    `POST /mcp HTTP/1.1\r\n${CLOSE}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    400,
  ],
  'a head that is too long': [`GET /mcp HTTP/1.1\r\n${CLOSE}${longHeader}\r\n`, 431],
  'a head that does not come to its end': [`GET /mcp HTTP/1.1\r\n${CLOSE}`, 408],
};

for (const [what, [bytes, status]] of Object.entries(refused)) {
  testWithRecentHaproxy(`${what} is refused in the shape of the API: ${status}`, async (t) => {
    const { gateway } = await openGateway(t, {});
    const [head = '', body = ''] = (await exchange(gateway.port, bytes)).split('\r\n\r\n');
    t.true(head.startsWith(`HTTP/1.1 ${status} `), head);
    const problem: { errorCode: string; requestId: string } = JSON.parse(body);
    t.is(problem.errorCode, 'validation_error');
    t.true(head.split('\r\n').includes(`x-request-id: ${problem.requestId}`), head);
  });
}

testWithHaproxy("the caller's address comes last, whatever the caller claims", async (t) => {
  const { gateway, replicas } = await openGateway(t, { 'resource-api': [named('api')] });
  const claims = 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\n';
  await exchange(gateway.port, `GET /mcp HTTP/1.1\r\n${claims}${CLOSE}\r\n`);
  t.is(
    replicas['resource-api'][0]?.requests[0]?.headers['x-forwarded-for'],
    '192.0.2.1, 192.0.2.2, 127.0.0.1',
  );
});

testWithHaproxy(
  'a service without a ready replica is a 503 with Retry-After, and the other goes on',
  async (t) => {
    const listeners = { 'auth-server': [named('auth')], 'resource-api': [named('api')] };
    const { gateway, replicas } = await openGateway(t, listeners);
    const [api] = replicas['resource-api'];
    if (api) api.isReady = false;
    const status = async (path: string) => (await fetch(gateway.baseUrl + path)).status;
    await waitFor(async () => (await status('/mcp')) === 503, { timeoutMilliseconds: 20_000 });
    const answer = await fetch(`${gateway.baseUrl}/mcp`);
    t.is(answer.headers.get('retry-after'), '1');
    t.like(await answer.json(), { errorType: 'unavailable', errorCode: 'service_unavailable' });
    t.is(await status('/oauth/x'), 200);
  },
);

testWithHaproxy('a connection that does not come about is made to another replica', async (t) => {
  const { gateway, replicas } = await openGateway(t, { 'resource-api': [named('a'), named('b')] });
  await replicas['resource-api'][0]?.refuseConnections();
  for (let count = 0; count < 10; count += 1) {
    const answer = await fetch(`${gateway.baseUrl}/mcp`, { method: 'POST', body: '{}' });
    t.is(await answer.text(), 'b');
  }
});

testWithHaproxy('a request that a replica may have read is not sent again: 503', async (t) => {
  let isBreaking = false;
  const breaking: RequestListener = (req, res) => {
    if (isBreaking) req.socket.destroy();
    else res.end();
  };
  const { gateway, replicas } = await openGateway(t, { 'resource-api': [breaking, breaking] });
  isBreaking = true;
  const answer = await fetch(`${gateway.baseUrl}/mcp`, { method: 'POST', body: '{}' });
  t.is(answer.status, 503);
  t.like(await answer.json(), { errorCode: 'service_unavailable' });
  t.is(replicas['resource-api'].flatMap(({ requests }) => requests).length, 1);
});

testWithHaproxy('connections to clients and replicas are kept', async (t) => {
  const { gateway, replicas } = await openGateway(t, { 'resource-api': [named('api')] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const before = replicas['resource-api'][0]?.connections() ?? 0;
  const sockets = new Set<unknown>();
  for (let count = 0; count < 20; count += 1) {
    const sent = request(`${gateway.baseUrl}/mcp`, { agent }).end();
    const [answer] = await once(sent, 'response');
    sockets.add(answer.socket);
    await text(answer);
  }
  t.is(sockets.size, 1);
  t.true((replicas['resource-api'][0]?.connections() ?? 0) - before <= 1);
});

testWithHaproxy(
  'a body that says it is longer than the API reads is refused before it is sent on',
  async (t) => {
    const { gateway, replicas } = await openGateway(t, { 'resource-api': [named('api')] });
    const headers = { 'Content-Length': bodyLimitBytes + 1 };
    const sent = request(`${gateway.baseUrl}/mcp`, { method: 'POST', headers });
    t.teardown(() => void sent.destroy());
    sent.on('error', () => undefined).write('{');
    const [answer] = await once(sent, 'response');
    t.is(answer.statusCode, 413);
    t.like(JSON.parse(await text(answer)), { errorCode: 'body_too_large' });
    t.is(replicas['resource-api'][0]?.requests.length, 0);
    const longest = { method: 'POST', body: Buffer.alloc(bodyLimitBytes) };
    t.is((await fetch(`${gateway.baseUrl}/mcp`, longest)).status, 200);
  },
);

testWithHaproxy('a replica that is added gets requests, and one that is gone gets none', async (t) => {
  const nextAddress = createAddresses();
  const [first, second] = [nextAddress(), nextAddress()];
  await startStubReplica(t, first, named('first'));
  await startStubReplica(t, second, named('second'));
  let addresses = [first];
  const gateway = await startGateway(t, (service) => (service === 'resource-api' ? addresses : []));
  const answers = (name: string) => async () => (await bodyOf(gateway, '/mcp')) === name;
  await waitFor(answers('first'), { timeoutMilliseconds: 20_000 });
  addresses = [first, second];
  await waitFor(answers('second'), { timeoutMilliseconds: 20_000 });
  addresses = [second];
  const isGone = async () => (await Promise.all(Array.from({ length: 8 }, answers('second')))).every(Boolean);
  await waitFor(isGone, { timeoutMilliseconds: 20_000, what: 'the first replica to be left alone' });
  t.pass();
});

testWithHaproxy(
  'its log names the request by the id that the client got, and nothing of its path, query or headers',
  async (t) => {
    const { gateway } = await openGateway(t, { 'auth-server': [named('auth')] });
    const headers = { Authorization: 'Bearer tms_secret' };
    for (const path of ['/oauth/authorize?code=tms_secret', '/tms_secret'])
      await (await fetch(gateway.baseUrl + path, { headers })).text();
    const line = () => gateway.log.map((entry) => JSON.parse(entry)).find(({ status }) => status === 404);
    const { program, owner } = await waitFor(line, { what: 'the log' });
    t.deepEqual({ program, owner }, { program: 'gateway', owner: 'nobody' });
    t.true(gateway.log.some((entry) => JSON.parse(entry).requestId === 'of-the-service'));
    t.notRegex(gateway.log.join('\n'), /tms_secret|code=/);
  },
);

testWithHaproxy('a soft stop (SIGUSR1) lets the answer under way finish', async (t) => {
  const begun = Promise.withResolvers<() => void>();
  let isHeld = false;
  const held: RequestListener = (_req, res) => {
    if (isHeld) begun.resolve(() => void res.end('whole'));
    else res.end();
  };
  const { gateway } = await openGateway(t, { 'resource-api': [held] });
  isHeld = true;
  const answer = fetch(`${gateway.baseUrl}/mcp`);
  const finish = await begun.promise;
  gateway.child.kill('SIGUSR1');
  await waitFor(
    () =>
      fetch(gateway.baseUrl).then(
        () => false,
        () => true,
      ),
    { what: 'no new connections' },
  );
  finish();
  t.is(await (await answer).text(), 'whole');
  t.is((await gateway.ended)[0], 0);
});
