import { randomUUID } from 'node:crypto';
import test from 'ava';
import { restoreProject } from '#resource-api/admin/data-admin.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Area, Page, Problem, Project, Section, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { idsOf, listPath, walkPages } from './walk-pages.ts';

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
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now()
    where id = ${ids.workCancelled}`;
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

async function fullProject(): Promise<{ api: AccountClient; project: Project }> {
  const api = await stack.newClient({ plan: 'premium' });
  const area = await makeArea(api);
  const made = await makeProject(api, { description: '*a*', areaId: area.id, deadlineDate: '2027-01-31' });
  await makeSection(api, made.id);
  return { api, project: (await api.get<Project>(`/projects/${made.id}`)).body };
}

test('an empty patch, and one with the current values, change nothing, including updatedAt', async (t) => {
  const { api, project } = await fullProject();
  const { title, description, areaId, deadlineDate } = project;
  for (const patch of [
    {},
    { title },
    { description },
    { areaId },
    { areaId: areaId?.toUpperCase() },
    { deadlineDate },
    { title, description, areaId, deadlineDate },
  ]) {
    const { status, body } = await api.patch<Project>(`/projects/${project.id}`, patch);
    t.is(status, 200);
    t.deepEqual(body, project);
  }
});

test('notes that a patch omits keep their rendering', async (t) => {
  const { api, project } = await fullProject();
  await stack.sql`update tasks.project set description_html = '<p>as before</p>', renderer_version = 0
    where id = ${project.id}`;
  await api.patch(`/projects/${project.id}`, { title: 'Moved' });
  await api.patch(`/projects/${project.id}`, { description: project.description });
  t.is((await api.get<Project>(`/projects/${project.id}`)).body.descriptionHtml, '<p>as before</p>');
  await api.patch(`/projects/${project.id}`, { description: '*c*' });
  t.regex((await api.get<Project>(`/projects/${project.id}`)).body.descriptionHtml, /<em>c<\/em>/);
});

test('status, sections and inTrash are refused with a hint at the operation that changes them', async (t) => {
  const { api, project } = await fullProject();
  const patch = { status: 'completed', sections: [], inTrash: true, completedAt: null };
  const { status, body } = await api.patch<Problem>(`/projects/${project.id}`, patch);
  t.is(status, 400);
  t.regex(body.errors?.status?.[0] ?? '', /\/complete/);
  t.regex(body.errors?.completedAt?.[0] ?? '', /\/complete/);
  t.regex(body.errors?.sections?.[0] ?? '', /\/sections/);
  t.regex(body.errors?.inTrash?.[0] ?? '', /DELETE/);
});

const fetchProject = async (api: ApiClient, id: string) => (await api.get<Project>(`/projects/${id}`)).body;

test('a cancelled project is shown as such, takes no task, and can be read alone', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeProject(api);
  const section = await makeSection(api, id);
  const project = await fetchProject(api, id);
  // No operation cancels a project.
  const cancelledAt = '2026-11-01T10:00:00.120Z';
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = ${cancelledAt}
    where id = ${id}`;
  const sections = `/projects/${id}/sections`;
  for (const answer of [
    await api.post<Problem>(`/projects/${id}/complete`),
    await api.post<Problem>(`/projects/${id}/uncomplete`),
    await api.post<Problem>(sections, { title: 'Late' }),
    await api.patch<Problem>(`${sections}/${section.id}`, { title: 'Late' }),
    await api.delete<Problem>(`${sections}/${section.id}`),
    await api.post<Problem>('/tasks', { title: 'Late', projectId: id }),
    await api.post<Problem>('/tasks', { title: 'Late', projectId: id, sectionId: section.id }),
    await api.post<Problem>('/tasks', { title: 'Late', sectionId: section.id }),
  ])
    t.like(answer, { status: 409, body: { errorType: 'conflict', errorCode: 'invalid_state' } });
  const patched = await api.patch<Problem>(`/projects/${id}`, { title: 'Late' });
  t.deepEqual([patched.status, Object.keys(patched.body.errors ?? {})], [400, ['status']]);
  t.is((await api.patch(`${sections}/${randomUUID()}`, { title: 'Late' })).status, 404);
  t.deepEqual(await fetchProject(api, id), { ...project, status: 'cancelled', cancelledAt });
  t.deepEqual((await api.get<Page<Task>>('/tasks')).body.items, []);
});

test('a trashed project is 404 everywhere and in no list', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  const other = await makeProject(api);
  await api.delete(`/projects/${project.id}`);
  const path = `/projects/${project.id}`;
  const answers = [
    await api.get<Problem>(path),
    await api.patch<Problem>(path, { title: 'Back' }),
    await api.delete<Problem>(path),
    await api.post<Problem>(`${path}/complete`),
    await api.post<Problem>(`${path}/uncomplete`),
    await api.get<Problem>(`${path}/tasks`),
    await api.get<Problem>(`/tasks?projectId=${project.id}`),
    await api.get<Problem>(`${path}/sections`),
    await api.post<Problem>(`${path}/sections`, { title: 'Section' }),
    await api.patch<Problem>(`${path}/sections/${section.id}`, { title: 'Section' }),
    await api.delete<Problem>(`${path}/sections/${section.id}`),
    await api.post<Problem>('/tasks', { title: 'Task', projectId: project.id }),
  ];
  for (const answer of answers) {
    t.like(answer, { status: 404, body: { errorType: 'not_found', errorCode: 'not_found' } });
  }
  t.deepEqual((await api.get<Page<Project>>('/projects')).body.items, [other]);
});

const sectionsOf = async (api: ApiClient, projectId: string) =>
  (await api.get<Section[]>(`/projects/${projectId}/sections`)).body;

test('sections are an array in display order, without pages, empty if there are none', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const other = await makeProject(api);
  t.deepEqual(await sectionsOf(api, project.id), []);
  const sections = [];
  for (let count = 0; count < 3; count++) {
    sections.push(await makeSection(api, project.id, { title: ' Before? ' }));
    await makeSection(api, other.id);
  }
  t.is(sections[0]?.title, ' Before? ');
  t.deepEqual(await sectionsOf(api, project.id), sections);
  const paged = await api.get(`/projects/${project.id}/sections?limit=1&cursor=nonsense`);
  t.deepEqual(paged.body, sections);
  t.deepEqual((await api.get<Project>(`/projects/${project.id}`)).body.sections, sections);
});

test('the tasks of a deleted section fall back to the root of the project, in the Trash too', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const { id: sectionId } = await makeSection(api, project.id);
  const [open, trashed] = [await makeTask(api, { sectionId }), await makeTask(api, { sectionId })];
  await api.delete(`/tasks/${trashed.id}`);
  t.is((await api.delete(`/projects/${project.id}/sections/${sectionId}`)).status, 204);
  for (const { id } of [open, trashed]) {
    const { body } = await api.get<Task>(`/tasks/${id}`);
    t.like(body, { sectionId: null, projectId: project.id, list: 'project' });
  }
});

test('a project holds at most 1,000 sections, and takes another once one is gone', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeProject(api);
  const path = `/projects/${id}/sections`;
  const last = await makeSection(api, id);
  await stack.sql`
     insert into tasks.section (account_id, id, project_id, title, position, created_at, updated_at)
     select account_id, gen_random_uuid(), project_id, 'one of many', position + number,
       created_at, updated_at
     from tasks.section, generate_series(1, 999) number where id = ${last.id}`;
  const refused = await api.post<Problem>(path, { title: 'one too many' });
  t.is(refused.status, 409);
  t.like(refused.body, { errorCode: 'invalid_state', message: 'A project holds at most 1,000 sections.' });
  t.is((await sectionsOf(api, id)).length, 1_000);
  await api.delete(`${path}/${last.id}`);
  t.is((await api.post(path, { title: 'fits' })).status, 201);
});

async function clientWithAreas(count: number): Promise<{ api: AccountClient; ids: string[] }> {
  const api = await stack.newClient({ plan: 'premium' });
  const ids: string[] = [];
  while (ids.length < count) ids.push((await makeArea(api)).id);
  return { api, ids };
}

test('paging returns every area once, in the order of creation', async (t) => {
  const { api, ids } = await clientWithAreas(7);
  const pages = await walkPages<Area>(api, '/areas', { limit: '3' });
  t.deepEqual(
    pages.map(({ items }) => items.length),
    [3, 3, 1],
  );
  t.deepEqual(idsOf(pages), ids);
});
