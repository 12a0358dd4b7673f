import { randomBytes } from 'node:crypto';
import test from 'ava';
import type { Page, Problem, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { words } from '#tests/support/words.ts';
import { answerOf, invalid } from '../matrix/problem-answer.ts';
import { answersOf, eachWith, makeIds, operations, send } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { canary, startGuardedStack } from './guarded-stack.ts';

const stack = await startGuardedStack(test);

const lists = operations.filter(({ query }) => Object.hasOwn(query?.fields ?? {}, 'limit'));

const taskLists = lists.filter(({ query }) => Object.hasOwn(query?.fields ?? {}, 'updatedSince'));

test.serial('no value of limit is refused', async (t) => {
  const api = await stack.newClient();
  const ids = await makeIds(api);
  for (const limit of [
    '0',
    '-1',
    '1.5',
    'abc',
    '',
    ...words('NaN 0x10 %00 %E0%A4%A 99999999999999999999999999 1&limit=2'),
    canary,
  ]) {
    t.deepEqual(
      await answersOf(lists, async (operation) =>
        answerOf(await send(api, operation, ids, { query: `?limit=${limit}` })),
      ),
      eachWith(lists, { status: 200 }),
      limit,
    );
  }
});

test.serial('an invalid limit counts as 50, one above 200 as 200', async (t) => {
  const api = await stack.newClient();
  await makeTasks(api, 201);
  const sizeWith = async (query: string) => (await api.get<Page<Task>>(`/tasks?${query}`)).body.items.length;
  for (const query of [
    '',
    ...words('limit= limit=0 limit=-5 limit=abc limit=1.5 limit=1e2 limit=%201 limit=1&limit=2'),
  ])
    t.is(await sizeWith(query), 50, query);
  for (const query of ['limit=200', 'limit=201', 'limit=9999999999', `limit=${'9'.repeat(400)}`])
    t.is(await sizeWith(query), 200, query);
  for (const [query, size] of [
    ['limit=1', 1],
    ['limit=007', 7],
    ['limit=%2B3', 3],
  ] as const)
    t.is(await sizeWith(query), size, query);
});

test.serial('a cursor that was not issued for this list is refused', async (t) => {
  const api = await stack.newClient();
  const ids = await makeIds(api);
  await makeTasks(api, 3);
  const own =
    (await api.get<Page<Task>>('/tasks?limit=1')).body.nextCursor ?? t.fail('there is no second page');
  t.is((await api.get(`/tasks?cursor=${own}`)).status, 200);

  const bytes = Buffer.from(own, 'base64url');
  const flipped = bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte));
  const flippedMac = bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
  for (const [what, cursor] of Object.entries({
    'a word': 'x',
    'random bytes': randomBytes(60).toString('base64url'),
    'nothing but its check': bytes.subarray(0, 16).toString('base64url'),
    'cut short': own.slice(0, -1),
    'longer by one': `${own}A`,
    padded: `${own}=`,
    'another alphabet': `${own.slice(0, -1)}+`,
    'with a blank': `${own} `,
    'with U+0000': `${own}\0`,
    'in capitals': own.toUpperCase(),
    'one bit off': Buffer.from(flipped).toString('base64url'),
    'one bit off in its check': Buffer.from(flippedMac).toString('base64url'),
    'twice itself': own + own,
    'very long': 'A'.repeat(5_000),
    quoted: `'; drop table task; --`,
    'JSON of a date and a key': Buffer.from('["2026-11-16","0","0"]').toString('base64url'),
  })) {
    const answer = await api.get(`/tasks?cursor=${encodeURIComponent(cursor)}`);
    t.deepEqual(answerOf(answer), invalid('cursor'), what);
  }
  for (const operation of lists) {
    const notOf = operation.operationId === 'listTasks' ? 'x' : own;
    const answer = answerOf(await send(api, operation, ids, { query: `?cursor=${notOf}` }));
    t.deepEqual(answer, invalid('cursor'), operation.operationId);
  }
});

test.serial('updatedSince is refused unless it is an RFC 3339 date-time with an offset', async (t) => {
  const api = await stack.newClient();
  const ids = await makeIds(api);
  for (const value of [
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00 02:00',
    ...words(`2026-01-01T24:00:00Z 2026-01-01T12:00:60Z 2026-01-01T00:00:00+24:00
      2026-01-01T00:00:00+0200 2026-01-01T00:00:00[UTC] 2026-02-29T00:00:00Z
      0000-01-01T00:00:00Z +010000-01-01T00:00:00Z 0001-01-01T00:00:00+14:00
      9999-12-31T23:59:59-00:01 2016-12-30T23:59:60Z 2016-12-31T23:59:60+01:00 1767225600
      today`),
    'Thu, 01 Jan 2026 00:00:00 GMT',
    '',
    '2026-01-01T00:00:00Z\0',
  ]) {
    const answers = await answersOf(taskLists, async (operation) =>
      answerOf(await send(api, operation, ids, { query: `?updatedSince=${encodeURIComponent(value)}` })),
    );
    t.deepEqual(answers, eachWith(taskLists, invalid('updatedSince')), value);
  }
  for (const value of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-00:01']) {
    const { body } = await api.get<Problem>(`/tasks?updatedSince=${value}`);
    t.deepEqual(body.errors?.updatedSince, ['updatedSince must be in the years 0001 to 9999 in UTC']);
  }
});

test.serial('a value outside its list is refused by name', async (t) => {
  const api = await stack.newClient();
  for (const value of ['', 'Inbox', 'inbox ', 'nope', 'toString', '__proto__', '\0', "'", canary].map(
    encodeURIComponent,
  )) {
    t.deepEqual(answerOf(await api.get(`/tasks?view=${value}`)), invalid('view'), value);
    t.deepEqual(answerOf(await api.get(`/tasks?status=${value}`)), invalid('status'), value);
    t.deepEqual(answerOf(await api.get(`/projects?status=${value}`)), invalid('status'), value);
  }
  const everything = '?view=x&status=x&updatedSince=x&cursor=x&projectId=x&areaId=x&limit=x';
  const { fields } = answerOf(await api.get(`/tasks${everything}`));
  t.deepEqual(fields?.toSorted(), ['areaId', 'projectId', 'status', 'updatedSince', 'view']);
});

test.serial('a parameter given twice is refused by name, limit alone excepted', async (t) => {
  const api = await stack.newClient();
  const { project, area } = await makeIds(api);
  for (const [name, value] of Object.entries({
    view: 'all',
    status: 'open',
    projectId: project,
    areaId: area,
    updatedSince: '2026-01-01T00:00:00Z',
  })) {
    const answer = await api.get(`/tasks?${name}=${value}&${name}=${value}`);
    t.deepEqual(answerOf(answer), invalid(name), name);
  }
});

test.serial('unknown parameters are ignored, whatever their names', async (t) => {
  const api = await stack.newClient();
  const ids = await makeIds(api);
  const expected = (await api.get('/tasks')).body;
  for (const query of [
    ...words(`surplus=1 View=inbox view[]=inbox view[x]=inbox page=2&per_page=1&offset=3
      __proto__=x&constructor=x&toString=x&hasOwnProperty=x
      __proto__[view]=inbox&constructor[prototype][view]=inbox =x&&&=`),
    `${encodeURIComponent('\0')}=1`,
    '%E0%A4%A=1',
    `x=${'y'.repeat(8_000)}`,
    Array.from({ length: 1_000 }, (_, index) => `p${index}=`).join('&'),
  ]) {
    t.deepEqual((await api.get(`/tasks?${query}`)).body, expected, query);
  }
  const reads = operations.filter(({ method }) => method === 'get');
  t.deepEqual(
    await answersOf(reads, async (operation) =>
      answerOf(await send(api, operation, ids, { query: '?surplus=1&surplus=2' })),
    ),
    eachWith(reads, { status: 200 }),
  );
});

/** Most of these PostgreSQL or JavaScript would read as a date. */
const noDates = [
  'infinity',
  'today',
  'January 8, 1999',
  ...words(`20260101 2026-1-1 01/02/2026 2026-W01-1 2026-01 0000-01-01 +2026-01-01 10000-01-01
    2026-13-01 2026-02-29 1900-02-29`),
  '2026-01-01 ',
  '2026-01-01T00:00:00Z',
  '２０２６-01-01',
  '',
];

test.serial('a date is a real day in the years 0001 to 9999, spelt in one way', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api);
  const project = await makeProject(api);
  for (const date of ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1582-10-10']) {
    const { status, body } = await api.post('/tasks', { title: 'x', dueDate: date, deadlineDate: date });
    t.is(status, 201, date);
    t.like(body, { dueDate: date, deadlineDate: date });
  }
  const before = await storedStateOf(stack, api.account);
  for (const date of noDates) {
    for (const field of ['dueDate', 'deadlineDate']) {
      t.deepEqual(answerOf(await api.post('/tasks', { title: 'x', [field]: date })), invalid(field), date);
      t.deepEqual(answerOf(await api.patch(`/tasks/${task.id}`, { [field]: date })), invalid(field), date);
    }
    const deadline = { deadlineDate: date };
    t.deepEqual(answerOf(await api.post('/projects', { title: 'x', ...deadline })), invalid('deadlineDate'));
    t.deepEqual(answerOf(await api.patch(`/projects/${project.id}`, deadline)), invalid('deadlineDate'));
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('a time of day has two digits for each of hour and minute', async (t) => {
  const api = await stack.newClient();
  for (const reminderTime of ['00:00', '09:30', '19:59', '23:59']) {
    const { status } = await api.post('/tasks', { title: 'x', dueDate: '2026-11-16', reminderTime });
    t.is(status, 201, reminderTime);
  }
  const before = await storedStateOf(stack, api.account);
  for (const reminderTime of [
    ...words('24:00 23:60 9:30 0930 09:30:00'),
    ' 09:30',
    '０９:30',
    'allballs',
    '',
  ]) {
    const answer = await api.post('/tasks', { title: 'x', dueDate: '2026-11-16', reminderTime });
    t.deepEqual(answerOf(answer), invalid('reminderTime'), reminderTime);
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});
