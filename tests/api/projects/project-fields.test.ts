import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Problem, Project } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('a new project needs only a title; the response has exactly the documented fields', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post<Project>('/projects', { title: 'Move' });
  t.is(status, 201);
  t.deepEqual(
    Object.entries(body).filter(([field]) => !['id', 'createdAt', 'updatedAt'].includes(field)),
    Object.entries({
      title: 'Move',
      description: null,
      descriptionHtml: '',
      status: 'active',
      areaId: null,
      deadlineDate: null,
      inTrash: false,
      sections: [],
      completedAt: null,
      cancelledAt: null,
    }),
  );
  t.deepEqual(Object.keys(body).slice(-2), ['createdAt', 'updatedAt']);
  t.regex(body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.regex(body.createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  t.is(body.updatedAt, body.createdAt);
});

test('creation, fetch and list show the same project', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const area = await makeArea(api);
  const sent = {
    title: 'Move to Lisbon',
    description: 'Keys at *Rua do Sol*.',
    areaId: area.id,
    deadlineDate: '2028-02-29',
  };
  const { body } = await api.post<Project>('/projects', sent);
  t.like(body, { ...sent, status: 'active' });
  t.regex(body.descriptionHtml, /<em>Rua do Sol<\/em>/);
  t.deepEqual((await api.get<Project>(`/projects/${body.id}`)).body, body);
  t.deepEqual((await api.get<Page<Project>>('/projects')).body, {
    items: [body],
    nextCursor: null,
    hasMore: false,
  });
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

test('a completed or cancelled project can’t be patched: 400 on status', async (t) => {
  const { api, project } = await fullProject();
  const cancelled = await makeProject(api);
  await api.post(`/projects/${project.id}/complete`);
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now() where id = ${cancelled.id}`;
  for (const id of [project.id, cancelled.id]) {
    const before = (await api.get<Project>(`/projects/${id}`)).body;
    for (const patch of [{ title: 'Late' }, {}]) {
      const { status, body } = await api.patch<Problem>(`/projects/${id}`, patch);
      t.is(status, 400);
      t.deepEqual(Object.keys(body.errors ?? {}), ['status']);
    }
    t.deepEqual((await api.get<Project>(`/projects/${id}`)).body, before);
  }
});

const fetchProject = async (api: ApiClient, id: string) => (await api.get<Project>(`/projects/${id}`)).body;

test('a cancelled project is shown as such and can be neither completed nor uncompleted: 409', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = '2026-11-01T10:00:00.120Z'
    where id = ${project.id}`;
  const cancelled = await fetchProject(api, project.id);
  t.deepEqual(cancelled, { ...project, status: 'cancelled', cancelledAt: '2026-11-01T10:00:00.120Z' });
  for (const path of ['complete', 'uncomplete']) {
    const answer = await api.post<Problem>(`/projects/${project.id}/${path}`);
    t.like(answer, { status: 409, body: { errorType: 'conflict', errorCode: 'invalid_state' } });
  }
  t.deepEqual(await fetchProject(api, project.id), cancelled);
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
