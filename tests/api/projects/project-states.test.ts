import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Problem, Project } from '#tests/support/api-types.ts';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

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
