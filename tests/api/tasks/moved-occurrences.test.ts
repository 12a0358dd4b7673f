import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask, type TaskFields } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { listTasks, patchTask, readTask, transition, trash } from './task-requests.ts';

const stack = await startStack(test, { own: true });

async function onDay(api: AccountClient, date: string, id: string, name: 'complete' | 'skip'): Promise<Task> {
  stack.clock.set(`${date}T12:00:00Z`);
  return transition(api, id, name);
}

const wednesday = '2026-11-25';

for (const [frequency, start, moved, doneOn, next] of [
  ['weekly', wednesday, '2026-11-26', '2026-11-26', '2026-12-02'],
  ['weekly', wednesday, '2026-11-24', '2026-11-24', '2026-12-02'],
  ['weekly', wednesday, '2026-12-03', '2026-12-03', '2026-12-09'],
  ['monthly', '2026-11-27', '2026-12-01', '2026-12-01', '2026-12-27'],
  ['daily', wednesday, '2026-11-28', '2026-11-28', '2026-11-29'],
] as const) {
  test.serial(`${frequency} ${start}, moved to ${moved}, comes next on ${next}`, async (t) => {
    stack.clock.set('2026-11-20T12:00:00Z');
    const api = await stack.newClient();
    for (const name of ['complete', 'skip'] as const) {
      const { id, recurrence } = await makeTask(api, { dueDate: start, recurrence: { frequency } });
      t.like(await patchTask(api, id, { dueDate: moved }), { dueDate: moved, recurrence });
      t.like(await onDay(api, doneOn, id, name), { dueDate: next, status: 'open', recurrence });
    }
    t.is((await listTasks(api, 'view=logbook')).length, 1);
  });
}

test.serial(
  'the deadline keeps the distance that the series has, not that of a moved occurrence',
  async (t) => {
    stack.clock.set('2026-11-20T12:00:00Z');
    const api = await stack.newClient({ plan: 'premium' });
    const fields: TaskFields = {
      dueDate: wednesday,
      deadlineDate: '2026-11-27',
      recurrence: { frequency: 'weekly' },
    };
    for (const [patch, next] of [
      [{ dueDate: '2026-11-26' }, { dueDate: '2026-12-02', deadlineDate: '2026-12-04' }],
      [{ deadlineDate: '2026-11-30' }, { dueDate: '2026-12-02', deadlineDate: '2026-12-04' }],
      [{ dueDate: null }, { dueDate: '2026-12-02', deadlineDate: '2026-12-04' }],
      [{ deadlineDate: null }, { dueDate: '2026-12-02', deadlineDate: null }],
    ]) {
      const { id } = await makeTask(api, fields);
      await patchTask(api, id, patch ?? {});
      t.like(await transition(api, id, 'complete'), next ?? {}, JSON.stringify(patch));
    }
    const planned = await makeTask(api, { deadlineDate: wednesday, recurrence: { frequency: 'weekly' } });
    await patchTask(api, planned.id, { dueDate: '2026-11-23', reminderTime: '09:00' });
    const next = { dueDate: null, reminderTime: null, deadlineDate: '2026-12-02' };
    t.like(await transition(api, planned.id, 'complete'), next);
  },
);

test.serial('the second Tuesday and the last Friday of a month', async (t) => {
  const api = await stack.newClient();
  for (const [weekOfMonth, weekday, start, dates] of [
    [2, 'tuesday', '2026-11-10', ['2026-12-08', '2027-01-12', '2027-02-09']],
    [-1, 'friday', '2026-11-27', ['2026-12-25', '2027-01-29', '2027-02-26']],
  ] as const) {
    stack.clock.set(`${start}T12:00:00Z`);
    const recurrence = { frequency: 'monthly', weekdays: [weekday], weekOfMonth } as const;
    const { id } = await makeTask(api, {
      dueDate: start,
      recurrence: { ...recurrence, weekdays: [weekday] },
    });
    for (const date of dates) t.is((await transition(api, id, 'skip')).dueDate, date);
    const patched = await patchTask(api, id, { recurrence: { weekOfMonth: null, weekdays: null } });
    t.deepEqual(patched.recurrence, {
      frequency: 'monthly',
      interval: 1,
      weekdays: [],
      fromCompletion: false,
    });
  }
});

test.serial(
  'a series ends with its last day: completed it is completed, skipped it is cancelled',
  async (t) => {
    stack.clock.set('2026-11-20T12:00:00Z');
    const api = await stack.newClient();
    for (const [name, status] of [
      ['complete', 'completed'],
      ['skip', 'cancelled'],
    ] as const) {
      const recurrence = { frequency: 'weekly', until: '2026-12-02' } as const;
      const { id } = await makeTask(api, { dueDate: wednesday, recurrence });
      t.like(await transition(api, id, name), { dueDate: '2026-12-02', status: 'open' });
      t.like(await transition(api, id, name), { dueDate: '2026-12-02', status, recurrence: null });
    }
  },
);

test.serial('an end that is set later leaves the series where it is, and none lies before it', async (t) => {
  stack.clock.set('2026-01-31T12:00:00Z');
  const api = await stack.newClient();
  const { id } = await makeTask(api, { dueDate: '2026-01-31', recurrence: { frequency: 'monthly' } });
  await transition(api, id, 'complete');
  const ended = await patchTask(api, id, { recurrence: { until: '2026-12-31' } });
  t.is(ended.recurrence?.until, '2026-12-31');
  expectInvalid(t, await api.patch(`/tasks/${id}`, { recurrence: { until: '2026-02-27' } }), ['recurrence']);
  t.is((await transition(api, id, 'complete')).dueDate, '2026-03-31');
  t.false('until' in ((await patchTask(api, id, { recurrence: { until: null } })).recurrence ?? {}));
});

test.serial(
  'skipping unticks the checklist; what does not repeat or is not open is not skipped',
  async (t) => {
    stack.clock.set('2026-11-20T12:00:00Z');
    const api = await stack.newClient();
    const checklist = [{ title: 'Step', completed: true }];
    const task = await makeTask(api, { dueDate: wednesday, recurrence: { frequency: 'daily' }, checklist });
    t.false((await transition(api, task.id, 'skip')).checklist[0]?.completed);
    await trash(api, task.id);
    const plain = await makeTask(api, { dueDate: wednesday });
    for (const id of [task.id, plain.id]) {
      const before = await readTask(api, id);
      const answer = await api.post<{ errorCode: string }>(`/tasks/${id}/skip`);
      t.like(answer, { status: 409, body: { errorCode: 'invalid_state' } });
      t.deepEqual(await readTask(api, id), before);
    }
  },
);
