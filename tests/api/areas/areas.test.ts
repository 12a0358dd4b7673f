import test from 'ava';
import { idsOf, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { Area, Page, Project } from '#tests/support/api-types.ts';
import { makeArea, makeProject } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('creating an area responds 201 with exactly its five fields, and a read returns the same', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post<Area>('/areas', { title: 'Home' });
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['id', 'title', 'createdAt', 'updatedAt']);
  t.regex(body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.is(body.title, 'Home');
  t.regex(body.createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  t.is(body.updatedAt, body.createdAt);
  t.deepEqual((await api.get<Area>(`/areas/${body.id}`)).body, body);
  t.deepEqual((await api.get<Page<Area>>('/areas')).body, {
    items: [body],
    nextCursor: null,
    hasMore: false,
  });
});

test('a patched title changes updatedAt and nothing else', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const { status, body } = await api.patch<Area>(`/areas/${area.id}`, { title: 'Elsewhere' });
  t.is(status, 200);
  t.deepEqual(body, { ...area, title: 'Elsewhere', updatedAt: body.updatedAt });
  t.true(body.updatedAt > area.updatedAt);
  t.deepEqual((await api.get<Area>(`/areas/${area.id}`)).body, body);
});

test('a deleted area is gone: 204 without a body, then 404', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const other = await makeArea(api);
  const deleted = await api.delete<undefined>(`/areas/${area.id}`);
  t.is(deleted.status, 204);
  t.is(deleted.body, undefined);
  t.is((await api.get(`/areas/${area.id}`)).status, 404);
  t.is((await api.patch(`/areas/${area.id}`, { title: 'Back' })).status, 404);
  t.is((await api.delete(`/areas/${area.id}`)).status, 404);
  t.deepEqual((await api.get<Page<Area>>('/areas')).body.items, [other]);
});

test('the projects of a deleted area survive ungrouped and count as changed; others do not', async (t) => {
  const api = await stack.newClient();
  const [home, work] = [await makeArea(api), await makeArea(api)];
  const inside = await makeProject(api, { areaId: home.id });
  const elsewhere = await makeProject(api, { areaId: work.id });
  const ungrouped = await makeProject(api);

  t.is((await api.delete(`/areas/${home.id}`)).status, 204);

  const { body } = await api.get<Project>(`/projects/${inside.id}`);
  t.deepEqual(body, { ...inside, areaId: null, updatedAt: body.updatedAt });
  t.true(body.updatedAt > ungrouped.updatedAt);
  t.deepEqual((await api.get<Project>(`/projects/${elsewhere.id}`)).body, elsewhere);
  t.deepEqual((await api.get<Project>(`/projects/${ungrouped.id}`)).body, ungrouped);
});

test('closed and trashed projects do not hold their area back', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const completed = await makeProject(api, { areaId: area.id });
  const trashed = await makeProject(api, { areaId: area.id });
  await api.post(`/projects/${completed.id}/complete`);
  await api.delete(`/projects/${trashed.id}`);

  t.is((await api.delete(`/areas/${area.id}`)).status, 204);

  t.is((await api.get<Project>(`/projects/${completed.id}`)).body.areaId, null);
  t.deepEqual(await stack.sql`select area_id from tasks.project where id = ${trashed.id}`, [
    { area_id: null },
  ]);
});

async function clientWithAreas(count: number): Promise<{ api: AccountClient; ids: string[] }> {
  const api = await stack.newClient({ plan: 'premium' });
  const ids: string[] = [];
  while (ids.length < count) ids.push((await makeArea(api)).id);
  return { api, ids };
}

test('paging returns every area once, in the order of creation, and ends with a null cursor', async (t) => {
  const { api, ids } = await clientWithAreas(7);
  const pages = await walkPages<Area>(api, '/areas', { limit: '3' });
  t.deepEqual(
    pages.map(({ items, hasMore }) => [items.length, hasMore]),
    [
      [3, true],
      [3, true],
      [1, false],
    ],
  );
  t.deepEqual(idsOf(pages), ids);
  t.deepEqual(
    pages.map(({ nextCursor, hasMore }) => (nextCursor !== null) === hasMore),
    [true, true, true],
  );
});
