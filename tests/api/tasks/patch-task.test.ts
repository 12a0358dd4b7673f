import test from 'ava';
import type { Recurrence, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { errorsOf, expectInvalid } from './expect-refusal.ts';
import { listTitles, patchTask, readTask } from './task-requests.ts';

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

test('patches of different fields at the same time all take effect', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeFullTask(api);
  const patches = Object.entries(otherValues).map(([field, value]) => ({ [field]: value }));
  const answers = await Promise.all(patches.map((patch) => api.patch<Task>(`/tasks/${id}`, patch)));
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.is(new Set(answers.map(({ body }) => body.updatedAt)).size, patches.length, 'one after another');
  t.like(await readTask(api, id), otherValues);
});

const reminded = { dueDate: '2026-11-24', reminderTime: '09:30' };

test('clearing the start date clears the reminder with it, also when a deadline remains', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  for (const deadlineDate of [null, '2026-12-01']) {
    const { id } = await makeTask(api, { ...reminded, deadlineDate });
    const patched = await patchTask(api, id, { dueDate: null });
    t.like(patched, { dueDate: null, reminderTime: null, deadlineDate });
  }
});

test('a patch that clears the start date and sets a reminder is refused', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api, reminded);
  for (const patch of [
    { dueDate: null, reminderTime: '10:00' },
    { dueDate: null, reminderTime: '09:30' },
    { dueDate: null, reminderTime: '10:00', deadlineDate: '2026-12-01' },
  ]) {
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, patch), ['reminderTime'], JSON.stringify(patch));
  }
  t.deepEqual(await readTask(api, task.id), task);
});

for (const field of ['dueDate', 'deadlineDate']) {
  test(`a task of the inbox that gets a ${field} moves to the top of Someday`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const { id } = await makeTask(api, { title: 'moved' });
    await makeTask(api, { title: 'there before', list: 'someday' });
    t.like(await patchTask(api, id, { [field]: '2026-11-24' }), { list: 'someday', [field]: '2026-11-24' });
    t.deepEqual(await listTitles(api, 'view=inbox'), []);
    t.deepEqual(await listTitles(api, 'view=someday'), ['moved', 'there before']);
  });
}
