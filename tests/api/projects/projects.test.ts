import { randomUUID } from 'node:crypto';
import test from 'ava';
import { restoreProject } from '#resource-api/admin/data-admin.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { idsOf, listPath, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Project } from '#tests/support/api-types.ts';
import { makeArea, makeProject } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

type Library = { api: AccountClient; home: string; work: string; ids: Record<string, string> };

/** Six projects: two areas and none, all three statuses; and one in the Trash. */
async function library(): Promise<Library> {
  const api = await stack.newClient({ plan: 'premium' });
  const [home, work] = [(await makeArea(api)).id, (await makeArea(api)).id];
  const ids: Record<string, string> = {};
  for (const [name, areaId] of [
    ['homeActive', home],
    ['homeCompleted', home],
    ['workActive', work],
    ['workCancelled', work],
    ['looseActive', null],
    ['looseCompleted', null],
    ['homeTrashed', home],
  ] as const) {
    ids[name] = (await makeProject(api, { areaId })).id;
    if (name.endsWith('Completed')) await api.post(`/projects/${ids[name]}/complete`);
  }
  await api.delete(`/projects/${ids.homeTrashed}`);
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now() where id = ${ids.workCancelled}`;
  return { api, home, work, ids };
}

async function idsListed(api: ApiClient, parameters: Record<string, string>): Promise<string[]> {
  const { status, body } = await api.get<Page<Project>>(listPath('/projects', parameters));
  return status === 200 ? idsOf([body]) : [];
}

test('areaId and status restrict the list, and combine with AND', async (t) => {
  const { api, home, work, ids } = await library();
  const expectations: [parameters: Record<string, string>, names: string[]][] = [
    [{ areaId: home }, ['homeActive', 'homeCompleted']],
    [{ areaId: work }, ['workActive', 'workCancelled']],
    [{ areaId: home.toUpperCase() }, ['homeActive', 'homeCompleted']],
    [{ status: 'active' }, ['homeActive', 'workActive', 'looseActive']],
    [{ status: 'completed' }, ['homeCompleted', 'looseCompleted']],
    [{ status: 'cancelled' }, ['workCancelled']],
    [{ areaId: home, status: 'completed' }, ['homeCompleted']],
    [{ areaId: home, status: 'cancelled' }, []],
  ];
  for (const [parameters, names] of expectations) {
    const expected = names.map((name) => ids[name] ?? '');
    t.deepEqual(await idsListed(api, parameters), expected, JSON.stringify(parameters));
  }
});

test('the projects of an area that is unknown, foreign or deleted are an empty page', async (t) => {
  const { api, home } = await library();
  const stranger = await stack.newClient();
  const deleted = await makeArea(api);
  await api.delete(`/areas/${deleted.id}`);
  const empty = { items: [], nextCursor: null, hasMore: false };
  t.deepEqual((await stranger.get(listPath('/projects', { areaId: home }))).body, empty);
  for (const areaId of [randomUUID(), deleted.id]) {
    t.deepEqual((await api.get(listPath('/projects', { areaId }))).body, empty);
  }
});

test('projects that leave a list during paging do not make it skip others', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const ids: string[] = [];
  while (ids.length < 8) ids.push((await makeProject(api)).id);
  const closeLastSeen = async (pages: readonly Page<Project>[]) => {
    const [first, last] = [pages.at(-1)?.items[0], pages.at(-1)?.items.at(-1)];
    await api.post(`/projects/${last?.id}/complete`);
    await api.delete(`/projects/${first?.id}`);
  };
  const pages = await walkPages<Project>(api, '/projects', { status: 'active', limit: '2' }, closeLastSeen);
  t.deepEqual(idsOf(pages), ids);
});

const restore = ({ account }: AccountClient, projectId: string): Promise<unknown> =>
  restoreProject(stack.databaseUrl, { accountId: account.accountId, projectId });

test('a restored project has lost the area that was deleted meanwhile', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const project = await makeProject(api, { areaId: area.id });
  await api.delete(`/projects/${project.id}`);
  await api.delete(`/areas/${area.id}`);
  t.like(await restore(api, project.id), { id: project.id, areaId: null, inTrash: false });
});

test('the projects of a suspended account stay as they are', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  await api.delete(`/projects/${project.id}`);
  await stack.setStatus(api.account, 'suspended');
  const error = await t.throwsAsync(restore(api, project.id), { instanceOf: AppError });
  t.is(error.code, 'account_suspended');
});
