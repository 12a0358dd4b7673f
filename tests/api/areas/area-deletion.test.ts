import test from 'ava';
import { showFeed } from '#resource-api/admin/feed-admin.ts';
import type { Project } from '#tests/support/api-types.ts';
import { makeArea, makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

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

test('the feed tells of the deleted area and of each project that left it, at one instant', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const projects = [await makeProject(api, { areaId: area.id }), await makeProject(api, { areaId: area.id })];
  const { accountId } = api.account;
  const before = await showFeed(stack.databaseUrl, { accountId, since: 0 });
  t.deepEqual(
    before.map(({ entity, id, change }) => [entity, id, change]),
    [['area', area.id, 'created'], ...projects.map(({ id }) => ['project', id, 'created'])],
  );

  await api.delete(`/areas/${area.id}`);

  const entries = await showFeed(stack.databaseUrl, { accountId, since: 3 });
  t.deepEqual(
    entries.map(({ entity, id, change }) => [entity, id, change].join(' ')).sort(),
    [`area ${area.id} deleted`, ...projects.map(({ id }) => `project ${id} updated`)].sort(),
  );
  t.deepEqual(
    entries.map(({ seq }) => seq),
    [4, 5, 6],
  );
  const { body } = await api.get<Project>(`/projects/${projects[0]?.id}`);
  t.true(entries.every(({ at }) => at === body.updatedAt));
});
