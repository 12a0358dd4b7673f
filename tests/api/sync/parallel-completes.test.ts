import test from 'ava';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test, { now: '2026-11-21T12:00:00Z' });

test('50 parallel completions of a repeating task log 50 occurrences on consecutive days and leave one open', async (t) => {
  const client = await stack.newClient();
  const task = await makeTask(client, { dueDate: '2026-11-21', recurrence: { frequency: 'daily' } });
  const completed = await Promise.all(
    Array.from({ length: 50 }, () => client.post<Task>(`/tasks/${task.id}/complete`)),
  );
  t.deepEqual([...new Set(completed.map(({ status }) => status))], [200]);
  const { body: logbook } = await client.get<Page<Task>>('/tasks?view=logbook&limit=200');
  const days = logbook.items.map(({ dueDate }) => dueDate).sort();
  const expected = Array.from({ length: 50 }, (_, day) =>
    new Date(Date.UTC(2026, 10, 21 + day)).toISOString().slice(0, 10),
  );
  t.deepEqual(days, expected);
  t.is(new Set(logbook.items.map(({ id }) => id)).size, 50);
  const { body: open } = await client.get<Page<Task>>('/tasks?status=open');
  t.deepEqual(
    open.items.map(({ id, dueDate }) => [id, dueDate]),
    [[task.id, '2027-01-10']],
  );
});

test('20 parallel completions of an ordinary task complete it once', async (t) => {
  const client = await stack.newClient();
  const task = await makeTask(client);
  const completed = await Promise.all(
    Array.from({ length: 20 }, () => client.post<Task>(`/tasks/${task.id}/complete`)),
  );
  t.is(new Set(completed.map(({ body }) => body.completedAt)).size, 1);
  t.is(new Set(completed.map(({ body }) => body.updatedAt)).size, 1);
});
