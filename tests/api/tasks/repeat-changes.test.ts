import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask, type TaskFields } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { patchTask, readTask, transition } from './task-requests.ts';

/** A Tuesday. Tasks are dated in the future, so that the day of completion decides nothing. */
const stack = await startStack(test, { now: '2026-01-06T12:00:00Z' });

const monthly = { frequency: 'monthly' } as const;

/** A task that stands on 28 February and remembers that its series counts from the 31st. */
async function makeClampedTask(api: AccountClient): Promise<Task> {
  const { id } = await makeTask(api, { dueDate: '2026-01-31', recurrence: monthly });
  return transition(api, id, 'complete');
}

async function nextDueDate(api: AccountClient, id: string): Promise<string | null> {
  return (await transition(api, id, 'complete')).dueDate;
}

const rule = { frequency: 'monthly', interval: 1, weekdays: [], fromCompletion: false } as const;

for (const [what, patch] of [
  ['the rule as it is shown', { recurrence: rule }],
  ['the rule as it was sent', { recurrence: monthly }],
  ['the rule with weekdays not given', { recurrence: { ...monthly, weekdays: [] } }],
  ['the start date it has', { dueDate: '2026-02-28' }],
  ['both as they are', { recurrence: rule, dueDate: '2026-02-28' }],
] as const) {
  test(`sending ${what} again changes nothing, the series’ origin included`, async (t) => {
    const api = await stack.newClient();
    const task = await makeClampedTask(api);
    t.is(task.dueDate, '2026-02-28');
    t.deepEqual(await patchTask(api, task.id, patch), task);
    t.is(await nextDueDate(api, task.id), '2026-03-31');
  });
}

for (const [what, patch, next] of [
  ['another interval', { recurrence: { ...monthly, interval: 2 } }, '2026-04-28'],
  ['another frequency', { recurrence: { frequency: 'yearly' } }, '2027-02-28'],
  ['another start date', { dueDate: '2026-03-05' }, '2026-04-05'],
  ['both', { dueDate: '2026-03-31', recurrence: { ...monthly, interval: 2 } }, '2026-05-31'],
  ['no rule and then the same one', undefined, '2026-03-28'],
] as const) {
  test(`${what}: the series counts from the start date of then on`, async (t) => {
    const api = await stack.newClient();
    const { id } = await makeClampedTask(api);
    if (patch) await patchTask(api, id, patch);
    else {
      await patchTask(api, id, { recurrence: null });
      await patchTask(api, id, { recurrence: monthly });
    }
    t.is(await nextDueDate(api, id), next);
  });
}

test('a series that loses its start date counts from the deadline, which repeats from then on', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const fields: TaskFields = { dueDate: '2026-01-31', deadlineDate: '2026-02-10', recurrence: monthly };
  const { id } = await makeTask(api, fields);
  const patched = await patchTask(api, id, { dueDate: null });
  t.like(patched, { dueDate: null, deadlineDate: '2026-02-10', recurrence: rule });
  t.like(await transition(api, id, 'complete'), { dueDate: null, deadlineDate: '2026-03-10' });
});

test('a series that loses its only date counts from that day on', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api, { dueDate: '2026-01-31', recurrence: monthly });
  t.like(await patchTask(api, id, { dueDate: null }), { dueDate: null, recurrence: rule });
  t.is(await nextDueDate(api, id), '2026-02-06');
});

test('a rule that is set on a task counts from the start date, else the deadline, else that day', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  for (const [fields, next] of [
    [
      { dueDate: '2026-01-31', deadlineDate: '2026-02-02' },
      { dueDate: '2026-02-28', deadlineDate: '2026-03-02' },
    ],
    [{ deadlineDate: '2026-01-31' }, { dueDate: null, deadlineDate: '2026-02-28' }],
    [{}, { dueDate: '2026-02-06', deadlineDate: null }],
  ]) {
    const { id } = await makeTask(api, fields);
    await patchTask(api, id, { recurrence: monthly });
    t.like(await transition(api, id, 'complete'), next ?? {});
  }
});

const weekly = { frequency: 'weekly' } as const;

test('a weekday that was not given follows the start date', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { dueDate: '2026-01-13', recurrence: weekly });
  t.deepEqual(task.recurrence?.weekdays, ['tuesday']);
  const patched = await patchTask(api, task.id, { dueDate: '2026-01-15' });
  t.deepEqual(patched.recurrence?.weekdays, ['thursday']);
  t.is(await nextDueDate(api, task.id), '2026-01-22');
});

test('completing from completion without weekdays moves the weekday that is shown', async (t) => {
  const api = await stack.newClient();
  const recurrence = { ...weekly, fromCompletion: true };
  const { id } = await makeTask(api, { dueDate: '2026-01-09', recurrence });
  const live = await transition(api, id, 'complete');
  t.like(live, { dueDate: '2026-01-13' });
  t.deepEqual(live.recurrence?.weekdays, ['tuesday']);
  t.deepEqual(await readTask(api, id), live);
});
