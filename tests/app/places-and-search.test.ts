import test from 'ava';
import type { AppSearchResponse, AppSnapshot, AppTask, AppTrashPage } from '#shared/app/app-protocol.ts';
import type { Page, Problem, Project, Task } from '#tests/support/api-types.ts';
import { insertTasks, makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { startWebApps, type WebAppClient } from './web-app-client.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined));

const search = async (client: WebAppClient, q: string) => {
  const path = `/search?q=${encodeURIComponent(q)}`;
  const { tasks, projects } = (await client.app.get<AppSearchResponse>(path)).body;
  return [...tasks, ...projects].map(({ title }) => title);
};

test('a search looks in titles, notes and steps, titles first, and finds closed tasks too', async (t) => {
  const client = await webApps.open();
  await makeTask(client, { title: 'In notes', description: 'the red bicycle' });
  const done = await makeTask(client, { title: 'Red BICYCLE done' });
  await client.post(`/tasks/${done.id}/complete`);
  await makeTask(client, { title: 'Red bicycle' });
  const trashed = await makeTask(client, { title: 'Red bicycle in the Trash' });
  await client.delete(`/tasks/${trashed.id}`);
  await makeTask(client, { title: 'Red car' });
  await makeProject(client, { title: '100 % red bicycle' });
  await makeTask(await webApps.open(), { title: 'Red bicycle of another account' });
  t.deepEqual(await search(client, ' bicycle  red'), [
    'Red bicycle',
    'Red BICYCLE done',
    'In notes',
    '100 % red bicycle',
  ]);
  t.deepEqual(await search(client, '100 % red'), ['100 % red bicycle']);
  t.deepEqual(await search(client, 'réd bi-cycle done'), ['Red BICYCLE done']);
  await makeTask(client, { title: 'Packing', checklist: [{ title: 'Socks' }, { title: 'Bi-cycle pump' }] });
  t.deepEqual(await search(client, 'bicycle pump packing'), ['Packing']);
  t.deepEqual(await search(client, '  '), []);
  t.is((await client.app.get<Problem>('/search')).status, 400);
  for (const refused of ['x'.repeat(201), '%00', 'red%00'])
    t.is((await client.app.get<Problem>(`/search?q=${refused}`)).status, 400);
});

test('a search that finds more than it returns says so', async (t) => {
  const client = await webApps.open();
  await insertTasks(stack, client.account, 50, { title: 'Bill' });
  const read = async () => (await client.app.get<AppSearchResponse>('/search?q=bill')).body;
  t.like(await read(), { tasks: { length: 50 }, isMore: false });
  await makeTask(client, { title: 'Another bill' });
  t.like(await read(), { tasks: { length: 50 }, isMore: true });
});

test('the Trash shows projects with their task count, and pages of tasks, newest first', async (t) => {
  const client = await webApps.open();
  const project = await makeProject(client, { title: 'Gone' });
  for (const title of ['one', 'two']) await makeTask(client, { title, projectId: project.id });
  await client.delete(`/projects/${project.id}`);
  const titles = Array.from({ length: 53 }, (_, index) => `Task ${index}`);
  for (const title of titles) {
    const { id } = await makeTask(client, { title });
    await client.delete(`/tasks/${id}`);
  }
  const read = async (query = '') => (await client.app.get<AppTrashPage>(`/trash${query}`)).body;
  const first = await read();
  t.like(first.projects, { length: 1, 0: { title: 'Gone', taskCount: 2, inTrash: true } });
  const second = await read(`?cursor=${first.nextCursor}`);
  t.deepEqual(second.projects, []);
  t.is(second.nextCursor, null);
  const shown = [...first.tasks, ...second.tasks].map(({ title }) => title);
  t.deepEqual(shown, titles.toReversed());
  t.is((await client.app.get('/trash?cursor=x')).status, 400);
});

test('the Trash shows every project, however many there are', async (t) => {
  const client = await webApps.open();
  const { id } = await makeProject(client, { title: 'Gone 0' });
  await client.delete(`/projects/${id}`);
  await client.delete(`/tasks/${(await makeTask(client)).id}`);
  await stack.sql`insert into tasks.project
      (account_id, id, title, description_html, renderer_version, status, rank,
      trashed_at, created_at, updated_at)
    select account_id, gen_random_uuid(), 'Gone ' || n, '', 1, status, rank,
      trashed_at - make_interval(secs => n), created_at, updated_at
    from tasks.project, generate_series(1, 201) n where id = ${id}`;
  const shown: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: { body: AppTrashPage } = await client.app.get(`/trash?cursor=${cursor}`);
    shown.push(...body.projects.map(({ title }) => title));
    t.is(body.tasks.length, cursor === '' ? 1 : 0);
    cursor = body.nextCursor;
  }
  t.deepEqual(
    shown,
    Array.from({ length: 202 }, (_, n) => `Gone ${n}`),
  );
});

const titlesOf = async (client: WebAppClient, path: string) =>
  (await client.get<Page<Task | Project>>(path)).body.items.map(({ title }) => title).join('');

/** Tasks A, B, C … from top to bottom of the inbox. */
async function makeInbox(client: WebAppClient, titles: string, fields: object = {}): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const title of [...titles].toReversed()) tasks.unshift(await makeTask(client, { title, ...fields }));
  return tasks;
}

const idOf = (rows: readonly { id: string; title: string }[], title: string) =>
  rows.find((row) => row.title === title)?.id ?? '';

test('a task is placed after another, or first, and the public list has that order', async (t) => {
  const client = await webApps.open();
  const tasks = await makeInbox(client, 'ABCDE');
  const place = async (title: string, after: string | null) => {
    const body = { after: after === null ? null : idOf(tasks, after), scope: 'list' };
    const answer = await client.app.post<AppTask>(`/tasks/${idOf(tasks, title)}/position`, body);
    t.like(answer, { status: 200, body: { title } });
    return titlesOf(client, '/tasks?view=inbox');
  };
  t.is(await place('E', 'A'), 'AEBCD');
  t.is(await place('A', 'D'), 'EBCDA');
  t.is(await place('C', null), 'CEBDA');
  t.is(await place('C', null), 'CEBDA');
});

test('any number of placements between the same neighbours keeps the order', async (t) => {
  const client = await webApps.open();
  // Neighbouring ranks as earlier releases made them: there is no room from the start.
  const tasks = await makeInbox(client, 'ABCDEF');
  await stack.sql`update tasks.task set rank = ascii(title) where account_id = ${client.account.accountId}`;
  const order = ['A', 'B', 'C', 'D', 'E', 'F'];
  for (let turn = 0; turn < 50; turn += 1) {
    const title = order[turn % 2 === 0 ? 3 : 4] ?? '';
    order.splice(order.indexOf(title), 1);
    order.splice(3, 0, title);
    const body = { after: idOf(tasks, order[2] ?? ''), scope: 'list' };
    t.is((await client.app.post(`/tasks/${idOf(tasks, title)}/position`, body)).status, 200);
    t.is(await titlesOf(client, '/tasks?view=inbox'), order.join(''));
  }
});

test('a place in a day changes no public order, and goes with the date', async (t) => {
  const client = await webApps.open();
  const fields = { dueDate: '2030-01-07' };
  const tasks = await makeInbox(client, 'ABC', fields);
  const before = await titlesOf(client, '/tasks?view=upcoming');
  const dayOrder = async () => {
    const { tasks: rows } = (await client.app.get<AppSnapshot>('/snapshot')).body;
    const rankOf = ({ dayRank }: AppTask) => dayRank ?? Number.POSITIVE_INFINITY;
    return rows
      .toSorted((one, other) => rankOf(one) - rankOf(other) || (one.createdAt < other.createdAt ? -1 : 1))
      .map(({ title }) => title)
      .join('');
  };
  t.is(await dayOrder(), 'CBA');
  const place = (title: string, after: string | null) =>
    client.app.post<AppTask>(`/tasks/${idOf(tasks, title)}/position`, {
      after: after === null ? null : idOf(tasks, after),
      scope: 'day',
    });
  await place('A', 'C');
  t.is(await dayOrder(), 'CAB');
  await place('B', null);
  t.is(await dayOrder(), 'BCA');
  t.is(await titlesOf(client, '/tasks?view=upcoming'), before);
  await client.patch(`/tasks/${idOf(tasks, 'B')}`, { dueDate: '2030-01-08' });
  const { tasks: rows } = (await client.app.get<AppSnapshot>('/snapshot')).body;
  t.is(rows.find(({ title }) => title === 'B')?.dayRank, null);
});

test('projects and areas are placed too', async (t) => {
  const client = await webApps.open({ plan: 'premium' });
  const projects = [];
  for (const title of 'ABC') projects.push(await makeProject(client, { title }));
  const areas = [];
  for (const title of 'XYZ') areas.push(await makeArea(client, { title }));
  const place = async (path: string, after: string | null) =>
    (await client.app.post(`${path}/position`, { after, scope: 'list' })).status;
  t.is(await place(`/projects/${idOf(projects, 'C')}`, idOf(projects, 'A')), 200);
  t.is(await titlesOf(client, '/projects'), 'ACB');
  t.is(await place(`/areas/${idOf(areas, 'Z')}`, null), 200);
  t.is(await titlesOf(client, '/areas'), 'ZXY');
});

test('what has no place there is refused', async (t) => {
  const [client, other] = [await webApps.open(), await webApps.open()];
  const [inbox, someday, foreign] = [
    await makeTask(client),
    await makeTask(client, { list: 'someday' }),
    await makeTask(other),
  ];
  const place = async (id: string, after: unknown, scope = 'list') =>
    client.app.post<Problem>(`/tasks/${id}/position`, { after, scope });
  t.is((await place(inbox.id, someday.id)).body.errorCode, 'invalid_state');
  t.is((await place(inbox.id, foreign.id)).body.errorCode, 'invalid_state');
  t.is((await place(inbox.id, inbox.id)).body.errorCode, 'invalid_state');
  t.is((await place(inbox.id, null, 'day')).body.errorCode, 'invalid_state');
  t.is((await place(foreign.id, null)).status, 404);
  t.deepEqual(Object.keys((await place(inbox.id, 'x', 'week')).body.errors ?? {}), ['after', 'scope']);
  await client.delete(`/tasks/${inbox.id}`);
  t.is((await place(inbox.id, null)).body.errorCode, 'invalid_state');
});
