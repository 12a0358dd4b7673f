import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Problem, Project, Task } from '#tests/support/api-types.ts';
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

test('completing a project leaves tasks that were closed or trashed before as they are', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const tasks = [];
  for (const path of ['complete', 'cancel', undefined]) {
    const task = await makeTask(api, { projectId: project.id });
    if (path === undefined) await api.delete(`/tasks/${task.id}`);
    else await api.post(`/tasks/${task.id}/${path}`);
    tasks.push(await fetchTask(api, task.id));
  }
  await api.post(`/projects/${project.id}/complete`, { completeChildTasks: true });
  for (const task of tasks) t.deepEqual(await fetchTask(api, task.id), task);
});

test('a repeating task is closed with its project without rolling', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const recurrence = { frequency: 'daily' as const };
  const task = await makeTask(api, { projectId: project.id, dueDate: '2027-01-01', recurrence });
  await api.post(`/projects/${project.id}/complete`, { completeChildTasks: true });
  t.like(await fetchTask(api, task.id), { status: 'completed', dueDate: '2027-01-01', recurrence: null });
  const list = await api.get<{ items: Task[] }>(`/projects/${project.id}/tasks?view=all`);
  t.deepEqual(
    list.body.items.map(({ id }) => id),
    [task.id],
  );
});

test('completing a completed project again changes nothing, whatever the body asks', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const task = await makeTask(api, { projectId: project.id });
  const first = await api.post<Project>(`/projects/${project.id}/complete`);
  const closed = await fetchTask(api, task.id);
  const again = await api.post<Project>(`/projects/${project.id}/complete`, { completeChildTasks: true });
  t.is(again.status, 200);
  t.deepEqual(again.body, first.body);
  t.deepEqual(await fetchTask(api, task.id), closed);
});

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

test('uncompleting an active project changes nothing', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const { status, body } = await api.post<Project>(`/projects/${project.id}/uncomplete`, {});
  t.is(status, 200);
  t.deepEqual(body, project);
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

test('a completion’s body takes completeChildTasks as true or false and nothing else', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const faults: [field: string, body: unknown][] = [
    ['completeChildTasks', { completeChildTasks: 'true' }],
    ['completeChildTasks', { completeChildTasks: null }],
    ['status', { status: 'completed' }],
    ['body', []],
    ['body', '{'],
  ];
  for (const [field, sent] of faults) {
    const { status, body } = await api.post<Problem>(`/projects/${project.id}/complete`, sent);
    t.is(status, 400);
    t.deepEqual(Object.keys(body.errors ?? {}), [field]);
  }
  const reopened = await api.post<Problem>(`/projects/${project.id}/uncomplete`, { force: true });
  t.is(reopened.status, 400);
  t.deepEqual(Object.keys(reopened.body.errors ?? {}), ['force']);
  t.deepEqual(await fetchProject(api, project.id), project);
});

test('of 20 parallel completions each is answered with the same completed project', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.post<Project>(`/projects/${project.id}/complete`)),
  );
  t.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.completedAt}`)).size, 1);
  t.deepEqual(answers[0]?.body, await fetchProject(api, project.id));
});
