import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ChecklistItem, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { patchTask, readTask } from './task-requests.ts';

const stack = await startStack(test);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const titlesOf = (task: Task) => task.checklist.map(({ title }) => title);

const idsOf = (task: Task) => task.checklist.map(({ id }) => id);

test('items keep the order they are sent in, get ids of their own, and are not ticked unless they say so', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, {
    checklist: [{ title: 'z' }, { title: 'a', completed: true }, { title: 'z', completed: false }],
  });
  t.deepEqual(
    task.checklist.map(({ title, completed }) => [title, completed]),
    [
      ['z', false],
      ['a', true],
      ['z', false],
    ],
  );
  t.is(new Set(idsOf(task)).size, 3);
  for (const id of idsOf(task)) t.regex(id, uuid);
  t.deepEqual(Object.keys(task.checklist[0] ?? {}).sort(), ['completed', 'id', 'title']);
  t.deepEqual((await readTask(api, task.id)).checklist, task.checklist);
});

test('a task has up to 200 items, not 201', async (t) => {
  const api = await stack.newClient();
  const items = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `Item ${index}` }));
  const task = await makeTask(api, { checklist: items(200) });
  t.deepEqual(
    titlesOf(await readTask(api, task.id)),
    items(200).map(({ title }) => title),
  );
  expectInvalid(t, await api.post('/tasks', { title: 'Task', checklist: items(201) }), ['checklist']);
  expectInvalid(t, await api.patch(`/tasks/${task.id}`, { checklist: items(201) }), ['checklist']);
  expectInvalid(t, await api.patch(`/tasks/${task.id}`, { checklist: items(600) }), ['checklist']);
  t.deepEqual(await readTask(api, task.id), task);
});

test('an id that the task does not know is replaced by a new one', async (t) => {
  const api = await stack.newClient();
  const other = await makeTask(api, { checklist: [{ title: 'of another task' }] });
  const foreignIds = [randomUUID(), 'my-own-id', '', idsOf(other)[0] ?? ''];
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
});

test('a patch replaces the whole list; items sent with their id keep it, whatever else changes', async (t) => {
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

test('the same list sent again changes nothing, updatedAt included; without its ids it is another list', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { checklist: [{ title: 'a', completed: true }, { title: 'b' }] });
  t.deepEqual(await patchTask(api, task.id, { checklist: task.checklist }), task);
  const checklist = task.checklist.map(({ title, completed }) => ({ title, completed }));
  const patched = await patchTask(api, task.id, { checklist });
  t.deepEqual(titlesOf(patched), titlesOf(task));
  t.notDeepEqual(idsOf(patched), idsOf(task));
  t.true(patched.updatedAt > task.updatedAt);
});
