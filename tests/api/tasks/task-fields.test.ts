import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ChecklistItem, Recurrence, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { answerOf, errorsOf, invalid } from '../matrix/problem-answer.ts';
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
      t.deepEqual(answerOf(answer), invalid(field));
      t.regex(errorsOf(answer.body)[field]?.join() ?? '', /\bmove\b/);
    }
    t.deepEqual(await readTask(api, task.id), task);
  });
}

test('a refusal says what to send or use instead', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api);
  const patched = async (patch: object) => errorsOf((await api.patch(`/tasks/${id}`, patch)).body);
  t.deepEqual(await patched({ dueDate: '2027-02-29' }), { dueDate: ['dueDate must be a day that exists'] });
  t.regex((await patched({ status: 'completed' })).status?.join() ?? '', /complete.*cancel/);
  t.regex((await patched({ inTrash: true })).inTrash?.join() ?? '', /DELETE.*restore/);
  const unencoded = await api.get('/tasks?updatedSince=2026-11-26T10:00:00+01:00');
  t.regex(errorsOf(unencoded.body).updatedSince?.join() ?? '', /%2B/);
  for (const [name, message] of [
    ['projectId', 'No project has this projectId.'],
    ['areaId', 'No area has this areaId.'],
  ]) {
    const missing = await api.get(`/tasks?${name}=${randomUUID()}`);
    t.like(missing, { status: 404, body: { message } });
  }
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

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const titlesOf = (task: Task) => task.checklist.map(({ title }) => title);

const idsOf = (task: Task) => task.checklist.map(({ id }) => id);

test('an id that the task does not know is replaced by a new one', async (t) => {
  const api = await stack.newClient();
  const other = await makeTask(api, { checklist: [{ title: 'of another task' }] });
  const foreignIds = [randomUUID(), "'; drop table task; --", '', idsOf(other)[0] ?? ''];
  const checklist = foreignIds.map((id) => ({ id, title: 'Item' }));
  const created = await makeTask(api, { checklist });
  const patched = await patchTask(api, created.id, { checklist });
  for (const task of [created, patched]) {
    t.is(new Set(idsOf(task)).size, 4);
    for (const id of idsOf(task)) {
      t.regex(id, uuid);
      t.false(foreignIds.includes(id));
    }
  }
  t.deepEqual(await readTask(api, other.id), other);
  const tooLong = { checklist: [{ id: 'x'.repeat(65), title: 'Item' }] };
  t.deepEqual(answerOf(await api.patch(`/tasks/${other.id}`, tooLong)), invalid('checklist'));
});

test('a patch replaces the whole list; items that are sent with their id keep it', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { checklist: [{ title: 'a' }, { title: 'b' }, { title: 'c' }] });
  const [a, b, c] = idsOf(task);
  const patched = await patchTask(api, task.id, {
    checklist: [
      { id: c, title: 'c', completed: true },
      { title: 'new' },
      { id: a?.toUpperCase(), title: 'a, in other words' },
    ],
  });
  const fresh = idsOf(patched)[1];
  t.deepEqual(patched.checklist, [
    { id: c, title: 'c', completed: true },
    { id: fresh, title: 'new', completed: false },
    { id: a, title: 'a, in other words', completed: false },
  ] as ChecklistItem[]);
  t.false([a, b, c].includes(fresh));
  t.deepEqual((await readTask(api, task.id)).checklist, patched.checklist);
});

test('an id sent twice stays with its first item; the second one gets an id of its own', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { checklist: [{ title: 'a' }] });
  const [id] = idsOf(task);
  const patched = await patchTask(api, task.id, {
    checklist: [
      { id, title: 'first' },
      { id, title: 'second' },
    ],
  });
  t.is(idsOf(patched)[0], id);
  t.not(idsOf(patched)[1], id);
});

test('sending the same list again changes nothing; without its ids it is another list', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { checklist: [{ title: 'a', completed: true }, { title: 'b' }] });
  t.deepEqual(await patchTask(api, task.id, { checklist: task.checklist }), task);
  const checklist = task.checklist.map(({ title, completed }) => ({ title, completed }));
  const patched = await patchTask(api, task.id, { checklist });
  t.deepEqual(titlesOf(patched), titlesOf(task));
  t.notDeepEqual(idsOf(patched), idsOf(task));
  t.true(patched.updatedAt > task.updatedAt);
});
