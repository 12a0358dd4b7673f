import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Problem, Project, Section, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

type Board = {
  api: AccountClient;
  projectId: string;
  path: string;
  ids: string[];
  order(): Promise<string[]>;
};

async function board(count: number): Promise<Board> {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const path = `/projects/${project.id}/sections`;
  const ids: string[] = [];
  while (ids.length < count) ids.push((await makeSection(api, project.id)).id);
  const order = async () => (await api.get<Section[]>(path)).body.map(({ id }) => id);
  return { api, projectId: project.id, path, ids, order };
}

test('a section moves up, down and to both ends, counted from 0', async (t) => {
  const { api, path, ids, order } = await board(4);
  const [a = '', b = '', c = '', d = ''] = ids;
  const moves: [id: string, position: number, expected: string[]][] = [
    [c, 0, [c, a, b, d]],
    [c, 3, [a, b, d, c]],
    [b, 2, [a, d, b, c]],
    [b, 1, [a, b, d, c]],
    [a, 1, [b, a, d, c]],
    [d, 2, [b, a, d, c]],
  ];
  t.deepEqual(await order(), ids);
  for (const [id, position, expected] of moves) {
    t.is((await api.patch(`${path}/${id}`, { position })).status, 200);
    t.deepEqual(await order(), expected);
  }
});

test('a move counts as a change of every section whose place changes, and of no other', async (t) => {
  const { api, path, ids } = await board(4);
  const before = (await api.get<Section[]>(path)).body;
  const { body: moved } = await api.patch<Section>(`${path}/${ids[2]}`, { position: 1, title: 'Moved' });
  t.is(moved.title, 'Moved');
  const after = (await api.get<Section[]>(path)).body;
  const [first, second, third, fourth] = before;
  t.deepEqual(after, [first, moved, { ...second, updatedAt: moved.updatedAt }, fourth]);
  t.true(moved.updatedAt > (third?.updatedAt ?? ''));
});

test('a new section goes last, after moves and deletions too', async (t) => {
  const { api, path, ids, order } = await board(3);
  const [a = '', b = '', c = ''] = ids;
  await api.patch(`${path}/${a}`, { position: 2 });
  await api.delete(`${path}/${c}`);
  const { body } = await api.post<Section>(path, { title: 'Last' });
  t.deepEqual(await order(), [b, a, body.id]);
});

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

test('a renamed section changes its title and updatedAt and nothing else', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const [first, second] = [await makeSection(api, project.id), await makeSection(api, project.id)];
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const path = `/projects/${project.id}/sections/${first.id}`;
  const { status, body } = await api.patch<Section>(path, { title: 'Other' }, { headers });
  t.is(status, 200);
  t.deepEqual(body, { ...first, title: 'Other', updatedAt: body.updatedAt });
  t.true(body.updatedAt > second.updatedAt);
  t.deepEqual(await sectionsOf(api, project.id), [body, second]);
});

test('a patch that is empty or sends what is there changes nothing, updatedAt included', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const sections = [await makeSection(api, project.id), await makeSection(api, project.id)];
  const [, last] = sections;
  for (const patch of [{}, { title: last?.title }, { position: 1 }, { title: last?.title, position: 7 }]) {
    const { body } = await api.patch<Section>(`/projects/${project.id}/sections/${last?.id}`, patch);
    t.deepEqual(body, last);
  }
  t.deepEqual(await sectionsOf(api, project.id), sections);
});

test('a deleted section is gone, and its tasks fall back to the project’s root', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const [first, second] = [await makeSection(api, project.id), await makeSection(api, project.id)];
  const open = await makeTask(api, { sectionId: first.id });
  const completed = await makeTask(api, { sectionId: first.id });
  const trashed = await makeTask(api, { sectionId: first.id });
  const elsewhere = await makeTask(api, { sectionId: second.id });
  await api.post(`/tasks/${completed.id}/complete`);
  await api.delete(`/tasks/${trashed.id}`);

  const deleted = await api.delete<undefined>(`/projects/${project.id}/sections/${first.id}`);

  t.is(deleted.status, 204);
  t.is(deleted.body, undefined);
  t.is((await api.delete(`/projects/${project.id}/sections/${first.id}`)).status, 404);
  t.deepEqual(
    (await sectionsOf(api, project.id)).map(({ id }) => id),
    [second.id],
  );
  const fallen = (await api.get<Task>(`/tasks/${open.id}`)).body;
  t.deepEqual(fallen, { ...open, sectionId: null, updatedAt: fallen.updatedAt });
  t.true(fallen.updatedAt > elsewhere.updatedAt);
  for (const { id } of [completed, trashed]) {
    t.like((await api.get<Task>(`/tasks/${id}`)).body, {
      sectionId: null,
      projectId: project.id,
      list: 'project',
    });
  }
  t.deepEqual((await api.get<Task>(`/tasks/${elsewhere.id}`)).body, elsewhere);
});

for (const [what, column] of [
  ['completed', 'completed_at'],
  ['cancelled', 'cancelled_at'],
] as const) {
  test(`the sections of a ${what} project can be read and not changed: 409`, async (t) => {
    const api = await stack.newClient();
    const project = await makeProject(api);
    const section = await makeSection(api, project.id);
    if (column === 'completed_at') await api.post(`/projects/${project.id}/complete`);
    else
      await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now() where id = ${project.id}`;
    const path = `/projects/${project.id}/sections`;
    for (const answer of [
      await api.post<Problem>(path, { title: 'Late' }),
      await api.patch<Problem>(`${path}/${section.id}`, { title: 'Late' }),
      await api.patch<Problem>(`${path}/${section.id}`, { position: 0 }),
      await api.delete<Problem>(`${path}/${section.id}`),
    ]) {
      t.like(answer, { status: 409, body: { errorType: 'conflict', errorCode: 'invalid_state' } });
    }
    t.is((await api.patch(`${path}/${randomUUID()}`, { title: 'Late' })).status, 404);
    t.deepEqual(await sectionsOf(api, project.id), [section]);
  });
}

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
