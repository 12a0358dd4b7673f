import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { sweepExpired } from '#resource-api/sweep-expired.ts';
import { systemClock } from '#shared/time/clock.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps, type WebAppClient } from '../app/web-app-client.ts';
import { exportFrom, importInto } from './transfer.ts';

/** Where an account takes a megabyte. */
const full = await startStack(undefined, { environment: { ACCOUNT_STORAGE_MEGABYTES: '1' } });
const stack = await startStack(test);
test.after.always(() => full.close());
const opening = createWebApps(stack);

const at = '2026-11-20T08:00:00.000Z';

const task = (changes: object = {}) => ({
  id: randomUUID(),
  title: 'Task',
  description: null,
  status: 'open',
  list: 'inbox',
  projectId: null,
  sectionId: null,
  dueDate: null,
  deadlineDate: null,
  reminderTime: null,
  recurrence: null,
  recurrenceAnchor: null,
  checklist: [],
  dayPlace: null,
  trashedAt: null,
  isTrashedWithProject: false,
  completedAt: null,
  cancelledAt: null,
  createdAt: at,
  updatedAt: at,
  ...changes,
});

const project = (changes: object = {}) => ({
  id: randomUUID(),
  areaId: null,
  title: 'Project',
  description: null,
  status: 'active',
  deadlineDate: null,
  trashedAt: null,
  completedAt: null,
  cancelledAt: null,
  createdAt: at,
  updatedAt: at,
  sections: [],
  ...changes,
});

/** A line for the head, then one for each record: the first task is on line 4 where there is nothing else. */
function fileOf(
  tasks: object[],
  { projects = [] as object[], areas = [] as object[], head = {} } = {},
): string {
  const counts = { areas: areas.length, projects: projects.length, sections: 0, tasks: tasks.length };
  const lines = (records: object[]) => `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}]`;
  const start = JSON.stringify({ format: 'tasks-account', version: 1, counts, ...head }).slice(0, -1);
  return `${start},"areas":${lines(areas)},"projects":${lines(projects)},"tasks":${lines(tasks)}}`;
}

async function isEmpty(client: WebAppClient): Promise<boolean> {
  const rows = await stack.sql`select from tasks.task where account_id = ${client.account.accountId}
    union all select from tasks.project where account_id = ${client.account.accountId}
    union all select from tasks.import_piece where account_id = ${client.account.accountId}`;
  return rows.length === 0;
}

async function expectRefusal(t: ExecutionContext, file: string | Buffer, place: string, message: RegExp) {
  const client = await (await opening).open({ plan: 'premium' });
  const { phase, problem } = await importInto(stack, client, file);
  t.is(phase, 'refused');
  t.regex(problem?.message ?? '', message);
  t.deepEqual(Object.keys(problem?.errors ?? {}), [place]);
  t.true(await isEmpty(client));
}

const twice = randomUUID();
const good = Array.from({ length: 600 }, () => task());
const refused: Record<string, [file: string | Buffer, place: string, message: RegExp]> = {
  'text that is not JSON': [
    '{"format":"tasks-account",\n"version":1,\n!',
    'file',
    /^Line 3: this is not valid JSON/,
  ],
  'bytes that are not UTF-8': [
    Buffer.from([0x7b, 0xff]),
    'file',
    /not valid UTF-8; only a file that was exported here can be imported/,
  ],
  'half a file': [fileOf(good).slice(0, 5_000), 'file', /ends too early/],
  'a file of something else': [
    '{"format":"bookmarks","version":1}',
    'format',
    /format must be tasks-account/,
  ],
  'lists of another program': ['{"projects":[{"name":"Garden"}]}', 'format', /format must be tasks-account/],
  'a later version': [
    fileOf([task({ mood: 'good' })], { head: { version: 2 } }),
    'version',
    /another release/,
  ],
  'fewer records than announced': [
    fileOf([], { head: { counts: { areas: 0, projects: 0, sections: 0, tasks: 1 } } }),
    'counts',
    /has 0 tasks, not 1/,
  ],
  'a date that does not exist': [
    fileOf([...good, task({ dueDate: '2026-02-30', list: 'someday' })]),
    'tasks[600].dueDate',
    /^Line 604: dueDate must be a day that exists/,
  ],
  'a field that nobody knows': [
    fileOf([task({ colour: 'red' })]),
    'tasks[0].colour',
    /colour is not a field/,
  ],
  'a project that is not in it': [
    fileOf([task({ list: 'project', projectId: randomUUID() })]),
    'tasks[0].projectId',
    /names no project/,
  ],
  'an id that comes twice, far apart': [
    fileOf([task({ id: twice }), ...good, task({ id: twice })]),
    'tasks',
    new RegExp(`two tasks have the id ${twice}`),
  ],
  'half a surrogate pair': [fileOf([task({ title: '\ud83d' })]), 'tasks[0].title', /well-formed Unicode/],
  'a value nested thousands of levels deep': [
    fileOf([task()]).replace('"checklist":[]', `"checklist":${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    'tasks[0].checklist',
    /few levels/,
  ],
  'a completed task that was never completed': [
    fileOf([task({ status: 'completed' })]),
    'tasks[0].completedAt',
    /status completed/,
  ],
};

for (const [title, [file, place, message]] of Object.entries(refused)) {
  test(`refused, with its line and field, and nothing is stored: ${title}`, (t) =>
    expectRefusal(t, file, place, message));
}

test('the limits of the plan hold for a file', async (t) => {
  const open = async () => (await opening).open({ plan: 'free' });
  const limits: [string, string][] = [
    [fileOf([], { projects: Array.from({ length: 6 }, () => project()) }), 'project_limit_reached'],
    [fileOf([task({ list: 'someday', deadlineDate: '2030-01-01' })]), 'premium_required'],
  ];
  for (const [file, code] of limits) {
    const client = await open();
    const { problem } = await importInto(stack, client, file);
    t.is(problem?.errorCode, code);
    t.true(await isEmpty(client));
  }
  const closed = { status: 'completed', completedAt: at };
  const projects = [...Array.from({ length: 5 }, () => project()), project(closed)];
  t.is((await importInto(stack, await open(), fileOf([], { projects }))).phase, 'done');
});

test('notes of a file are sanitised, and ids of another account’s tasks do not change those', async (t) => {
  const owner = await (await opening).open({ plan: 'premium' });
  const { body: own } = await owner.post<{ id: string }>('/tasks', { title: 'Mine', description: 'kept' });
  const stranger = await (await opening).open({ plan: 'premium' });
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script> [x](javascript:alert(3))';
  const file = fileOf([task({ id: own.id, title: 'Theirs', description: hostile })]);
  t.is((await importInto(stack, stranger, file)).phase, 'done');
  const { body: theirs } = await stranger.get<{ descriptionHtml: string }>(`/tasks/${own.id}`);
  t.notRegex(theirs.descriptionHtml, /onerror|<script|javascript:/);
  const { body: mine } = await owner.get<{ title: string }>(`/tasks/${own.id}`);
  t.is(mine.title, 'Mine');
  t.false((await exportFrom(stack, owner)).includes('Theirs'));
});

test('only an empty account takes a file, and its Trash counts', async (t) => {
  const client = await (await opening).open();
  const { body } = await client.post<{ id: string }>('/tasks', { title: 'Old' });
  await client.delete(`/tasks/${body.id}`);
  const { problem } = await importInto(stack, client, fileOf([task()]));
  t.is(problem?.errorCode, 'invalid_state');
  t.regex(problem?.message ?? '', /empty account/);
});

test('a file that exceeds what an account may store is refused and imports nothing', async (t) => {
  const client = await (await createWebApps(full)).open({ plan: 'premium' });
  const long = () => task({ description: 'x'.repeat(90_000) });
  const { problem } = await importInto(full, client, fileOf(Array.from({ length: 8 }, long)));
  t.is(problem?.errorCode, 'storage_limit_reached');
  t.deepEqual(await full.sql`select from tasks.task where account_id = ${client.account.accountId}`, []);
  t.is((await importInto(full, client, fileOf([long()]))).phase, 'done');
});

test('no more is uploaded than an account may store', async (t) => {
  const { app } = await (await createWebApps(full)).open();
  const { body } = await app.post<{ id: string }>('/imports');
  const sendPart = (number: number, bytes: number) =>
    app.post(`/imports/${body.id}/parts`, { number, content: Buffer.alloc(bytes, 'x').toString('base64') });
  t.is((await sendPart(0, 600_000)).status, 204);
  const refusal = await sendPart(1, 600_000);
  t.like(refusal, { status: 403, body: { errorCode: 'storage_limit_reached' } });
  t.is((await sendPart(0, 600_000)).status, 204);
  t.is((await sendPart(1, 400_000)).status, 204);
});

test('an unfinished upload is deleted with its parts and those of the upload it replaced', async (t) => {
  const { accountId } = await full.createAccount();
  await full.sql`insert into tasks.account_import (account_id, id, created_at)
    values (${accountId}, ${accountId}, now() - interval '7 hours')`;
  await full.sql`insert into tasks.import_piece (account_id, import_id, kind, number, content)
    select ${accountId}::uuid, ${accountId}::uuid, 'part', number, ''::bytea
      from generate_series(0, 119) number
    union all select ${accountId}::uuid, gen_random_uuid(), 'part', 0, ''::bytea`;
  const database = openTasksDatabase({ url: full.databaseUrl, poolSize: 1, waitMilliseconds: 20_000 });
  t.teardown(() => database.close());
  t.like(await sweepExpired(database, systemClock), { account_import: 122 });
  t.deepEqual(await full.sql`select from tasks.import_piece where account_id = ${accountId}`, []);
});

test('an import that another tab has replaced says so', async (t) => {
  const { app } = await (await opening).open({});
  const { body: first } = await app.post<{ id: string }>('/imports');
  await app.post('/imports');
  const content = Buffer.from('{}').toString('base64');
  for (const [path, sent] of [['parts', { number: 0, content }], ['run']] as const) {
    const { status, body } = await app.post<{ message: string }>(`/imports/${first.id}/${path}`, sent);
    t.is(status, 404);
    t.is(body.message, 'Another import of this account has replaced this one, of which nothing is stored.');
  }
});
