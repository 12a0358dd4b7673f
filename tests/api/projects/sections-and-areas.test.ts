import { randomUUID } from 'node:crypto';
import test from 'ava';
import { idsOf, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Area, Page, Problem, Project, Section, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

const sectionsOf = async (api: ApiClient, projectId: string) =>
  (await api.get<Section[]>(`/projects/${projectId}/sections`)).body;

test('creating a section responds 201 with exactly its five fields', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const { status, body } = await api.post<Section>(`/projects/${project.id}/sections`, {
    title: ' Before? ',
  });
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['id', 'projectId', 'title', 'createdAt', 'updatedAt']);
  t.regex(body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.like(body, { projectId: project.id, title: ' Before? ', updatedAt: body.createdAt });
  t.regex(body.createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
});

test('the list of sections is a bare array in display order, empty for a project without any', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const other = await makeProject(api);
  t.deepEqual(await sectionsOf(api, project.id), []);
  const sections = [];
  for (let count = 0; count < 3; count++) {
    sections.push(await makeSection(api, project.id));
    await makeSection(api, other.id);
  }
  t.deepEqual(await sectionsOf(api, project.id), sections);
  t.deepEqual((await api.get<Project>(`/projects/${project.id}`)).body.sections, sections);
});

test('the list of sections has no pages: parameters of pages are ignored', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  for (let count = 0; count < 3; count++) await makeSection(api, project.id);
  const { status, body } = await api.get<Section[]>(
    `/projects/${project.id}/sections?limit=1&cursor=nonsense`,
  );
  t.is(status, 200);
  t.is(body.length, 3);
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

test('the sections of a cancelled project can be read and not changed: 409', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now() where id = ${project.id}`;
  const path = `/projects/${project.id}/sections`;
  for (const answer of [
    await api.post<Problem>(path, { title: 'Late' }),
    await api.patch<Problem>(`${path}/${section.id}`, { title: 'Late' }),
    await api.delete<Problem>(`${path}/${section.id}`),
  ]) {
    t.like(answer, { status: 409, body: { errorType: 'conflict', errorCode: 'invalid_state' } });
  }
  t.is((await api.patch(`${path}/${randomUUID()}`, { title: 'Late' })).status, 404);
  t.deepEqual(await sectionsOf(api, project.id), [section]);
});

test('a project holds at most 1,000 sections, and takes another once one is gone', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeProject(api);
  const path = `/projects/${id}/sections`;
  const last = await makeSection(api, id);
  await stack.sql`
     insert into tasks.section (account_id, id, project_id, title, position, created_at, updated_at)
     select account_id, gen_random_uuid(), project_id, 'one of many', position + number, created_at, updated_at
     from tasks.section, generate_series(1, 999) number where id = ${last.id}`;
  const refused = await api.post<Problem>(path, { title: 'one too many' });
  t.is(refused.status, 409);
  t.like(refused.body, { errorCode: 'invalid_state', message: 'A project holds at most 1,000 sections.' });
  t.is((await sectionsOf(api, id)).length, 1_000);
  await api.delete(`${path}/${last.id}`);
  t.is((await api.post(path, { title: 'fits' })).status, 201);
});

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
