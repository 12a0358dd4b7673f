import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import express from 'express';
import { bodyLimitBytes } from '#shared/http/json-body.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createBodyReader } from '#shared/http/read-body.ts';
import { createApiServer, listen } from '#shared/http/run-server.ts';
import { startStack } from '#tests/support/stack.ts';
import { type Answer, answerOf } from '../matrix/problem-answer.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { authorization, type HeaderLine, parsed, requestBytes } from './raw-exchange.ts';

const stack = await startStack(test, { withAuthServer: true });

const target = `${apiRootPath}/tasks`;
const tooLarge: Answer = { status: 413, errorType: 'request', errorCode: 'body_too_large' };
const task = '{"title":"x"}';
const length: HeaderLine = ['Content-Length', String(task.length)];
const asksFirst: HeaderLine = ['Expect', '100-continue'];
const unreadable = 'The body could not be read to its end.';
const inChunks: HeaderLine = ['Transfer-Encoding', 'chunked'];

function post(path: string, lines: readonly HeaderLine[], body: string | Buffer = ''): Buffer {
  const headers = [['Host', 'localhost'], ['Content-Type', 'application/json'], ...lines] as const;
  return Buffer.concat([Buffer.from(requestBytes('POST', path, headers)), Buffer.from(body)]);
}

/** The only answer on a connection that the server ends. */
async function refusalOf(bytes: Buffer): Promise<Answer> {
  const answer = await stack.anonymous.raw(bytes);
  if (answer.headers.get('connection') !== 'close') throw new Error('the connection stays open');
  return answerOf(parsed(answer));
}

const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

function open(t: ExecutionContext, port = Number(new URL(stack.baseUrl).port)): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  t.teardown(() => socket.destroy());
  return socket;
}

test.serial('a body that says it is too long is refused before it comes', async (t) => {
  const api = await stack.newClient();
  for (const bytes of [bodyLimitBytes + 1, 5_000_000_000]) {
    const announced: HeaderLine = ['Content-Length', String(bytes)];
    const heads = [
      post(target, [authorization(api), announced]),
      post(target, [authorization(api), announced, asksFirst]),
      post(target, [authorization(api), announced, ['Content-Encoding', 'gzip']]),
      post(target, [authorization(api), announced], task),
      post(`${apiRootPath}/auth/token`, [announced]),
    ];
    for (const head of heads) t.deepEqual(await refusalOf(head), tooLarge);
  }
});

test.serial('a body that does not say how long it is is refused at the byte that is too much', async (t) => {
  const api = await stack.newClient();
  const before = await storedStateOf(stack, api.account);
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const grown = chunk(Buffer.alloc(bodyLimitBytes + 1, ' '));
  t.deepEqual(await refusalOf(post(target, [authorization(api), inChunks], grown)), tooLarge);
  const compressed = [authorization(api), inChunks, ['Content-Encoding', 'gzip']] as const;
  const emptyPart = gzipSync('');
  const emptyParts = Buffer.concat(Array.from({ length: 200_000 }, () => emptyPart));
  for (const bytes of [gzipSync(Buffer.alloc(bodyLimitBytes + 1)), emptyParts])
    t.deepEqual(await refusalOf(post(target, compressed, chunk(bytes))), tooLarge);
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('a client that goes on sending after it was refused gets the answer', async (t) => {
  const api = await stack.newClient();
  const body = ' '.repeat(8 * bodyLimitBytes);
  const announced: HeaderLine = ['Content-Length', String(body.length)];
  for (let turn = 0; turn < 5; turn += 1)
    t.deepEqual(await refusalOf(post(target, [authorization(api), announced], body)), tooLarge);
});

test.serial('an answer that comes before the body is the last one of its connection', async (t) => {
  const api = await stack.newClient();
  for (const [path, lines, status] of [
    [target, [length], 401],
    [target, [inChunks], 401],
    [target, [length, asksFirst], 401],
    [`${apiRootPath}/nothing`, [length], 404],
    ['/metrics', [length], 404],
    ['/oauth/nothing', [length], 404],
    [`${apiRootPath}/me`, [length, authorization(api)], 405],
  ] as const) {
    const socket = open(t);
    socket.write(post(path, lines));
    const received = await text(socket);
    t.deepEqual(statusesIn(received), [status], path);
    t.regex(received, /\r\nConnection: close\r\n/i);
  }
});

test.serial('a request behind a body that was refused is not read', async (t) => {
  const api = await stack.newClient();
  const before = await storedStateOf(stack, api.account);
  const next = post(target, [authorization(api), length], task);
  const refused = post(target, [['Content-Length', '3000000']], ' '.repeat(3_000_000));
  const socket = open(t);
  socket.write(Buffer.concat([refused, next]));
  t.deepEqual(statusesIn(await text(socket)), [401]);
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('who asks whether to send its body is told so when it is wanted', async (t) => {
  const api = await stack.newClient();
  const socket = open(t);
  socket.write(post(target, [authorization(api), length, asksFirst, ['Connection', 'close']]));
  const [head] = await once(socket, 'data');
  t.is(String(head), 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(task);
  t.deepEqual(statusesIn(await text(socket)), [201]);
});

async function openServer(t: ExecutionContext, app: RequestListener) {
  const server = createApiServer(app);
  await listen(server, 0, '127.0.0.1');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

test('a body that never comes after its request was answered is given up without another answer', async (t) => {
  const { server, port } = await openServer(t, (_req, res) => res.end('done'));
  server.headersTimeout = 50;
  server.requestTimeout = 50;
  const socket = open(t, port);
  socket.write(requestBytes('GET', '/', [['Host', 'x'], length]));
  const received = await text(socket);
  t.deepEqual(statusesIn(received), [200]);
  t.regex(received, /done$/);
});

test('a body whose sender is gone is not waited for', async (t) => {
  const readBody = createBodyReader(100);
  const outcome = Promise.withResolvers<unknown>();
  const app = express().post('/', async (req, res) => {
    await once(res, 'close');
    await readBody(req, res).catch(outcome.resolve);
  });
  const { port } = await openServer(t, app);
  const socket = open(t, port);
  socket.write(requestBytes('POST', '/', [['Host', 'x'], length], '{'), () => socket.resetAndDestroy());
  t.like(await outcome.promise, { code: 'validation_error', errors: { body: [unreadable] } });
});

test('what is no HTTP is not answered in the place of the request before it', async (t) => {
  const { port } = await openServer(t, () => undefined);
  const socket = open(t, port);
  socket.write(`${requestBytes('GET', '/', [['Host', 'x']])}hello\r\n\r\n`);
  t.is(await text(socket).catch(() => ''), '');
});
