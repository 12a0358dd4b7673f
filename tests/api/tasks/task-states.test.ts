import test from 'ava';
import { restoreProject as restoreProjectAsOperator } from '#resource-api/admin/data-admin.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask, type SentTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { answerOf, invalid, invalidState, notFound } from '../matrix/problem-answer.ts';
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

const inInbox = { inTrash: false, list: 'inbox', projectId: null, sectionId: null };

const inSomeday = { ...inInbox, list: 'someday' };

test('a restored task is where it was, at the same place in the list', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  for (const [place, query] of [
    [{ list: 'inbox' }, 'view=inbox'],
    [{ list: 'someday' }, 'view=someday'],
    [{ projectId: project.id, sectionId: section.id }, `projectId=${project.id}`],
  ] as const) {
    await makeTask(api, { title: 'below', ...place });
    const task = await makeTask(api, { title: 'restored', ...place });
    await makeTask(api, { title: 'above', ...place });
    await trash(api, task.id);
    t.deepEqual(await listTitles(api, query), ['above', 'below']);
    const restored = await transition(api, task.id, 'restore');
    t.deepEqual(restored, { ...task, updatedAt: restored.updatedAt });
    t.deepEqual(await listTitles(api, query), ['above', 'restored', 'below']);
  }
});

const dated: SentTask = { dueDate: '2026-11-24', reminderTime: '09:30' };

const detached = [
  ['undated', {}, inInbox, 'view=inbox'],
  ['dated', dated, { ...inSomeday, ...dated }, 'view=someday'],
  ['with a deadline', { deadlineDate: '2026-12-01' }, inSomeday, 'view=someday'],
] as const;

for (const [what, fields, place, query] of detached) {
  test(`a task that went to the Trash with its project is restored without it, on top (${what})`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const project = await makeProject(api);
    const section = await makeSection(api, project.id);
    const task = await makeTask(api, { title: 'restored', sectionId: section.id, ...fields });
    await makeTask(api, { title: 'there before', list: place === inInbox ? 'inbox' : 'someday' });
    await api.delete(`/projects/${project.id}`);
    t.like(await readTask(api, task.id), { inTrash: true, projectId: project.id, sectionId: section.id });
    const restored = await transition(api, task.id, 'restore');
    t.like(restored, { ...place, title: 'restored', status: 'open' });
    t.deepEqual(await listTitles(api, query), ['restored', 'there before']);
  });
}

test('an open task is detached when its project was closed meanwhile; a closed one stays in it', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const open = await makeTask(api, { projectId: project.id });
  const openDated = await makeTask(api, { projectId: project.id, ...dated });
  const completed = await makeTask(api, { projectId: project.id });
  const cancelled = await makeTask(api, { projectId: project.id });
  await transition(api, completed.id, 'complete');
  await transition(api, cancelled.id, 'cancel');
  for (const { id } of [open, openDated, completed, cancelled]) await trash(api, id);
  await api.post(`/projects/${project.id}/complete`);

  t.like(await transition(api, open.id, 'restore'), { ...inInbox, status: 'open' });
  t.like(await transition(api, openDated.id, 'restore'), { ...inSomeday, status: 'open' });
  const inProject = { inTrash: false, inLogbook: true, projectId: project.id };
  t.like(await transition(api, completed.id, 'restore'), { ...inProject, status: 'completed' });
  t.like(await transition(api, cancelled.id, 'restore'), { ...inProject, status: 'cancelled' });
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

type World = { project: string; section: string; otherProject: string; otherSection: string };

async function makeWorld(api: ApiClient): Promise<World> {
  const [project, other] = [await makeProject(api), await makeProject(api)];
  return {
    project: project.id,
    section: (await makeSection(api, project.id)).id,
    otherProject: other.id,
    otherSection: (await makeSection(api, other.id)).id,
  };
}

test('a project in the Trash, its sections, and a section that was deleted are not found', async (t) => {
  const api = await stack.newClient();
  const world = await makeWorld(api);
  await api.delete(`/projects/${world.project}`);
  await api.delete(`/projects/${world.otherProject}/sections/${world.otherSection}`);
  for (const place of [
    { projectId: world.project },
    { projectId: world.project, sectionId: world.section },
    { sectionId: world.section },
    { sectionId: world.otherSection },
    { projectId: world.otherProject, sectionId: world.otherSection },
  ]) {
    const answer = await api.post('/tasks', { title: 'Task', ...place });
    t.deepEqual(answerOf(answer), notFound, JSON.stringify(place));
  }
});

test('a contradictory or missing destination is refused by name', async (t) => {
  const api = await stack.newClient();
  const { project, section, otherSection } = await makeWorld(api);
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
