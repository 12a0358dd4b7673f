import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createApiServer, listen } from '#shared/http/run-server.ts';
import { makeTasks } from '#tests/support/factories.ts';
import type { AccountClient } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startGuardedStack } from '../bad-input/guarded-stack.ts';
import { type Answer, answerOf, invalid } from '../matrix/problem-answer.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { authorization, type HeaderLine, parsed, plainHeaders, requestBytes } from './raw-exchange.ts';

const stack = await startGuardedStack(test);

const notHttp = invalid('request');
const target = `${apiRootPath}/tasks`;
const chunked = 'd\r\n{"title":"x"}\r\n0\r\n\r\n';

async function answerTo(bytes: string): Promise<Answer> {
  const answer = await stack.anonymous.raw(bytes);
  if (answer.headers.get('connection') !== 'close') throw new Error('the connection stays open');
  return answerOf(parsed(answer));
}

function post(client: AccountClient, lines: readonly HeaderLine[], body: string): string {
  const headers = [...plainHeaders, authorization(client), ['Content-Type', 'application/json'] as const];
  return requestBytes('POST', target, [...headers, ...lines], body);
}

test.serial('a body whose length is said in two ways is refused, and nothing is stored', async (t) => {
  const api = await stack.newClient();
  const before = await storedStateOf(stack, api.account);
  for (const [what, lines, body] of [
    [
      'two lengths',
      [
        ['Content-Length', '13'],
        ['Content-Length', '5'],
      ],
      '{"title":"x"}',
    ],
    [
      'the same length twice',
      [
        ['Content-Length', '13'],
        ['Content-Length', '13'],
      ],
      '{"title":"x"}',
    ],
    ['a list of lengths', [['Content-Length', '13, 13']], '{"title":"x"}'],
    [
      'length and chunks',
      [
        ['Content-Length', '4'],
        ['Transfer-Encoding', 'chunked'],
      ],
      chunked,
    ],
    [
      'chunks and length',
      [
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '4'],
      ],
      chunked,
    ],
    [
      'chunks twice',
      [
        ['Transfer-Encoding', 'chunked'],
        ['Transfer-Encoding', 'chunked'],
      ],
      chunked,
    ],
    ['chunks not last', [['Transfer-Encoding', 'chunked, identity']], chunked],
    ['another coding below the chunks', [['Transfer-Encoding', 'gzip, chunked']], chunked],
    ['another coding alone', [['Transfer-Encoding', 'gzip']], chunked],
    ['chunks by another name', [['Transfer-Encoding', 'xchunked']], chunked],
    ['chunks after a blank', [['Transfer-Encoding ', 'chunked']], chunked],
    ['a length with a sign', [['Content-Length', '+13']], '{"title":"x"}'],
    ['a negative length', [['Content-Length', '-1']], '{"title":"x"}'],
    ['a length in hexadecimal', [['Content-Length', '0xd']], '{"title":"x"}'],
    ['a length beyond all numbers', [['Content-Length', '9'.repeat(40)]], '{"title":"x"}'],
    ['a chunk of no size', [['Transfer-Encoding', 'chunked']], 'z\r\n{"title":"x"}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', [['Transfer-Encoding', 'chunked']], '5\r\n{"title":"x"}\r\n0\r\n\r\n'],
    ['a line feed alone in a chunk', [['Transfer-Encoding', 'chunked']], 'd\n{"title":"x"}\n0\n\n'],
  ] as const) {
    t.deepEqual(await answerTo(post(api, lines, body)), notHttp, what);
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('a body sent in chunks is read like any other', async (t) => {
  const api = await stack.newClient();
  for (const body of [chunked, '1\r\n{\r\nc;x=y\r\n"title":"x"}\r\n0\r\nTrailer: x\r\n\r\n']) {
    const answer = await stack.anonymous.raw(post(api, [['Transfer-Encoding', 'chunked']], body));
    t.is(answer.status, 201);
  }
});

test.serial('a request hidden in another’s body is never answered', async (t) => {
  const api = await stack.newClient();
  const hidden = requestBytes('POST', target, [...plainHeaders, authorization(api)], '');
  const before = await storedStateOf(stack, api.account);
  const lines = [
    ['Content-Length', '4'],
    ['Transfer-Encoding', 'chunked'],
  ] as const;
  const { body } = await stack.anonymous.raw(post(api, lines, `0\r\n\r\n${hidden}`));
  t.is(body.split('HTTP/1.1').length, 1);
  t.deepEqual(await storedStateOf(stack, api.account), before);

  const whole = requestBytes(
    'GET',
    `${apiRootPath}/me`,
    [
      ['Host', 'x'],
      ['Content-Length', String(hidden.length)],
    ],
    hidden,
  );
  const close = requestBytes('GET', `${apiRootPath}/nothing`, plainHeaders);
  const received = await receive(whole + close);
  t.deepEqual(statusesIn(received), [401, 404]);
});

test.serial('a request names one host (RFC 9112 §3.2)', async (t) => {
  const api = await stack.newClient();
  const me = (...hosts: string[]) =>
    requestBytes('GET', `${apiRootPath}/me`, [
      ...hosts.map((host) => ['Host', host] as const),
      ['Connection', 'close'],
      authorization(api),
    ]);
  const noHost = [
    'a b/c?',
    'a/',
    'u@a',
    'a:b',
    'a:1:2',
    '[::1',
    '[::1]a',
    '[1::2::3]',
    '[a]',
    '%4',
    'a\\b',
    'ä',
  ];
  for (const hosts of [[], ['a', 'a'], ['a', 'b'], ...noHost.map((host) => [host])])
    t.deepEqual(await answerTo(me(...hosts)), notHttp, hosts.join());
  for (const host of ['any.example:1', 'a_b.example', 'a:', '', '127.0.0.1', '[::1]:8080', '%C3%A4.example'])
    t.deepEqual(await answerTo(me(host)), { status: 200 }, host);
  t.deepEqual(await answerTo(me().replace('HTTP/1.1', 'HTTP/1.0')), { status: 200 });
});

test.serial('the service names its own host whatever host it is called by', async (t) => {
  const headers = [
    ['Host', 'evil.example'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Connection', 'close'],
  ] as const;
  const answer = await stack.anonymous.raw(requestBytes('GET', `${apiRootPath}/me`, headers));
  t.is(answer.status, 401);
  t.false(JSON.stringify([...answer.headers, answer.body]).includes('evil.example'));
});

test.serial('what is no HTTP is answered in the error shape, and the connection closed', async (t) => {
  const { token } = await stack.newClient();
  const line = `Authorization: Bearer ${token.secret}\r\n`;
  const start = `GET ${apiRootPath}/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}`;
  for (const [what, bytes] of Object.entries({
    'a word': 'hello\r\n\r\n',
    'a TLS handshake': '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'another protocol': `GET ${apiRootPath}/me FTP/1.1\r\nHost: x\r\n\r\n`,
    'a version nobody knows': `GET ${apiRootPath}/me HTTP/1.7\r\nHost: x\r\n\r\n`,
    'a header without a colon': `${start}nonsense\r\n\r\n`,
    'a header without a name': `${start}: x\r\n\r\n`,
    'a blank in a header’s name': `${start}X Y: x\r\n\r\n`,
    'a header that goes on in the next line': `${start}X: a\r\n b\r\n\r\n`,
    'U+0000 in a header': `${start}X: a\u0000b\r\n\r\n`,
    'a carriage return in a header': `${start}X: a\rY: b\r\n\r\n`,
    'line feeds alone': start.replaceAll('\r\n', '\n').concat('\n'),
  })) {
    t.deepEqual(await answerTo(bytes), notHttp, what);
  }
});

test.serial('a request line or headers that are too long are refused as such', async (t) => {
  const api = await stack.newClient();
  const long = 'a'.repeat(20_000);
  const many = Array.from({ length: 2_000 }, (_, index): HeaderLine => [`X-${index}`, 'x'.repeat(10)]);
  for (const bytes of [
    requestBytes('GET', `${apiRootPath}/me?x=${long}`, [...plainHeaders, authorization(api)]),
    requestBytes('GET', `${apiRootPath}/me`, [...plainHeaders, authorization(api), ['X', long]]),
    requestBytes('GET', `${apiRootPath}/me`, [...plainHeaders, ['Authorization', `Bearer ${long}`]]),
    requestBytes('GET', `${apiRootPath}/me`, [...plainHeaders, ...many]),
  ]) {
    t.deepEqual(await answerTo(bytes), { ...notHttp, status: 431 });
  }
  t.is((await api.get('/me', { headers: { 'X-Long': 'a'.repeat(10_000) } })).status, 200);
});

test.serial('an expectation nobody knows changes nothing', async (t) => {
  const api = await stack.newClient();
  const bytes = post(
    api,
    [
      ['Expect', 'a-miracle'],
      ['Content-Length', '13'],
    ],
    '{"title":"x"}',
  );
  t.is((await stack.anonymous.raw(bytes)).status, 201);
});

test.serial('an upgrade that is offered is not taken', async (t) => {
  const api = await stack.newClient();
  for (const protocol of ['websocket', 'h2c', 'TLS/1.3']) {
    const bytes = requestBytes('GET', `${apiRootPath}/me`, [
      ['Host', 'x'],
      ['Connection', 'Upgrade, close'],
      ['Upgrade', protocol],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      authorization(api),
    ]);
    t.is((await stack.anonymous.raw(bytes)).status, 200, protocol);
  }
});

/** All that a connection answers until the server closes it. */
async function receive(bytes: string): Promise<string> {
  const { hostname, port } = new URL(stack.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  return text(socket);
}

const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

test.serial(
  'requests sent at once over one connection are answered one by one, in their order',
  async (t) => {
    const api = await stack.newClient();
    await makeTasks(api, 3);
    const keepAlive = [['Host', 'x'], authorization(api)] as const;
    const received = await receive(
      [
        requestBytes('GET', `${target}?limit=1`, keepAlive),
        requestBytes('GET', `${apiRootPath}/nothing`, keepAlive),
        requestBytes('GET', `${apiRootPath}/me`, [['Host', 'x']]),
        requestBytes('PUT', target, keepAlive),
        requestBytes('GET', `${apiRootPath}/me`, [...keepAlive, ['Connection', 'close']]),
      ].join(''),
    );
    t.deepEqual(statusesIn(received), [200, 404, 401, 405, 200]);
  },
);

test.serial('a body that breaks off stores nothing and is no error of the service', async (t) => {
  const api = await stack.newClient();
  const before = await storedStateOf(stack, api.account);
  const { hostname, port } = new URL(stack.baseUrl);
  const aborted = () => stack.log.filter(({ isAborted }) => isAborted === true).length;
  const abortedBefore = aborted();
  for (const body of ['{"title":"x"', '']) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write(post(api, [['Content-Length', '13']], body), resolve));
    socket.resetAndDestroy();
  }
  await waitFor(() => aborted() === abortedBefore + 2, { what: 'both requests to be given up' });
  t.deepEqual(await storedStateOf(stack, api.account), before);
  t.is((await api.get('/me')).status, 200);
});

test('a request that does not arrive in time is given up, sooner in its headers than in its body', async (t) => {
  const server = createApiServer((_req, res) => {
    res.end();
  });
  t.teardown(() => server.close());
  t.is(server.headersTimeout, 10_000);
  t.is(server.requestTimeout, 30_000);
  t.is(server.keepAliveTimeout, 75_000);

  server.headersTimeout = 50;
  await listen(server, 0, '127.0.0.1');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  const received = await text(socket);
  t.deepEqual(statusesIn(received), [408]);
  t.is(JSON.parse(received.split('\r\n\r\n')[1] ?? '').errorType, 'validation');
  socket.destroy();
});
