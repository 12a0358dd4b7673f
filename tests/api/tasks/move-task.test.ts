import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask, type TaskFields } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { listTitles, moveTask, readTask } from './task-requests.ts';

const stack = await startStack(test);

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

test('sectionId null alone is the root of the project the task is in', async (t) => {
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

test('a destination that contradicts itself, or is none, is refused by name', async (t) => {
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
