import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { taskViews } from '#resource-api/tasks/task-views.ts';
import type { ActivityPage, AppTrashPage } from '#shared/app/app-protocol.ts';
import { runAdmin, runAdminHere } from '#tests/admin/run-admin.ts';
import { pickFrom, seededRandom, tryChange } from '#tests/app/random-change.ts';
import { differences, readStoredRows } from '#tests/app/stored-rows.ts';
import { createWebApps, type WebAppClient } from '#tests/app/web-app-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { makeArea, makeProject, makeTasks } from '#tests/support/factories.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { startStack } from '#tests/support/stack.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';
import { exportFrom, fetchExport, importInto, permit } from './transfer.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const env = { DATABASE_URL: stack.databaseUrl };
const source = await stack.newClient({ plan: 'premium', scopes: ['read', 'write'] });
await source.post('/tasks', { title: 'Water the plants', description: '*Twice*' });
const written = await runAdmin(['account', 'export', '--email', source.account.email], env);

test.after.always(() => stack.close());

/** Programs start slowly on a busy machine. */
const patiently = { timeoutMilliseconds: 60_000 };

async function importHere({ email }: { email: string }, file: string) {
  return await runAdminHere(['account', 'import', '--email', email, '--file', file], env);
}

/** What was written, in a file. */
async function keepFile(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'account-file-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'account.json');
  await writeFile(file, written.stdout);
  return file;
}

test('the operator writes an account to a file, and reads it into an empty one, once', async (t) => {
  t.like(written, { exitCode: 0, stderr: '' });
  const { account, tasks } = JSON.parse(written.stdout);
  t.like(account, { email: source.account.email, plan: 'premium' });
  t.is(account.personalTokens.length, 1);
  t.false(written.stdout.includes('tms_'));
  t.is(tasks.length, 1);

  const file = await keepFile(t);
  const target = await stack.newClient({ plan: 'premium', scopes: ['read', 'write'] });
  t.like(JSON.parse((await importHere(target.account, file)).stdout), {
    accountId: target.account.accountId,
    tasks: 1,
  });
  const isRendered = async () => {
    const { body } = await target.get<{ descriptionHtml: string }>(`/tasks/${tasks[0].id}`);
    return body.descriptionHtml.includes('<em>Twice</em>');
  };
  // A busy machine may cut the rendering short; the service does it again.
  await waitFor(isRendered, { ...patiently, what: 'the rendered notes' });
  const again = await importHere(target.account, file);
  t.like(again, { exitCode: 1, stdout: '' });
  t.regex(again.stderr, /^.*empty account.*\n$/);
});

test('a file that cannot be read is named with the reason, and nothing is imported', async (t) => {
  const { account } = await stack.newClient();
  const folder = path.dirname(await keepFile(t));
  const inside = (name: string) => path.join(folder, name);
  await writeFile(inside('empty.json'), '');
  await writeFile(inside('text.json'), 'hello');
  await writeFile(inside('title.json'), written.stdout.replace('"title":"Water the plants"', '"title":5'));
  const refusals: [string, string][] = [
    [inside('missing.json'), `«${inside('missing.json')}» can't be read: there is no such file`],
    [folder, `«${folder}» can't be read: it is a directory`],
    [inside('empty.json'), 'Line 1: the file is empty.'],
    [
      inside('text.json'),
      'Line 1: this is not valid JSON; only a file that was exported here can be imported.',
    ],
    [inside('title.json'), 'Line 7: title must be a string.'],
  ];
  for (const [file, message] of refusals)
    t.deepEqual(await importHere(account, file), { exitCode: 1, stdout: '', stderr: `${message}\n` });
});

const terminal = '/usr/bin/script';
const testOnTerminal = testWithProgram(terminal, process.platform === 'linux' && existsSync(terminal));

testOnTerminal('on a terminal an answer replaces the progress of the import', async (t) => {
  const file = await keepFile(t);
  const { account } = await stack.newClient({ plan: 'premium' });
  const words = [process.execPath, 'deploy/admin/admin.ts', 'account', 'import', '--email', account.email];
  const command = [...words, '--file', file].map((word) => `'${word}'`).join(' ');
  const { stdout } = await promisify(execFile)(terminal, ['-qec', command, '/dev/null'], {
    env: { ...programEnvironment, ...env },
  });
  const lines = stdout.split('\r').map((line) => line.replace(/[0-9a-f-]{36}/, 'ID').trimEnd());
  const eraseRest = '\u001b[K';
  t.deepEqual(lines.slice(0, 4), [
    '',
    `checking: 1${eraseRest}`,
    `storing: 1${eraseRest}`,
    `${eraseRest}{"accountId":"ID","areas":0,"projects":0,"sections":0,"tasks":1}`,
  ]);
});

/** An import by the operator that waits for the rest of its file. */
async function beginImport(t: ExecutionContext, { email, accountId }: { email: string; accountId: string }) {
  const words = ['deploy/admin/admin.ts', 'account', 'import', '--email', email, '--file', '-'];
  const child = spawn(process.execPath, words, {
    env: { ...programEnvironment, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  child.stdin.write('{"format":"tasks-account","version":1,');
  const lastSeen = async (): Promise<Date | undefined> => {
    const [present] = await stack.sql<{ at: Date | null }>`
      select started_at at from tasks.account_import where account_id = ${accountId}`;
    return present?.at ?? undefined;
  };
  await waitFor(async () => (await lastSeen()) !== undefined, { ...patiently, what: 'the import' });
  return { child, lastSeen };
}

test('an import that is interrupted says so, stores nothing, and can be begun again at once', async (t) => {
  const { account } = await stack.newClient({ plan: 'premium' });
  const { child, lastSeen } = await beginImport(t, account);
  child.kill('SIGINT');
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.is(errors, 'interrupted by SIGINT; nothing was imported\n');
  t.is(child.exitCode, 1);
  t.is(await lastSeen(), undefined);
});

test('a long import excludes others; a killed one can be repeated after a minute', async (t) => {
  const file = await keepFile(t);
  const { account } = await stack.newClient({ plan: 'premium' });
  const repeat = () => importHere(account, file);
  const passMinute = () => stack.sql`
    update tasks.account_import set started_at = started_at - interval '1 minute'
    where account_id = ${account.accountId}`;
  const { child, lastSeen } = await beginImport(t, account);
  const before = await lastSeen();
  await passMinute();
  await waitFor(async () => ((await lastSeen()) ?? 0) > (before ?? 0), { ...patiently, what: 'a renewal' });
  t.regex((await repeat()).stderr, /^.*An import of this account is running.*after a minute\.\n$/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.is((await repeat()).exitCode, 1);
  await passMinute();
  t.is((await repeat()).exitCode, 0);
});

test('an export to a closed pipe or a full disk says that the file is not complete', async (t) => {
  const { account } = await stack.newClient();
  const words = [process.execPath, 'deploy/admin/admin.ts', 'account', 'export', '--email', account.email];
  const endings: [string, string][] = [['| true', 'was closed']];
  if (existsSync('/dev/full'))
    endings.push(['> /dev/full || true', 'could not be written: no space is left']);
  for (const [ending, reason] of endings) {
    const { stderr } = await promisify(execFile)('/bin/sh', ['-c', `"$@" ${ending}`, 'sh', ...words], {
      env: { ...programEnvironment, ...env },
    });
    t.is(stderr, `standard output ${reason}; the file is not complete\n`);
  }
});

type Row = { id: string };

/** Something of every kind that an account can hold, moved about so that no order is that of creation. */
async function liveIn(client: WebAppClient, today: string): Promise<void> {
  const { app } = client;
  const make = async (path: string, body: object) => {
    const { status, body: made } = await client.post<Row>(path, body);
    if (status !== 201) throw new Error(`POST ${path}: ${status}`);
    return made.id;
  };
  const [home, work] = [await make('/areas', { title: 'Home' }), await make('/areas', { title: 'Work «»' })];
  await place(app, 'areas', work, null);
  const garden = await make('/projects', {
    title: 'Garden',
    areaId: home,
    description: '# Beds\n\n<b>x</b>',
  });
  const move = await make('/projects', { title: 'Move', areaId: work, deadlineDate: '2031-02-03' });
  const done = await make('/projects', { title: 'Done' });
  const gone = await make('/projects', { title: 'Gone' });
  await place(app, 'projects', done, null);
  const spring = await make(`/projects/${garden}/sections`, { title: 'Spring' });
  const autumn = await make(`/projects/${garden}/sections`, { title: 'Autumn' });
  await client.patch(`/projects/${garden}/sections/${autumn}`, { position: 0 });
  const texts = ['Plain', 'Umlaut ü, 日本語 🙂', 'Line\u2028separator', '"quotes" \\ and \t tabs'];
  for (const title of texts) await make('/tasks', { title, description: `*${title}*\n\n- [ ] a` });
  const first = await make('/tasks', { title: 'First', dueDate: today, reminderTime: '09:30' });
  const second = await make('/tasks', { title: 'Second', dueDate: today, deadlineDate: '2031-01-01' });
  await place(app, 'tasks', first, second, 'day');
  await place(app, 'tasks', first, null);
  await make('/tasks', { title: 'Sown', sectionId: spring, checklist: [{ title: 'a', completed: true }] });
  await make('/tasks', { title: 'Raked', sectionId: autumn });
  await make('/tasks', { title: 'In the move', projectId: move, list: 'project' });
  const weekly = { frequency: 'weekly', interval: 2, weekdays: ['thursday', 'monday'] };
  const watering = await make('/tasks', { title: 'Water', dueDate: today, recurrence: weekly });
  await client.post(`/tasks/${watering}/complete`);
  const filed = await make('/tasks', { title: 'Filed', projectId: done });
  await client.post(`/tasks/${filed}/cancel`);
  await client.patch(`/tasks/${filed}`, { recurrence: weekly });
  await make('/tasks', { title: 'Closed with it', projectId: done });
  await client.post(`/projects/${done}/complete`, { completeChildTasks: true });
  await make('/tasks', { title: 'Gone with it', projectId: gone });
  await client.delete(`/projects/${gone}`);
  await client.delete(`/tasks/${await make('/tasks', { title: 'Thrown away' })}`);
}

async function place(app: ApiClient, path: string, id: string, after: string | null, scope = 'list') {
  const { status } = await app.post(`/${path}/${id}/position`, { after, scope });
  if (status !== 200) throw new Error(`${path} ${id} was not placed: ${status}`);
}

/** Everything that clients show of an account, in its order, without what belongs to its database. */
async function shownBy({ app, ...client }: WebAppClient): Promise<unknown> {
  const pages = taskViews.map((view) => client.get(`/tasks?limit=200&view=${view}`));
  const lists = [client.get('/areas'), client.get('/projects'), app.get('/trash'), app.get('/snapshot')];
  const found = (await Promise.all([...pages, ...lists])).map(({ body }) => body);
  return JSON.parse(JSON.stringify(found.map(inOrder)), (name, value) =>
    hidden.has(name) ? undefined : value,
  );
}

const hidden = new Set(['updatedAt', 'rank', 'dayRank', 'seq', 'stamp', 'account', 'nextCursor']);

/** The app sorts rows by their ranks. */
function inOrder(body: Record<string, unknown>): object {
  const by = (name: string) => (left: Record<string, unknown>, right: Record<string, unknown>) =>
    Number(left[name] ?? Number.MAX_SAFE_INTEGER) - Number(right[name] ?? Number.MAX_SAFE_INTEGER) ||
    // A series and its logged occurrences share a rank.
    String(left.id).localeCompare(String(right.id));
  const { tasks, projects, areas, sections } = body as Record<string, Record<string, unknown>[] | undefined>;
  if (sections === undefined || tasks === undefined) return body;
  const ids = (rows: Record<string, unknown>[] = []) => rows.map(({ id }) => String(id)).sort();
  return {
    ...body,
    // Ranks compare within a list.
    tasks: tasks.toSorted(
      (left, right) => listOf(left).localeCompare(listOf(right)) || by('rank')(left, right),
    ),
    placedByHand: tasks
      .filter(({ dayRank }) => dayRank !== null)
      .toSorted(by('dayRank'))
      .map(({ id }) => id),
    projects: projects?.toSorted(by('rank')),
    areas: areas?.toSorted(by('rank')),
    sections: ids(sections),
  };
}

const listOf = ({ list, projectId }: Record<string, unknown>): string => `${list} ${projectId}`;

const opening = createWebApps(stack);
const today = new Date().toISOString().slice(0, 10);

test('what is exported and imported elsewhere shows the same, in the same orders', async (t) => {
  const source = await (await opening).open({ plan: 'premium' });
  await liveIn(source, today);
  const before = await shownBy(source);
  const file = await exportFrom(stack, source);
  const target = await (await opening).open({ plan: 'premium' });
  const outcome = await importInto(stack, target, file, { partBytes: 1_000 });
  t.is(outcome.phase, 'done', JSON.stringify(outcome.problem));
  t.deepEqual(await shownBy(target), before);
  t.deepEqual(await shownBy(source), before);

  // A new task goes above all imported ones, and a repeating one goes on as it would have.
  const { body: added } = await target.post<{ id: string }>('/tasks', { title: 'On top' });
  const { body: inbox } = await target.get<{ items: { id: string }[] }>('/tasks?view=inbox');
  t.is(inbox.items[0]?.id, added.id);
  const next = async (client: typeof source) => {
    const { body } = await client.get<{ items: { id: string; recurrence: object | null }[] }>('/tasks');
    const id = body.items.find(({ recurrence }) => recurrence !== null)?.id;
    return (await client.post<{ dueDate: string }>(`/tasks/${id}/complete`)).body.dueDate;
  };
  t.is(await next(target), await next(source));
});

test('whatever was done in an account, an empty one takes its file and stores the same', async (t) => {
  const random = seededRandom(2);
  const [source, target] = [
    await (await opening).open({ plan: 'premium' }),
    await (await opening).open({ plan: 'premium' }),
  ];
  const read = (client: WebAppClient) => readStoredRows(stack.sql, client.account.accountId);
  await liveIn(source, today);
  for (let round = 0; round < 12; round += 1) {
    const pick = pickFrom(await read(source), random);
    for (let change = 0; change < 6; change += 1) await tryChange(source, pick, random);
  }
  const outcome = await importInto(stack, target, await exportFrom(stack, source));
  t.is(outcome.phase, 'done', JSON.stringify(outcome.problem));
  const found = differences(await read(source), await read(target), false);
  t.deepEqual(
    found.filter((difference) => !/ (account_id|rank|day_rank): /.test(difference)),
    [],
  );
});

test('undo of an import moves its tasks and projects to the Trash and removes its areas', async (t) => {
  const [source, target] = [await (await opening).open(), await (await opening).open()];
  const area = await makeArea(source, { title: 'Home' });
  const project = await makeProject(source, { areaId: area.id });
  const [logged, open] = await makeTasks(source, 2, { projectId: project.id });
  await source.post(`/tasks/${logged?.id}/complete`);
  t.like(await importInto(stack, target, await exportFrom(stack, source)), { phase: 'done' });
  const { entries } = (await target.app.get<ActivityPage>('/activity')).body;
  t.is(entries.length, 1);
  // The history is full: the second change of the undo removes what the import did from it.
  await stack.sql`update tasks.account_feed set last_sequence = 100998
    where account_id = ${target.account.accountId}`;
  const undone = await target.app.post('/undo', { stamps: entries[0]?.stamps });
  t.like(undone.body, { undone: 4, kept: [] });
  const { body: trash } = await target.app.get<AppTrashPage>('/trash');
  t.deepEqual(
    [trash.projects, trash.tasks]
      .flat()
      .map(({ id }) => id)
      .sort(),
    [project.id, logged?.id, open?.id].sort(),
  );
  t.like((await target.get('/areas')).body, { items: [] });
});

test('an import whose only task is completed is taken back as a whole, too', async (t) => {
  const [source, target] = [await (await opening).open(), await (await opening).open()];
  const project = await makeProject(source, { areaId: (await makeArea(source)).id });
  const [logged] = await makeTasks(source, 1, { projectId: project.id });
  await source.post(`/tasks/${logged?.id}/complete`);
  await importInto(stack, target, await exportFrom(stack, source));
  const { entries } = (await target.app.get<ActivityPage>('/activity')).body;
  t.like((await target.app.post('/undo', { stamps: entries[0]?.stamps })).body, { undone: 3, kept: [] });
  const { body: trash } = await target.app.get<AppTrashPage>('/trash');
  const inTrash = [trash.projects, trash.tasks].flat().map(({ id }) => id);
  t.deepEqual(inTrash.sort(), [project.id, logged?.id].sort());
  t.like((await target.get('/areas')).body, { items: [] });
});

test('the file is JSON with all that users write, and imports with other white space, too', async (t) => {
  const source = await (await opening).open({ plan: 'premium' });
  await liveIn(source, today);
  const file = await exportFrom(stack, source);
  const document = JSON.parse(file);
  t.like(document, { format: 'tasks-account', version: 1, account: { email: 'ada@example.com' } });
  t.is(document.counts.tasks, document.tasks.length);
  t.false(file.includes('descriptionHtml'));
  const target = await (await opening).open({ plan: 'premium' });
  t.is((await importInto(stack, target, JSON.stringify(document, null, 3))).phase, 'done');
  const again = JSON.parse(await exportFrom(stack, target));
  const withoutStamps = (records: object[]) => records.map((record) => ({ ...record, updatedAt: undefined }));
  t.deepEqual(withoutStamps(again.tasks), withoutStamps(document.tasks));

  // Every column of what people write is in it, or named as left out.
  const { areas, projects, tasks } = document;
  const written = { area: areas[0], project: projects[0], task: tasks[0] };
  const leftOut = words('account_id rank day_rank description_html renderer_version view_date closed_at');
  for (const [table, record] of Object.entries(written)) {
    const columns = await stack.sql<{
      name: string;
    }>`select column_name as name from information_schema.columns
      where table_schema = 'tasks' and table_name = ${table}`;
    const names = columns.map(({ name }) => name).filter((name) => !leftOut.includes(name));
    const camel = names.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    t.deepEqual(
      camel.filter((name) => !Object.hasOwn(record, name)),
      [],
      table,
    );
  }
});

test('a file is given only after the settings have seen a fresh sign-in, and one at a time', async (t) => {
  const source = await (await opening).open();
  t.is((await fetchExport(stack, source)).status, 403);
  await permit(stack, source);
  const [lock] = await stack.sql<{ taken: boolean }>`
    select pg_try_advisory_lock(hashtextextended('export ' || ${source.account.accountId}, 0)) as taken`;
  t.true(lock?.taken);
  t.teardown(() => stack.sql`select pg_advisory_unlock_all()`);
  t.is((await fetchExport(stack, source)).status, 409);
});
