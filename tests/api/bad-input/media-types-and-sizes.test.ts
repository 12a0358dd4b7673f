import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import test from 'ava';
import { authorization, parsed, plainHeaders, requestBytes } from '../http/raw-exchange.ts';
import { type Answer, answerOf, invalid } from '../matrix/problem-answer.ts';
import { bodyOf, makeIds, send, writeOperations } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { canary, startGuardedStack, testsOfRefusals } from './guarded-stack.ts';

const stack = await startGuardedStack(test);
const refusals = testsOfRefusals(test, stack);

const unsupported: Answer = { status: 415, errorType: 'request', errorCode: 'unsupported_media_type' };
const tooLarge: Answer = { status: 413, errorType: 'request', errorCode: 'body_too_large' };
const json = `{"title":"${canary}"}`;

test.serial('JSON is accepted under every spelling of its type and of UTF-8', async (t) => {
  const api = await stack.newClient();
  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json ; Charset=Utf-8',
    'application/json; profile=x; charset=utf-8',
    'application/json; profile="https://example.com/a"',
    'application/json;',
  ]) {
    const { status } = await api.post('/tasks', json, { headers: { 'Content-Type': type } });
    t.is(status, 201, type);
  }
});

for (const [what, types] of Object.entries({
  'another charset': [
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset=utf-16; charset=utf-8',
  ],
  'another type': [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/json, text/plain',
    'application/json/x',
    '*/*',
  ],
  'no type': [''],
})) {
  refusals(`a body of ${what} is refused by every operation that writes`, async (t, { api, ids }) => {
    for (const type of types)
      t.deepEqual(answerOf(await api.with({ 'Content-Type': type }).post('/tasks', json)), unsupported, type);
    const client = api.with({ 'Content-Type': types[0] ?? '' });
    for (const operation of writeOperations) {
      const body = JSON.stringify(bodyOf(operation, ids) ?? {});
      const answer = await send(client, operation, ids, { body });
      t.deepEqual(answerOf(answer), unsupported, operation.operationId);
    }
  });
}

test.serial('only merge patches accept their media type', async (t) => {
  const ofMergePatch = { 'Content-Type': 'application/merge-patch+json; charset=utf-8' };
  for (const operation of writeOperations) {
    const api = await stack.newClient({ plan: 'premium' });
    const ids = await makeIds(api);
    const body = JSON.stringify(bodyOf(operation, ids) ?? {});
    const answer = answerOf(await send(api.with(ofMergePatch), operation, ids, { body }));
    t.deepEqual(answer, operation.method === 'patch' ? { status: 200 } : unsupported, operation.operationId);
  }
});

test.serial('an operation that takes no body answers none and an empty object of any type', async (t) => {
  for (const operation of writeOperations.filter(({ body }) => body === undefined)) {
    for (const [type, body] of [
      ['application/json', ' { } '],
      ['application/x-www-form-urlencoded', ''],
      ['', ''],
    ] as const) {
      const api = await stack.newClient();
      const answer = await send(api.with({ 'Content-Type': type }), operation, await makeIds(api), {
        body,
      });
      t.is(answer.status, operation.success.status, `${operation.operationId} ${type} ${body}`);
    }
  }
});

test.serial('a compressed body is read like any other', async (t) => {
  const api = await stack.newClient();
  for (const [encoding, body] of [
    ['gzip', gzipSync(json)],
    ['GZIP', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['br', brotliCompressSync(json)],
    ['zstd', zstdCompressSync(json)],
    ['identity', json],
  ] as const) {
    const answer = await api.post('/tasks', body, { headers: { 'Content-Encoding': encoding } });
    t.is(answer.status, 201, encoding);
    t.is(answer.body.title, canary);
  }
});

refusals('a compressed body is limited by its decompressed size', async (t, { api }) => {
  const bomb = Buffer.alloc(50 * 1024 * 1024, ' ');
  for (const [encoding, body] of [
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
    ['zstd', zstdCompressSync(bomb)],
  ] as const) {
    t.true(body.length < 100_000);
    const answer = await api.post('/tasks', body, { headers: { 'Content-Encoding': encoding } });
    t.deepEqual(answerOf(answer), tooLarge, encoding);
  }
});

refusals('a body that does not match its Content-Encoding is refused', async (t, { api }) => {
  const whole = gzipSync(json);
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 6) ^ 0xff, damaged.length - 6);
  for (const [encoding, body] of [
    ['gzip', json],
    ['gzip', whole.subarray(0, -9)],
    ['gzip', damaged],
    ['deflate', whole],
    ['br', whole],
    ['zstd', whole],
  ] as const) {
    const answer = await api.post('/tasks', body, { headers: { 'Content-Encoding': encoding } });
    t.deepEqual(answerOf(answer), invalid('body'), encoding);
  }
});

refusals('an unknown encoding of the body is refused', async (t, { api }) => {
  for (const encoding of ['compress', 'x', 'gzip, gzip', 'gzip, identity', 'utf-8']) {
    const answer = await api.post('/tasks', gzipSync(json), { headers: { 'Content-Encoding': encoding } });
    t.deepEqual(answerOf(answer), unsupported, encoding);
  }
});

const limitBytes = 2 * 1024 * 1024;

test.serial('the longest legal task passes in its longest spelling', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const escaped = '\\ud83d\\ude00'.repeat(100_000);
  const title = '😀'.repeat(1_024);
  const checklist = Array.from({ length: 200 }, () => ({ title, completed: true }));
  const rest = JSON.stringify({
    title,
    checklist,
    dueDate: '2026-11-16',
    deadlineDate: '2026-11-17',
    reminderTime: '09:30',
    recurrence: { frequency: 'weekly', interval: 1, weekdays: ['monday'], fromCompletion: false },
  });
  const body = `{"description":"${escaped}",${rest.slice(1)}`;
  t.true(Buffer.byteLength(body) <= limitBytes);
  const created = await api.post('/tasks', body);
  t.is(created.status, 201);
  t.is(created.body.description, '😀'.repeat(100_000));
  t.is(Object(created.body.checklist).length, 200);

  const patched = await api.patch(`/tasks/${created.body.id}`, body);
  t.is(patched.status, 200);
  t.is(patched.body.updatedAt, (await api.get(`/tasks/${created.body.id}`)).body.updatedAt);
});

/** A body of exactly this size, right but for the blanks that fill it up. */
const bodyOfSize = (bytes: number) => '{"title":"x"}'.padEnd(bytes);

test.serial('every operation that writes reads a body of 2 MiB and refuses one byte more', async (t) => {
  const api = await stack.newClient();
  const ids = await makeIds(api);
  const fitting = await api.post('/areas', bodyOfSize(limitBytes));
  t.is(fitting.status, 201);
  const before = await storedStateOf(stack, api.account);
  for (const operation of writeOperations) {
    const answer = await send(api, operation, ids, { body: bodyOfSize(limitBytes + 1) });
    t.deepEqual(answerOf(answer), tooLarge, operation.operationId);
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('a body with too large a Content-Length is refused before it is read', async (t) => {
  const api = await stack.newClient();
  for (const bytes of [limitBytes + 1, 5_000_000_000]) {
    const headers = [...plainHeaders, authorization(api), ['Content-Length', String(bytes)] as const];
    const answer = await stack.anonymous.raw(requestBytes('POST', '/api/public/v1/tasks', headers));
    t.deepEqual(answerOf(parsed(answer)), tooLarge);
  }
});

refusals('a body of unknown length is limited while it is read', async (t, { api }) => {
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const chunked = [
    ['Content-Type', 'application/json'],
    ['Transfer-Encoding', 'chunked'],
  ] as const;
  const headers = [...plainHeaders, authorization(api), ...chunked];
  const body = `${chunk.repeat(33)}0\r\n\r\n`;
  const answer = await stack.anonymous.raw(requestBytes('POST', '/api/public/v1/tasks', headers, body));
  t.deepEqual(answerOf(parsed(answer)), tooLarge);
});

const million = '0,'.repeat(1_000_000).slice(0, -1);

const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => `"k${index.toString(36)}":0`).join(',');

for (const [what, body, answer] of [
  ['a million checklist items', `{"title":"x","checklist":[${million}]}`, invalid('body')],
  ['a million entries and no object', `[${million}]`, invalid('body')],
  ['100,000 unknown members', `{"title":"x",${keys(100_000)}}`, invalid('body')],
  ['half a million empty arrays', `{"title":"x","surplus":[${'[],'.repeat(500_000)}0]}`, invalid('body')],
  ['a title of 2 MiB of blanks', `{"title":"${' '.repeat(limitBytes - 20)}"}`, invalid('title')],
  ['a number of 2 MiB', `{"title":"x","surplus":${'9'.repeat(limitBytes - 40)}}`, invalid('surplus')],
  ['an unfinished string of 2 MiB', `{"title":"${'\\u0041'.repeat(340_000)}`, invalid('body')],
] as const) {
  refusals(`${what} are refused, and nothing is stored`, async (t, { api }) => {
    t.true(Buffer.byteLength(body) <= limitBytes);
    t.deepEqual(answerOf(await api.post('/tasks', body)), answer);
  });
}

test.serial('a response lists a limited number of unknown members', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post('/tasks', `{"title":"x",${keys(1_500)}}`);
  t.is(status, 400);
  t.is(Object.keys(Object(body.errors)).length, 20);
});
