import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid, expectRefusal } from './expect-refusal.ts';
import { listTasks, moveTask, readTask } from './task-requests.ts';

const stack = await startStack(test);

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
    expectRefusal(t, answer, 'not_found', JSON.stringify(place));
  }
});

test('a cancelled project takes no task', async (t) => {
  const api = await stack.newClient();
  const { project, section } = await makeWorld(api);
  // No operation cancels a project.
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now() where id = ${project}`;
  for (const place of [
    { projectId: project },
    { projectId: project, sectionId: section },
    { sectionId: section },
  ])
    expectRefusal(t, await api.post('/tasks', { title: 'Task', ...place }), 'invalid_state');
  t.deepEqual(await listTasks(api), []);
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
    expectInvalid(t, answer, [field], JSON.stringify(destination));
  }
  expectInvalid(t, await api.post(`/tasks/${task.id}/move`), ['body']);
  expectInvalid(t, await api.post(`/tasks/${task.id}/move`, 'null'), ['body']);
  t.deepEqual(await readTask(api, task.id), task);
});

test('ids of a destination are read in any case', async (t) => {
  const api = await stack.newClient();
  const { project, section } = await makeWorld(api);
  const { id } = await makeTask(api);
  const destination = { projectId: project.toUpperCase(), sectionId: section.toUpperCase() };
  t.like(await moveTask(api, id, destination), { list: 'project', projectId: project, sectionId: section });
});
