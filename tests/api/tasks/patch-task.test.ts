import test from 'ava';
import type { Recurrence, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { errorsOf, expectInvalid } from './expect-refusal.ts';
import { patchTask, readTask, transition, trash } from './task-requests.ts';

const stack = await startStack(test);

const daily: Recurrence = { frequency: 'daily', interval: 1, weekdays: [], fromCompletion: false };

/** A task in which every field that a patch may change holds something. */
async function makeFullTask(api: AccountClient): Promise<Task> {
  await stack.setPlan(api.account, 'premium');
  const { id } = await makeProject(api);
  return makeTask(api, {
    title: 'Before',
    description: 'Before',
    projectId: id,
    dueDate: '2026-11-24',
    deadlineDate: '2026-12-01',
    reminderTime: '09:30',
    recurrence: daily,
    checklist: [{ title: 'Before', completed: true }],
  });
}

const otherValues = {
  title: 'After',
  description: 'After',
  dueDate: '2026-11-25',
  deadlineDate: '2026-12-02',
  reminderTime: '10:45',
  recurrence: { ...daily, frequency: 'monthly', interval: 3 },
} satisfies Partial<Task>;

for (const [field, value] of Object.entries(otherValues)) {
  test(`a patch of ${field} changes ${field} and leaves what it does not name`, async (t) => {
    const api = await stack.newClient();
    const task = await makeFullTask(api);
    const { status, body } = await api.patch<Task>(`/tasks/${task.id}`, { [field]: value });
    t.is(status, 200);
    const { descriptionHtml, updatedAt } = body;
    t.deepEqual(body, { ...task, [field]: value, descriptionHtml, updatedAt });
    t.is(descriptionHtml === task.descriptionHtml, field !== 'description');
    t.true(updatedAt > task.updatedAt);
    t.deepEqual(await readTask(api, task.id), body);
  });
}

for (const [field, cleared] of Object.entries({
  description: { description: null, descriptionHtml: '' },
  dueDate: { dueDate: null, reminderTime: null },
  deadlineDate: { deadlineDate: null },
  reminderTime: { reminderTime: null },
  recurrence: { recurrence: null },
  checklist: { checklist: [] },
})) {
  test(`null clears ${field}, and null again changes nothing`, async (t) => {
    const api = await stack.newClient();
    const task = await makeFullTask(api);
    const patched = await patchTask(api, task.id, { [field]: null });
    t.deepEqual(patched, { ...task, ...cleared, updatedAt: patched.updatedAt });
    t.true(patched.updatedAt > task.updatedAt);
    t.deepEqual(await readTask(api, task.id), patched);
    t.deepEqual(await patchTask(api, task.id, { [field]: null }), patched);
  });
}

test('the title can not be cleared', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api);
  expectInvalid(t, await api.patch(`/tasks/${task.id}`, { title: null }), ['title']);
  t.deepEqual(await readTask(api, task.id), task);
});

test('several fields change together, at one instant', async (t) => {
  const api = await stack.newClient();
  const task = await makeFullTask(api);
  const patched = await patchTask(api, task.id, { ...otherValues, checklist: null });
  const { descriptionHtml, updatedAt } = patched;
  t.deepEqual(patched, { ...task, ...otherValues, checklist: [], descriptionHtml, updatedAt });
});

test('an empty patch is answered with the task as it is, updatedAt included', async (t) => {
  const api = await stack.newClient();
  const task = await makeFullTask(api);
  const { status, body } = await api.patch<Task>(`/tasks/${task.id}`, {});
  t.is(status, 200);
  t.deepEqual(body, task);
});

test('what a task shows can be sent back, in whole or in part, and changes nothing', async (t) => {
  const api = await stack.newClient();
  const { id, ...task } = await makeFullTask(api);
  const { title, description, dueDate, deadlineDate, reminderTime, recurrence, checklist } = task;
  const shown = { title, description, dueDate, deadlineDate, reminderTime, recurrence, checklist };
  t.deepEqual(await patchTask(api, id, shown), { id, ...task });
  for (const [field, value] of Object.entries(shown)) {
    t.deepEqual(await patchTask(api, id, { [field]: value }), { id, ...task }, field);
  }
  t.deepEqual(await readTask(api, id), { id, ...task });
});

for (const field of ['list', 'projectId', 'sectionId']) {
  test(`${field} can not be patched; the message points to the move operation`, async (t) => {
    const api = await stack.newClient();
    const task = await makeTask(api);
    const project = await makeProject(api);
    const section = await makeSection(api, project.id);
    const values = { list: 'someday', projectId: project.id, sectionId: section.id };
    for (const value of [Reflect.get(values, field), Reflect.get(task, field), null]) {
      const answer = await api.patch(`/tasks/${task.id}`, { [field]: value });
      expectInvalid(t, answer, [field]);
      t.regex(errorsOf(answer.body)[field]?.join() ?? '', /\bmove\b/);
    }
    t.deepEqual(await readTask(api, task.id), task);
  });
}

test('any other field is refused by its name, also when it says what is so already', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api);
  const { title, description, dueDate, deadlineDate, reminderTime, recurrence, checklist, ...others } = task;
  const unknown = { ...others, rank: 1, due: null, constructor: 1, 'a.b': 1 };
  const answer = await api.patch(`/tasks/${task.id}`, { title, ...unknown });
  expectInvalid(t, answer, Object.keys(unknown));
  expectInvalid(t, await api.patch(`/tasks/${task.id}`, '{"__proto__": {"title": "x"}}'), ['__proto__']);
  t.deepEqual(await readTask(api, task.id), task);
});

test('a patch with one fault changes nothing at all', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api);
  const patch = { title: 'After', description: 'After', dueDate: '2026-02-30', checklist: [{}] };
  expectInvalid(t, await api.patch(`/tasks/${task.id}`, patch), ['dueDate', 'checklist']);
  expectInvalid(t, await api.patch(`/tasks/${task.id}`, { title: 'After', reminderTime: '09:30' }), [
    'reminderTime',
  ]);
  t.deepEqual(await readTask(api, task.id), task);
});

test('a merge patch may say so in its media type; a JSON Patch is another thing', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api);
  const send = (type: string, title: string) =>
    api.patch<Task>(`/tasks/${id}`, JSON.stringify({ title }), { headers: { 'Content-Type': type } });
  t.is((await send('application/merge-patch+json', 'one')).body.title, 'one');
  t.is((await send('application/merge-patch+json; charset=utf-8', 'two')).body.title, 'two');
  t.is((await send('application/json', 'three')).body.title, 'three');
  for (const type of ['application/json-patch+json', 'text/plain', '']) {
    t.is((await send(type, 'four')).status, 415, type);
  }
  t.is((await readTask(api, id)).title, 'three');
});

test('a patch that is no JSON object, or is not sent, is refused', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api);
  for (const body of ['[{"op": "remove", "path": "/title"}]', 'null', '"title"', '{title: "x"}', undefined]) {
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, body), ['body'], body);
  }
  t.deepEqual(await readTask(api, task.id), task);
});

test('a task in the Trash may be patched, and stays there', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api);
  await trash(api, task.id);
  const patched = await patchTask(api, task.id, { title: 'After', dueDate: '2026-11-24' });
  t.like(patched, { title: 'After', dueDate: '2026-11-24', list: 'someday', inTrash: true, status: 'open' });
});

for (const [name, status] of [
  ['complete', 'completed'],
  ['cancel', 'cancelled'],
] as const) {
  test(`a ${status} task may be patched, and stays ${status}`, async (t) => {
    const api = await stack.newClient();
    const task = await makeTask(api);
    const closed = await transition(api, task.id, name);
    const patched = await patchTask(api, task.id, { title: 'After', dueDate: '2026-11-24' });
    const { updatedAt } = patched;
    const changes = { title: 'After', dueDate: '2026-11-24', list: 'someday', updatedAt } as const;
    t.deepEqual(patched, { ...closed, ...changes });
  });
}

test('patches of different fields at the same time all take effect', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeFullTask(api);
  const patches = Object.entries(otherValues).map(([field, value]) => ({ [field]: value }));
  const answers = await Promise.all(patches.map((patch) => api.patch<Task>(`/tasks/${id}`, patch)));
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.is(new Set(answers.map(({ body }) => body.updatedAt)).size, patches.length, 'one after another');
  t.like(await readTask(api, id), otherValues);
});
