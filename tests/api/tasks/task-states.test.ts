import test from 'ava';
import { restoreProject as restoreProjectAsOperator } from '#resource-api/admin/data-admin.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { answerOf, invalid, invalidState } from '../matrix/problem-answer.ts';
import { listTitles, moveTask, readTask, transition, trash } from './task-requests.ts';

const stack = await startStack(test);

test('parallel calls of the same operation close a task once', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => api.post<Task>(`/tasks/${id}/complete`)),
  );
  t.is(new Set(answers.map(({ status, body }) => `${status} ${body.completedAt} ${body.updatedAt}`)).size, 1);
  t.is(answers[0]?.status, 200);
});

for (const [close, reopen] of [
  ['complete', 'uncomplete'],
  ['cancel', 'uncancel'],
] as const) {
  test(`${reopen} is refused while the task’s project is in the Trash, and possible elsewhere`, async (t) => {
    const api = await stack.newClient();
    const project = await makeProject(api);
    const task = await makeTask(api, { projectId: project.id });
    const closed = await transition(api, task.id, close);
    await api.delete(`/projects/${project.id}`);
    t.deepEqual(await readTask(api, task.id), closed, 'closed tasks stay in the logbook');
    t.deepEqual(answerOf(await api.post(`/tasks/${task.id}/${reopen}`)), invalidState);
    await moveTask(api, task.id, { list: 'inbox' });
    t.like(await transition(api, task.id, reopen), { status: 'open', list: 'inbox', projectId: null });
  });
}

function restoreProject({ account: { accountId } }: AccountClient, projectId: string) {
  return restoreProjectAsOperator(stack.databaseUrl, { accountId, projectId });
}

test('a task restored without its project, but with a deadline, is on top of Someday', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const { id: projectId } = await makeProject(api);
  const task = await makeTask(api, { title: 'restored', projectId, deadlineDate: '2026-12-01' });
  await makeTask(api, { title: 'there before', list: 'someday' });
  await api.delete(`/projects/${projectId}`);
  t.like(await transition(api, task.id, 'restore'), { list: 'someday', projectId: null });
  t.deepEqual(await listTitles(api, 'view=someday'), ['restored', 'there before']);
});

test('restoring detaches an open task from a closed project; a closed one stays in it', async (t) => {
  const api = await stack.newClient();
  const { id: projectId } = await makeProject(api);
  const open = await makeTask(api, { projectId, dueDate: '2026-11-24' });
  await trash(api, open.id);
  for (const [close, status] of [
    ['complete', 'completed'],
    ['cancel', 'cancelled'],
  ] as const) {
    const { id } = await makeTask(api, { projectId });
    await transition(api, id, close);
    await trash(api, id);
    await api.post(`/projects/${projectId}/complete`);
    t.like(await transition(api, id, 'restore'), { status, projectId, inTrash: false, inLogbook: true });
    await api.post(`/projects/${projectId}/uncomplete`);
  }
  await api.post(`/projects/${projectId}/complete`);
  t.like(await transition(api, open.id, 'restore'), { status: 'open', list: 'someday', projectId: null });
});

test('once restored, a task no longer follows the project it went to the Trash with', async (t) => {
  const api = await stack.newClient();
  const [first, second] = [await makeProject(api), await makeProject(api)];
  const { id } = await makeTask(api, { projectId: first.id });
  await api.delete(`/projects/${first.id}`);
  await transition(api, id, 'restore');
  await moveTask(api, id, { projectId: second.id });
  await trash(api, id);
  await restoreProject(api, first.id);
  t.like(await readTask(api, id), { inTrash: true, projectId: second.id });
  t.like(await transition(api, id, 'restore'), { inTrash: false, projectId: second.id });
});

test('deleting a task that went to the Trash with its project changes nothing', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const { id } = await makeTask(api, { projectId: project.id });
  await api.delete(`/projects/${project.id}`);
  const trashed = await readTask(api, id);
  await trash(api, id);
  t.deepEqual(await readTask(api, id), trashed);
  await restoreProject(api, project.id);
  t.like(await readTask(api, id), { inTrash: false, projectId: project.id });
});

test('a contradictory or missing destination is refused by name', async (t) => {
  const api = await stack.newClient();
  const [{ id: project }, other] = [await makeProject(api), await makeProject(api)];
  const [{ id: section }, { id: otherSection }] = [
    await makeSection(api, project),
    await makeSection(api, other.id),
  ];
  const task = await makeTask(api, { sectionId: section });
  for (const [destination, field] of [
    [{}, 'body'],
    [{ list: 'project' }, 'list'],
    [{ list: 'project', sectionId: null }, 'list'],
    [{ list: 'inbox', projectId: project }, 'list'],
    [{ list: 'someday', sectionId: section }, 'list'],
    [{ list: 'today' }, 'list'],
    [{ list: null }, 'list'],
    [{ projectId: null }, 'projectId'],
    [{ list: 'inbox', projectId: null }, 'projectId'],
    [{ projectId: 'nonsense' }, 'projectId'],
    [{ sectionId: 'nonsense' }, 'sectionId'],
    [{ projectId: project, sectionId: otherSection }, 'sectionId'],
    [{ list: 'inbox', title: 'x' }, 'title'],
    [{ position: 0 }, 'position'],
  ] as const) {
    const answer = await api.post(`/tasks/${task.id}/move`, destination);
    t.deepEqual(answerOf(answer), invalid(field), JSON.stringify(destination));
  }
  t.deepEqual(answerOf(await api.post(`/tasks/${task.id}/move`)), invalid('body'));
  t.deepEqual(await readTask(api, task.id), task);
});
