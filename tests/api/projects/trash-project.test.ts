import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Page, Problem, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('a trashed project takes its open tasks along; completed and cancelled ones stay in the logbook', async (t) => {
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

test('a trashed project answers 404 everywhere and is on no list', async (t) => {
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

test('completed and cancelled projects can go to the Trash too, and their tasks stay in the logbook', async (t) => {
  const api = await stack.newClient();
  const completed = await makeProject(api);
  const task = await makeTask(api, { projectId: completed.id });
  const cancelled = await makeProject(api);
  await api.post(`/projects/${completed.id}/complete`);
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now() where id = ${cancelled.id}`;
  const closed = (await api.get<Task>(`/tasks/${task.id}`)).body;
  for (const { id } of [completed, cancelled]) {
    t.is((await api.delete(`/projects/${id}`)).status, 204);
    t.is((await api.get(`/projects/${id}`)).status, 404);
  }
  t.deepEqual((await api.get<Task>(`/tasks/${task.id}`)).body, closed);
});

test('missing, foreign and malformed ids are answered alike by every operation on a project', async (t) => {
  const owner = await stack.newClient();
  const project = await makeProject(owner);
  const section = await makeSection(owner, project.id);
  const stranger = await stack.newClient();
  const bodies = [];
  for (const id of [randomUUID(), project.id, 'nonsense', '..%2f..']) {
    const path = `/projects/${id}`;
    for (const answer of [
      await stranger.get<Problem>(path),
      await stranger.patch<Problem>(path, { title: 'Mine', deadlineDate: '2027-01-01' }),
      await stranger.post<Problem>(`${path}/complete`),
      await stranger.post<Problem>(`${path}/uncomplete`),
      await stranger.delete<Problem>(path),
      await stranger.get<Problem>(`${path}/sections`),
      await stranger.post<Problem>(`${path}/sections`, { title: 'Mine' }),
      await stranger.patch<Problem>(`${path}/sections/${section.id}`, { title: 'Mine' }),
      await stranger.delete<Problem>(`${path}/sections/${section.id}`),
    ]) {
      t.is(answer.status, 404);
      bodies.push(JSON.stringify({ ...answer.body, requestId: '' }));
    }
  }
  t.is(new Set(bodies).size, 1);
  const untouched = (await owner.get<Project>(`/projects/${project.id}`)).body;
  t.deepEqual(untouched, { ...project, sections: [section] });
});

test('a faulty request is refused for its fault before the project is looked for', async (t) => {
  const api = await stack.newClient();
  t.is((await api.patch(`/projects/${randomUUID()}`, { title: '' })).status, 400);
  t.is((await api.post(`/projects/${randomUUID()}/complete`, { completeChildTasks: 1 })).status, 400);
  t.is((await api.post(`/projects/${randomUUID()}/sections`, {})).status, 400);
});
