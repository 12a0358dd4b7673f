import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import express from 'express';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { readJsonBody } from '#shared/http/request-input.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import type { AccountClient } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startGuardedStack } from '../bad-input/guarded-stack.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { authorization, type HeaderLine, plainHeaders, requestBytes } from './raw-exchange.ts';

const stack = await startGuardedStack(test);

const target = `${apiRootPath}/tasks`;

const task = '{"title":"x"}';

const ofTask: HeaderLine = ['Content-Length', String(task.length)];

function post(client: AccountClient, lines: readonly HeaderLine[], body: string): string {
  const headers = [
    ['Host', 'localhost'],
    ['Content-Type', 'application/json'],
    authorization(client),
  ] as const;
  return requestBytes('POST', target, [...headers, ...lines], body);
}

function open() {
  const { hostname, port } = new URL(stack.baseUrl);
  return connect({ host: hostname, port: Number(port) });
}

/** All that a connection responds until the server closes it. */
async function receive(bytes: string): Promise<string> {
  const socket = open();
  socket.write(bytes);
  return text(socket);
}

const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

test.serial('a request smuggled in a body is never executed', async (t) => {
  const api = await stack.newClient();
  const hidden = requestBytes('POST', target, [...plainHeaders, authorization(api)]);
  const before = await storedStateOf(stack, api.account);
  const lines = [
    ['Content-Length', '4'],
    ['Transfer-Encoding', 'chunked'],
  ] as const;
  t.deepEqual(statusesIn(await receive(post(api, lines, `0\r\n\r\n${hidden}`))), [400]);
  t.deepEqual(await storedStateOf(stack, api.account), before);

  const length: HeaderLine = ['Content-Length', String(hidden.length)];
  const whole = requestBytes('GET', `${apiRootPath}/me`, [['Host', 'x'], length], hidden);
  const next = requestBytes('GET', `${apiRootPath}/nothing`, plainHeaders);
  t.deepEqual(statusesIn(await receive(whole + next)), [401, 404]);
});

test.serial('a pipelined request after a refused body is handled separately', async (t) => {
  const api = await stack.newClient();
  const long = ' '.repeat(3_000_000);
  const refused = requestBytes(
    'POST',
    target,
    [
      ['Host', 'x'],
      ['Content-Length', String(long.length)],
    ],
    long,
  );
  const next = post(api, [ofTask, ['Connection', 'close']], task);
  t.deepEqual(statusesIn(await receive(refused + next)), [401, 201]);
  const { items } = (await api.get<Page<Task>>('/tasks')).body;
  t.is(items.length, 1);
});

test.serial('the service uses BASE_URL, whatever the Host header', async (t) => {
  const hosts = [
    ['Host', 'evil.example'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Connection', 'close'],
  ] as const;
  const { status, headers, body } = await stack.anonymous.raw(
    requestBytes('GET', `${apiRootPath}/me`, hosts),
  );
  t.is(status, 401);
  t.false(JSON.stringify([...headers, body]).includes('evil.example'));
});

test.serial('an aborted body stores nothing and is not an error of the service', async (t) => {
  const api = await stack.newClient();
  const project = (await api.post('/projects', { title: 'x' })).body.id;
  const before = await storedStateOf(stack, api.account);
  const aborted = () => stack.log.filter(({ isAborted }) => isAborted === true).length;
  const abortedBefore = aborted();
  const complete = post(api, [['Content-Length', '30']], '').replace(
    target,
    `${apiRootPath}/projects/${project}/complete`,
  );
  for (const bytes of [post(api, [ofTask], task.slice(0, -1)), post(api, [ofTask], ''), complete]) {
    const socket = open();
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write(bytes, resolve));
    socket.resetAndDestroy();
  }
  await waitFor(() => aborted() === abortedBefore + 3, { what: 'the requests to be aborted' });
  t.deepEqual(await storedStateOf(stack, api.account), before);
  t.is((await api.get('/me')).status, 200);
});

test('an aborted body is not treated as none', async (t) => {
  const outcome = Promise.withResolvers<unknown>();
  const app = express().post('/', async (req, res) => {
    await once(res, 'close');
    readJsonBody(req, res, ['application/json']).then(outcome.resolve, outcome.resolve);
  });
  const server = createApiServer(app);
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const socket = connect(port, '127.0.0.1');
  socket.write(requestBytes('POST', '/', [['Host', 'x'], ofTask], '{'), () => socket.resetAndDestroy());
  t.like(await outcome.promise, { code: 'validation_error' });
});

test('a slow request times out, sooner in its headers than in its body', async (t) => {
  const server = createApiServer((_req, res) => {
    res.end();
  });
  t.is(server.headersTimeout, 10_000);
  t.is(server.requestTimeout, 30_000);
  t.is(server.keepAliveTimeout, 75_000);
  t.is(server.timeout, 120_000);

  server.headersTimeout = 50;
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  t.deepEqual(statusesIn(await text(socket)), [408]);
  socket.destroy();
});
