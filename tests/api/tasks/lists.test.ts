import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { answerOf, invalid, notFound } from '#tests/api/matrix/problem-answer.ts';
import { idsOf, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask, makeTasks } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTasks, patchTask, transition, trash } from './task-requests.ts';
import { views } from './view-model.ts';

const stack = await startStack(test);

test('a project in the Trash and a deleted area are not found, with any other parameters', async (t) => {
  const api = await stack.newClient();
  const [trashed, deleted] = [await makeProject(api), await makeArea(api)];
  await makeTask(api, { projectId: trashed.id });
  await api.delete(`/projects/${trashed.id}`);
  await api.delete(`/areas/${deleted.id}`);
  for (const query of ['', '&view=trash', '&view=all&status=open', '&updatedSince=2026-01-01T00:00:00Z'])
    for (const id of [`projectId=${trashed.id}`, `areaId=${deleted.id}`])
      t.deepEqual(answerOf(await api.get(`/tasks?${id}${query}`)), notFound, id + query);
});

test('the project of the path is fixed: another one in the query is ignored', async (t) => {
  const api = await stack.newClient();
  const [one, other] = [await makeProject(api), await makeProject(api)];
  await makeTask(api, { title: 'one', projectId: one.id });
  await makeTask(api, { title: 'other', projectId: other.id });
  for (const query of [other.id, randomUUID(), 'nonsense']) {
    const { status, body } = await api.get<Page<Task>>(`/projects/${one.id}/tasks?projectId=${query}`);
    t.is(status, 200);
    t.deepEqual(
      body.items.map(({ title }) => title),
      ['one'],
    );
  }
});

const longNotes = '\u{1F600}'.repeat(100_000);

const longItems = Array.from({ length: 200 }, () => ({ title: '\u{1F4A1}'.repeat(1_024) }));

/** A page is above its room by one row at most, and no row is larger than the largest task. */
const mostBytes = 1_000_000 + 4_500_000;

const sizeOf = (page: Page<unknown>): number => Buffer.byteLength(JSON.stringify(page));

test('pages of the longest notes are limited by size, and paging returns every task once', async (t) => {
  const api = await stack.newClient();
  const made = await makeTasks(api, 12, { description: longNotes });
  const { body: first } = await api.get<Page<Task>>('/tasks?limit=200');
  t.true(first.items.length > 1 && first.items.length < 12, String(first.items.length));
  t.true(first.hasMore);
  t.true(sizeOf(first) < mostBytes);
  const walked = await walkPages<Task>(api, '/tasks', { limit: '200' });
  t.deepEqual(
    idsOf(walked),
    made.map(({ id }) => id),
  );
  t.true(walked.every(({ items }) => items.every(({ description }) => description === longNotes)));
});

test('long checklists end a page too, whether they can be compressed or not', async (t) => {
  const api = await stack.newClient();
  const { id: projectId } = await makeProject(api);
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(500))).toString('hex');
  for (let count = 0; count < 4; count += 1) {
    await makeTask(api, { projectId, checklist: longItems });
    await makeTask(api, { projectId, checklist: longItems.map(() => ({ title: random() })) });
  }
  const { body: first } = await api.get<Page<Task>>(`/projects/${projectId}/tasks`);
  t.true(first.hasMore && first.items.length < 8);
  t.true(sizeOf(first) < mostBytes);
  const walked = await walkPages<Task>(api, `/projects/${projectId}/tasks`, {});
  t.is(new Set(idsOf(walked)).size, 8);
  t.true(walked.every(({ items }) => items.every(({ checklist }) => checklist.length === 200)));
});

test('a few long notes among short ones shorten no page', async (t) => {
  const api = await stack.newClient();
  await makeTask(api, { description: longNotes });
  await makeTasks(api, 5, { description: 'short' });
  await makeTask(api, { checklist: longItems.slice(0, 50) });
  const { body } = await api.get<Page<Task>>('/tasks');
  t.false(body.hasMore);
  t.is(body.nextCursor, null);
  t.is(body.items.length, 7);
  t.true(body.items[0]?.description === longNotes);
  t.is(body.items[6]?.checklist.length, 50);
});

test('a page of projects ends with their notes and sections, too', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const made: Project[] = [];
  for (let count = 0; count < 8; count += 1) made.push(await makeProject(api, { description: longNotes }));
  const divided = await makeProject(api);
  await makeSection(api, divided.id, { title: 'S'.repeat(1_024) });
  const { body: first } = await api.get<Page<Project>>('/projects');
  t.true(first.hasMore && first.items.length < 9);
  t.true(sizeOf(first) < mostBytes);
  const walked = await walkPages<Project>(api, '/projects', {});
  const projects = walked.flatMap(({ items }) => items);
  const expected = [divided, ...made].map(({ id }) => id);
  t.deepEqual(projects.map(({ id }) => id).toSorted(), expected.toSorted());
  t.is(projects.find(({ id }) => id === divided.id)?.sections.length, 1);
});

/** A handful of tasks in every view. */
async function makeMixedTasks(api: AccountClient): Promise<string> {
  const project = await makeProject(api);
  for (const place of [{}, { list: 'someday' }, { projectId: project.id }] as const) {
    for (const dates of [
      {},
      { dueDate: '2020-02-29' },
      { dueDate: '2020-03-01' },
      { dueDate: '2199-01-01' },
    ]) {
      for (const change of [undefined, 'complete', 'cancel', 'trash'] as const) {
        const { id } = await makeTask(api, { ...place, ...dates });
        if (change === 'trash') await trash(api, id);
        else if (change) await transition(api, id, change);
      }
    }
  }
  return project.id;
}

const pageSizes = [2, 7, 48];

test('paging with any page size returns the same as one page, for every view and filter', async (t) => {
  const api = await stack.newClient();
  const projectId = await makeMixedTasks(api);
  const filters: Record<string, string>[] = [{}, { projectId }, { updatedSince: '2020-01-01T00:00:00Z' }];
  for (const view of views) {
    for (const filter of filters) {
      const parameters = view === undefined ? filter : { ...filter, view };
      await expectSameWalks(t, api, parameters);
    }
  }
});

async function expectSameWalks(
  t: ExecutionContext,
  api: AccountClient,
  parameters: Record<string, string>,
): Promise<void> {
  const whole = await listTasks(api, new URLSearchParams({ ...parameters, limit: '200' }).toString());
  for (const limit of pageSizes) {
    const pages = await walkPages<Task>(api, '/tasks', { ...parameters, limit: String(limit) });
    const what = JSON.stringify({ ...parameters, limit });
    t.deepEqual(
      pages.flatMap(({ items }) => items),
      whole,
      what,
    );
    t.is(pages.length, Math.max(1, Math.ceil(whole.length / limit)), what);
    t.true(
      pages.every(({ nextCursor, hasMore }) => hasMore === (nextCursor !== null)),
      what,
    );
    t.true(
      pages.slice(0, -1).every(({ items }) => items.length === limit),
      what,
    );
  }
}

test('tasks closed or trashed at the same instant are paged, each once', async (t) => {
  const api = await stack.newClient();
  const [closed, trashed] = [await makeProject(api), await makeProject(api)];
  for (const { id: projectId } of [closed, trashed]) await makeTasks(api, 7, { projectId });
  await api.post(`/projects/${closed.id}/complete`);
  await api.delete(`/projects/${trashed.id}`);
  const since = { updatedSince: '2020-01-01T00:00:00Z' };
  const lists: [parameters: Record<string, string>, order: 'up' | 'down'][] = [
    [{ view: 'logbook' }, 'down'],
    [{ view: 'trash' }, 'down'],
    [{ view: 'logbook', ...since }, 'up'],
    [{ view: 'trash', ...since }, 'up'],
  ];
  for (const [parameters, order] of lists) {
    await expectSameWalks(t, api, parameters);
    const ids = (await listTasks(api, `${new URLSearchParams(parameters)}`)).map(({ id }) => id);
    t.is(ids.length, 7);
    t.deepEqual(order === 'up' ? ids : ids.toReversed(), ids.toSorted(), JSON.stringify(parameters));
  }
});

for (const change of ['complete', 'cancel', 'trash', 'move'] as const) {
  test(`tasks that leave the list during a walk do not make it skip the next one (${change})`, async (t) => {
    const api = await stack.newClient();
    const tasks = await makeTasks(api, 9);
    const pages = await walkPages<Task>(api, '/tasks', { view: 'inbox', limit: '2' }, async (read) => {
      for (const { id } of read.at(-1)?.items ?? []) {
        if (change === 'trash') await trash(api, id);
        else if (change === 'move') await api.post(`/tasks/${id}/move`, { list: 'someday' });
        else await transition(api, id, change);
      }
    });
    t.deepEqual(idsOf(pages), tasks.map(({ id }) => id).reverse());
  });
}

test('a task that changes during paging with updatedSince is returned again at the end', async (t) => {
  const api = await stack.newClient();
  const tasks = await makeTasks(api, 4);
  const [first] = tasks;
  const since = { updatedSince: first?.updatedAt ?? '', limit: '2' };
  let changes = 0;
  const pages = await walkPages<Task>(api, '/tasks', since, async () => {
    changes += 1;
    if (changes === 1) await patchTask(api, first?.id ?? '', { title: 'changed' });
  });
  t.deepEqual(
    idsOf(pages),
    [...tasks, first].map((task) => task?.id ?? ''),
  );
  t.is(pages.at(-1)?.items.at(-1)?.title, 'changed');
});

async function cursorOf(api: ApiClient, path: string): Promise<string> {
  const { body } = await api.get<Page<Task>>(path);
  if (body.nextCursor === null) throw new Error(`${path} has a single page`);
  return body.nextCursor;
}

test('a cursor is valid for one list only: other views, filters and orders refuse it', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const [project, other] = [await makeProject(api, { areaId: area.id }), await makeProject(api)];
  for (const { id: projectId } of [project, other]) await makeTasks(api, 3, { projectId });
  const queries = [
    '',
    'view=all',
    'view=anytime',
    'view=all&status=open',
    'status=open',
    `projectId=${project.id}`,
    `projectId=${other.id}`,
    `areaId=${area.id}`,
    `areaId=${area.id}&projectId=${project.id}`,
    'updatedSince=2020-01-01T00:00:00Z',
    'updatedSince=2020-01-01T00:00:00.001Z',
    'view=all&updatedSince=2020-01-01T00:00:00Z',
  ];
  for (const from of queries) {
    const cursor = await cursorOf(api, `/tasks?limit=1&${from}`);
    for (const to of queries) {
      const answer = await api.get(`/tasks?limit=1&${to}&cursor=${cursor}`);
      const what = `«${from}» used for «${to}»`;
      if (from === to) t.is(answer.status, 200, what);
      else t.deepEqual(answerOf(answer), invalid('cursor'), what);
    }
  }
});

test('a cursor is valid for one account, with any of its tokens', async (t) => {
  const api = await stack.newClient();
  const stranger = await stack.newClient();
  for (const client of [api, stranger]) await makeTasks(client, 3);
  const cursor = await cursorOf(api, '/tasks?limit=1');
  const elsewhere = await stranger.get(`/tasks?limit=1&cursor=${cursor}`);
  t.deepEqual(answerOf(elsewhere), invalid('cursor'));
  const sameAccount = stack.client(await stack.createToken(api.account));
  const page = await api.get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`);
  t.deepEqual((await sameAccount.get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`)).body, page.body);
});

test('the same filter written in another way is the same list', async (t) => {
  const api = await stack.newClient();
  const { id: projectId } = await makeProject(api);
  await makeTasks(api, 3, { projectId });
  const query = `view=all&projectId=${projectId}&updatedSince=2020-01-01T00:00:00Z`;
  const cursor = await cursorOf(api, `/tasks?limit=1&${query}`);
  const since = 'updatedSince=2020-01-01T01:00:00.000%2B01:00';
  const rewritten = `${since}&projectId=${projectId.toUpperCase()}&view=all&x=1`;
  t.is((await api.get(`/tasks?${rewritten}&cursor=${cursor}`)).status, 200);
});
