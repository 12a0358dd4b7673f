import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask, type TaskFields } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { expectInvalid, expectRefusal } from './expect-refusal.ts';
import { listTasks, listTitles, moveTask, readTask } from './task-requests.ts';

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

async function makePlaces(api: AccountClient) {
  const [project, other] = [(await makeProject(api)).id, (await makeProject(api)).id];
  const section = (await makeSection(api, project)).id;
  const otherSection = (await makeSection(api, other)).id;
  return { project, section, other, otherSection };
}

type Places = Awaited<ReturnType<typeof makePlaces>>;

const outside = { projectId: null, sectionId: null };

const starts: Record<string, (places: Places) => TaskFields> = {
  'the inbox': () => ({}),
  Someday: () => ({ list: 'someday' }),
  'the root of a project': ({ project }) => ({ projectId: project }),
  'a section': ({ section }) => ({ sectionId: section }),
  'another section': ({ otherSection }) => ({ sectionId: otherSection }),
};

/** Every way to name a destination, and where it leads. */
const destinations = ({ project, section, other, otherSection }: Places): [object, object][] => {
  const inProject = { list: 'project', projectId: project, sectionId: null };
  const inSection = { ...inProject, sectionId: section };
  return [
    [{ list: 'inbox' }, { list: 'inbox', ...outside }],
    [
      { list: 'inbox', sectionId: null },
      { list: 'inbox', ...outside },
    ],
    [{ list: 'someday' }, { list: 'someday', ...outside }],
    [{ projectId: project }, inProject],
    [{ projectId: project, sectionId: null }, inProject],
    [{ list: 'project', projectId: project }, inProject],
    [{ sectionId: section }, inSection],
    [{ projectId: project, sectionId: section }, inSection],
    [{ list: 'project', sectionId: section }, inSection],
    [{ list: 'project', projectId: project.toUpperCase(), sectionId: section.toUpperCase() }, inSection],
    [{ sectionId: otherSection }, { list: 'project', projectId: other, sectionId: otherSection }],
  ];
};

for (const [name, fields] of Object.entries(starts)) {
  test(`a task of ${name} can go everywhere, and nothing but its place changes`, async (t) => {
    const api = await stack.newClient();
    const places = await makePlaces(api);
    for (const [destination, place] of destinations(places)) {
      const task = await makeTask(api, fields(places));
      const what = JSON.stringify(destination);
      const { status, body } = await api.post<Task>(`/tasks/${task.id}/move`, destination);
      t.is(status, 200, what);
      t.deepEqual(body, { ...task, ...place, updatedAt: body.updatedAt }, what);
      t.true(body.updatedAt > task.updatedAt, what);
      t.deepEqual(await readTask(api, task.id), body, what);
    }
  });
}

test('a moved task is on top of its destination, and so is one moved to where it is', async (t) => {
  const api = await stack.newClient();
  const { project, section } = await makePlaces(api);
  for (const [destination, query] of [
    [{ list: 'inbox' }, 'view=inbox'],
    [{ list: 'someday' }, 'view=someday'],
    [{ projectId: project }, `projectId=${project}`],
  ] as const) {
    const task = await makeTask(api, { title: 'moved', sectionId: section });
    const below = await makeTask(api, { title: 'below', ...destination });
    await makeTask(api, { title: 'above', ...destination });
    await moveTask(api, task.id, destination);
    t.deepEqual(await listTitles(api, query), ['moved', 'above', 'below']);
    await moveTask(api, below.id, destination);
    t.deepEqual(await listTitles(api, query), ['below', 'moved', 'above']);
    const once = await moveTask(api, below.id, destination);
    t.deepEqual(await listTitles(api, query), ['below', 'moved', 'above']);
    t.deepEqual(await readTask(api, below.id), once);
  }
});

test('sectionId null alone is the root of the task’s project', async (t) => {
  const api = await stack.newClient();
  const { project, section } = await makePlaces(api);
  const inSection = await makeTask(api, { title: 'moved', sectionId: section });
  await makeTask(api, { title: 'above', projectId: project });
  const moved = await moveTask(api, inSection.id, { sectionId: null });
  t.like(moved, { list: 'project', projectId: project, sectionId: null });
  t.deepEqual(await listTitles(api, `projectId=${project}`), ['moved', 'above']);
  t.like(await moveTask(api, inSection.id, { sectionId: null }), { projectId: project, sectionId: null });
  for (const list of ['inbox', 'someday'] as const) {
    const { id } = await makeTask(api, { list });
    expectInvalid(t, await api.post(`/tasks/${id}/move`, { sectionId: null }), ['sectionId'], list);
  }
});

test('a contradictory or missing destination is refused by name', async (t) => {
  const api = await stack.newClient();
  const { project, section, otherSection } = await makePlaces(api);
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
