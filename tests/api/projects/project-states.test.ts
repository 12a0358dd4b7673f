import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Problem, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

const fetchTask = async (api: ApiClient, id: string) => (await api.get<Task>(`/tasks/${id}`)).body;

const fetchProject = async (api: ApiClient, id: string) => (await api.get<Project>(`/projects/${id}`)).body;

const bodies: [what: string, body: unknown, status: Task['status']][] = [
  ['without a body', undefined, 'cancelled'],
  ['with an empty body', {}, 'cancelled'],
  ['with completeChildTasks false', { completeChildTasks: false }, 'cancelled'],
  ['with completeChildTasks true', { completeChildTasks: true }, 'completed'],
];

for (const [what, sent, expected] of bodies) {
  test(`completing a project ${what} leaves its open tasks ${expected}, at the project’s own instant`, async (t) => {
    const api = await stack.newClient();
    const project = await makeProject(api);
    const section = await makeSection(api, project.id);
    const inside = await makeTask(api, { projectId: project.id, dueDate: '2027-01-01' });
    const inSection = await makeTask(api, { sectionId: section.id });
    const outside = await makeTask(api);

    const { status, body } = await api.post<Project>(`/projects/${project.id}/complete`, sent);

    t.is(status, 200);
    const { completedAt, updatedAt } = body;
    t.deepEqual(body, { ...project, sections: [section], status: 'completed', completedAt, updatedAt });
    t.is(completedAt, updatedAt);
    t.true(updatedAt > outside.updatedAt);
    t.deepEqual(await fetchProject(api, project.id), body);
    for (const before of [inside, inSection]) {
      t.deepEqual(await fetchTask(api, before.id), {
        ...before,
        status: expected,
        inLogbook: true,
        completedAt: expected === 'completed' ? completedAt : null,
        cancelledAt: expected === 'cancelled' ? completedAt : null,
        updatedAt,
      });
    }
    t.deepEqual(await fetchTask(api, outside.id), outside);
  });
}

test('uncompleting makes the project active and leaves the tasks that were closed with it closed', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const task = await makeTask(api, { projectId: project.id });
  await api.post(`/projects/${project.id}/complete`);
  const closed = await fetchTask(api, task.id);
  const { status, body } = await api.post<Project>(`/projects/${project.id}/uncomplete`);
  t.is(status, 200);
  t.deepEqual(body, { ...project, updatedAt: body.updatedAt });
  t.true(body.updatedAt > closed.updatedAt);
  t.deepEqual(await fetchProject(api, project.id), body);
  t.deepEqual(await fetchTask(api, task.id), closed);
  t.is((await api.patch(`/projects/${project.id}`, { title: 'Goes on' })).status, 200);
});

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

test('trashing a project trashes its open tasks; completed and cancelled ones stay in the logbook', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const open = await makeTask(api, { projectId: project.id });
  const completed = await makeTask(api, { projectId: project.id });
  const cancelled = await makeTask(api, { projectId: project.id });
  const outside = await makeTask(api);
  await api.post(`/tasks/${completed.id}/complete`);
  await api.post(`/tasks/${cancelled.id}/cancel`);

  const deleted = await api.delete<undefined>(`/projects/${project.id}`);

  t.is(deleted.status, 204);
  t.is(deleted.body, undefined);
  const trashed = (await api.get<Task>(`/tasks/${open.id}`)).body;
  t.deepEqual(trashed, { ...open, inTrash: true, updatedAt: trashed.updatedAt });
  t.true(trashed.updatedAt > outside.updatedAt);
  for (const { id } of [completed, cancelled]) {
    t.like((await api.get<Task>(`/tasks/${id}`)).body, { inTrash: false, inLogbook: true });
  }
  t.deepEqual((await api.get<Task>(`/tasks/${outside.id}`)).body, outside);
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
