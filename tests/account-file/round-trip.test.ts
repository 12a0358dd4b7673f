import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps, type WebAppClient } from '../app/web-app-client.ts';
import { exportFrom, fetchExport, importInto, permit } from './transfer.ts';

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

const views = ['inbox', 'today', 'upcoming', 'anytime', 'someday', 'logbook', 'trash', 'all'];

/** Everything that clients show of an account, in its order, without what belongs to the database it is in. */
async function shownBy({ app, ...client }: WebAppClient): Promise<unknown> {
  const pages = views.map((view) => client.get(`/tasks?limit=200&view=${view}`));
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

const stack = await startStack(test);
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

test('the file is one JSON document with all that people write, a record on each line, and imports however it is spaced', async (t) => {
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
  const leftOut = [
    'account_id',
    'rank',
    'day_rank',
    'description_html',
    'renderer_version',
    'view_date',
    'closed_at',
  ];
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
