import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid, expectRefusal } from './expect-refusal.ts';
import { listTasks } from './task-requests.ts';

const stack = await startStack(test);

type Place = { list: string; projectId: string | null; sectionId: string | null };

type Expected = { place: Place } | { refused: 'list' | 'sectionId' };

const lists = [undefined, 'inbox', 'someday', 'project'] as const;

const projects = ['absent', 'given'] as const;

const sections = ['absent', 'null', 'of the project', 'of another project'] as const;

const dates = [
  {},
  { dueDate: '2026-11-24' },
  { deadlineDate: '2026-11-25' },
  { dueDate: '2026-11-24', deadlineDate: '2026-11-25' },
  { dueDate: null, deadlineDate: null },
];

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

/** The placement rule in its own words, for one combination of what a caller can send. */
function expectedPlace(
  list: (typeof lists)[number],
  project: (typeof projects)[number],
  section: (typeof sections)[number],
  isDated: boolean,
  world: World,
): Expected {
  const namesSection = section === 'of the project' || section === 'of another project';
  const namesProject = project === 'given' || namesSection;
  if (list !== undefined && namesProject !== (list === 'project')) return { refused: 'list' };
  if (project === 'given' && section === 'of another project') return { refused: 'sectionId' };
  if (!namesProject) {
    const undated = list ?? 'inbox';
    return { place: { list: isDated ? 'someday' : undated, projectId: null, sectionId: null } };
  }
  if (section === 'of another project') {
    return { place: { list: 'project', projectId: world.otherProject, sectionId: world.otherSection } };
  }
  const sectionId = section === 'of the project' ? world.section : null;
  return { place: { list: 'project', projectId: world.project, sectionId } };
}

for (const list of lists) {
  test(`where a task goes whose list is ${list ?? 'not sent'}, for every project, section and date`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const world = await makeWorld(api);
    const sectionIds = {
      absent: undefined,
      null: null,
      'of the project': world.section,
      'of another project': world.otherSection,
    };
    for (const project of projects) {
      for (const section of sections) {
        for (const dated of dates) {
          const what = `project ${project}, section ${section}, ${JSON.stringify(dated)}`;
          const isDated = Object.values(dated).some((date) => date !== null);
          const expected = expectedPlace(list, project, section, isDated, world);
          const projectId = project === 'given' ? world.project : undefined;
          const place = { list, projectId, sectionId: sectionIds[section] };
          const answer = await api.post<Task>('/tasks', { title: what, ...place, ...dated });
          if ('refused' in expected) expectInvalid(t, answer, [expected.refused], what);
          else t.like(answer, { status: 201, body: { ...expected.place, ...dated } }, what);
        }
      }
    }
  });
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

for (const status of ['completed', 'cancelled']) {
  test(`a ${status} project takes no task`, async (t) => {
    const api = await stack.newClient();
    const { project, section } = await makeWorld(api);
    // No operation cancels a project.
    await stack.sql`update tasks.project set status = ${status},
      completed_at = case when ${status} = 'completed' then now() end,
      cancelled_at = case when ${status} = 'cancelled' then now() end where id = ${project}`;
    for (const place of [
      { projectId: project },
      { projectId: project, sectionId: section },
      { sectionId: section },
      { list: 'project', projectId: project },
    ]) {
      const answer = await api.post('/tasks', { title: 'Task', ...place });
      expectRefusal(t, answer, 'invalid_state', JSON.stringify(place));
    }
    t.deepEqual(await listTasks(api), []);
  });
}
