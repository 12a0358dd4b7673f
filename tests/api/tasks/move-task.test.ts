import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask, type TaskFields } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { expectInvalid, expectRefusal } from './expect-refusal.ts';
import { listTitles, moveTask, readTask, transition, trash } from './task-requests.ts';

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

test('a dated task that is moved to the inbox lands in Someday with its dates', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const { project } = await makePlaces(api);
  for (const dates of [
    { dueDate: '2026-11-24', reminderTime: '09:30' },
    { deadlineDate: '2026-12-01' },
    { dueDate: '2026-11-24', deadlineDate: '2026-12-01' },
  ]) {
    await makeTask(api, { title: 'below', list: 'someday' });
    const { id } = await makeTask(api, { title: 'moved', projectId: project, ...dates });
    t.like(await moveTask(api, id, { list: 'inbox' }), { list: 'someday', ...outside, ...dates });
    t.is((await listTitles(api, 'view=someday'))[0], 'moved');
  }
  t.deepEqual(await listTitles(api, 'view=inbox'), []);
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

test('a closed project takes no task, not even a closed one of its own', async (t) => {
  const api = await stack.newClient();
  const { project, section, other } = await makePlaces(api);
  const own = await makeTask(api, { sectionId: section });
  const elsewhere = await makeTask(api, { projectId: other });
  await api.post(`/projects/${project}/complete`);
  for (const id of [own.id, elsewhere.id]) {
    for (const destination of [{ projectId: project }, { sectionId: section }]) {
      expectRefusal(t, await api.post(`/tasks/${id}/move`, destination), 'invalid_state');
    }
  }
  expectRefusal(t, await api.post(`/tasks/${own.id}/move`, { sectionId: null }), 'invalid_state');
});

test('a task in the Trash can not be moved, not even to where it is', async (t) => {
  const api = await stack.newClient();
  const { project, section } = await makePlaces(api);
  const { id } = await makeTask(api, { projectId: project });
  await trash(api, id);
  for (const destination of [{ list: 'inbox' }, { projectId: project }, { sectionId: section }]) {
    expectRefusal(t, await api.post(`/tasks/${id}/move`, destination), 'invalid_state');
  }
});

test('closed tasks move and stay closed, out of a closed project too', async (t) => {
  const api = await stack.newClient();
  const { project, other } = await makePlaces(api);
  for (const name of ['complete', 'cancel'] as const) {
    const { id } = await makeTask(api);
    const closed = await transition(api, id, name);
    const moved = await moveTask(api, id, { projectId: other });
    const place = { list: 'project', projectId: other } as const;
    t.deepEqual(moved, { ...closed, ...place, updatedAt: moved.updatedAt });
  }
  const child = await makeTask(api, { projectId: project });
  await api.post(`/projects/${project}/complete`);
  t.like(await moveTask(api, child.id, { list: 'inbox' }), {
    list: 'inbox',
    status: 'cancelled',
    ...outside,
  });
});
