import test from 'ava';
import { requestBytes } from '../http/raw-exchange.ts';
import { type Answer, answerOf, invalid } from '../matrix/problem-answer.ts';
import { makeIds, send, writeOperations } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { startGuardedStack } from './guarded-stack.ts';

const stack = await startGuardedStack(test);

const limitBytes = 2 * 1024 * 1024;

const tooLarge: Answer = { status: 413, errorType: 'request', errorCode: 'body_too_large' };

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
const bodyOfSize = (bytes: number, text = '{"title":"x"}') => text.padEnd(bytes);

test.serial(
  'a body of exactly 2 MiB is read, one byte more is refused by every operation that writes',
  async (t) => {
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
  },
);

test.serial('a body with too large a Content-Length is refused before it is read', async (t) => {
  const api = await stack.newClient();
  for (const bytes of [limitBytes + 1, 5_000_000_000]) {
    const headers = [
      ['Host', 'localhost'],
      ['Connection', 'close'],
      ['Authorization', `Bearer ${api.token.secret}`],
      ['Content-Length', String(bytes)],
    ] as const;
    const answer = await stack.anonymous.raw(requestBytes('POST', '/api/public/v1/tasks', headers));
    t.is(answer.status, 413);
    t.is(JSON.parse(answer.body).errorCode, 'body_too_large');
  }
});

test.serial('a body of unknown length is limited while it is read', async (t) => {
  const api = await stack.newClient();
  const before = await storedStateOf(stack, api.account);
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const headers = [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ['Authorization', `Bearer ${api.token.secret}`],
    ['Content-Type', 'application/json'],
    ['Transfer-Encoding', 'chunked'],
  ] as const;
  const body = `${chunk.repeat(33)}0\r\n\r\n`;
  const answer = await stack.anonymous.raw(requestBytes('POST', '/api/public/v1/tasks', headers, body));
  t.is(answer.status, 413);
  t.is(JSON.parse(answer.body).errorCode, 'body_too_large');
  t.deepEqual(await storedStateOf(stack, api.account), before);
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
  test.serial(`${what} are refused, and nothing is stored`, async (t) => {
    const api = await stack.newClient();
    const before = await storedStateOf(stack, api.account);
    t.true(Buffer.byteLength(body) <= limitBytes);
    t.deepEqual(answerOf(await api.post('/tasks', body)), answer);
    t.deepEqual(await storedStateOf(stack, api.account), before);
  });
}

test.serial('a response lists a limited number of unknown members', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post('/tasks', `{"title":"x",${keys(1_500)}}`);
  t.is(status, 400);
  t.is(Object.keys(Object(body.errors)).length, 20);
});
