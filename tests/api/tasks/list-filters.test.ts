import { randomUUID } from 'node:crypto';
import test from 'ava';
import { idsOf, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectRefusal } from './expect-refusal.ts';
import { listTitles, patchTask, transition, trash } from './task-requests.ts';

const stack = await startStack(test);

test('an account without tasks has an empty last page in every view', async (t) => {
  const api = await stack.newClient();
  for (const view of ['inbox', 'today', 'upcoming', 'anytime', 'someday', 'logbook', 'trash', 'all']) {
    const { status, body } = await api.get<Page<Task>>(`/tasks?view=${view}`);
    t.is(status, 200);
    t.deepEqual(body, { items: [], nextCursor: null, hasMore: false }, view);
  }
});

test('a project or an area that is missing, foreign or gone is not found, whatever else is asked', async (t) => {
  const api = await stack.newClient();
  const stranger = await stack.newClient();
  const foreign = { project: await makeProject(stranger), area: await makeArea(stranger) };
  const [trashed, deleted] = [await makeProject(api), await makeArea(api)];
  await makeTask(api, { projectId: trashed.id });
  await api.delete(`/projects/${trashed.id}`);
  await api.delete(`/areas/${deleted.id}`);
  const project = await makeProject(api);
  const area = await makeArea(api);
  for (const query of ['', '&view=trash', '&view=all&status=open', '&updatedSince=2026-01-01T00:00:00Z']) {
    for (const id of [randomUUID(), foreign.project.id, trashed.id, area.id]) {
      expectRefusal(t, await api.get(`/tasks?projectId=${id}${query}`), 'not_found');
      expectRefusal(t, await api.get(`/tasks?projectId=${id}&areaId=${area.id}${query}`), 'not_found');
      expectRefusal(t, await api.get(`/projects/${id}/tasks?${query}`), 'not_found');
    }
    for (const id of [randomUUID(), foreign.area.id, deleted.id, project.id]) {
      expectRefusal(t, await api.get(`/tasks?areaId=${id}${query}`), 'not_found');
      expectRefusal(t, await api.get(`/tasks?areaId=${id}&projectId=${project.id}${query}`), 'not_found');
      expectRefusal(t, await api.get(`/projects/${project.id}/tasks?areaId=${id}${query}`), 'not_found');
    }
  }
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

test('updatedSince includes the instant itself, in whatever offset and precision it is written', async (t) => {
  const api = await stack.newClient();
  await makeTask(api, { title: 'earlier' });
  const { updatedAt } = await makeTask(api, { title: 'at the instant' });
  await makeTask(api, { title: 'later' });
  const instant = Temporal.Instant.from(updatedAt);
  for (const written of [
    updatedAt,
    updatedAt.toLowerCase(),
    updatedAt.replace('Z', '+00:00'),
    updatedAt.replace('Z', '999Z'),
    instant.toString({ timeZone: '+05:45', fractionalSecondDigits: 3 }),
    instant.toString({ timeZone: '-11:30', fractionalSecondDigits: 9 }),
  ]) {
    const titles = await listTitles(api, `updatedSince=${encodeURIComponent(written)}`);
    t.deepEqual(titles, ['at the instant', 'later'], written);
  }
  const next = instant.add({ milliseconds: 1 }).toString();
  t.deepEqual(await listTitles(api, `updatedSince=${next}`), ['later']);
});

test('updatedSince orders by the last change in every view, and view=all includes the Trash', async (t) => {
  const api = await stack.newClient();
  const [a, b, c, d] = [
    await makeTask(api, { title: 'a' }),
    await makeTask(api, { title: 'b' }),
    await makeTask(api, { title: 'c' }),
    await makeTask(api, { title: 'd' }),
  ];
  await transition(api, c.id, 'complete');
  await patchTask(api, a.id, { description: 'changed' });
  await trash(api, b.id);
  const since = `updatedSince=${a.createdAt}`;
  t.deepEqual(await listTitles(api, `view=all&${since}`), ['d', 'c', 'a', 'b']);
  t.deepEqual(await listTitles(api, since), ['d', 'c', 'a']);
  t.deepEqual(await listTitles(api, `view=inbox&${since}`), ['d', 'a']);
  t.deepEqual(await listTitles(api, `view=all&updatedSince=${d.updatedAt}`), ['d', 'c', 'a', 'b']);
});

const longNotes = '\u{1F600}'.repeat(100_000);

const longItems = Array.from({ length: 200 }, () => ({ title: '\u{1F4A1}'.repeat(1_024) }));

/** A page is above its room by one row at most, and no row is larger than the largest task. */
const mostBytes = 2_000_000 + 4_500_000;

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
