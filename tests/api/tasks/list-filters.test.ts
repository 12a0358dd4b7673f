import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
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
