import test from 'ava';
import type { Recurrence } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { errorsOf, expectInvalid } from './expect-refusal.ts';
import { patchTask, readTask, transition } from './task-requests.ts';

/** A Tuesday. */
const stack = await startStack(test, { now: '2026-01-06T12:00:00Z' });

const tuesday = '2026-01-13';

const thursday = '2026-01-15';

const weekly: Recurrence = {
  frequency: 'weekly',
  interval: 2,
  weekdays: ['monday', 'thursday'],
  fromCompletion: true,
};

const unlisted = { interval: 2, weekdays: [], fromCompletion: true };

for (const [patch, merged] of [
  [
    { frequency: 'weekly', interval: 3 },
    { ...weekly, interval: 3 },
  ],
  [{ interval: 3 }, { ...weekly, interval: 3 }],
  [{ fromCompletion: false }, { ...weekly, fromCompletion: false }],
  [{ weekdays: ['sunday', 'friday'] }, { ...weekly, weekdays: ['friday', 'sunday'] }],
  [{ interval: null }, { ...weekly, interval: 1 }],
  [{ fromCompletion: null }, { ...weekly, fromCompletion: false }],
  [{ weekdays: null }, { ...weekly, weekdays: ['tuesday'] }],
  [{ weekdays: [] }, { ...weekly, weekdays: ['tuesday'] }],
  [{ frequency: 'monthly' }, { ...unlisted, frequency: 'monthly' }],
  [
    { frequency: 'daily', weekdays: null },
    { ...unlisted, frequency: 'daily' },
  ],
  [
    { frequency: 'yearly', weekdays: [], interval: null },
    { ...unlisted, frequency: 'yearly', interval: 1 },
  ],
] as const) {
  test(`a rule patched with ${JSON.stringify(patch)} keeps what was not sent`, async (t) => {
    const api = await stack.newClient();
    const { id } = await makeTask(api, { dueDate: tuesday, recurrence: weekly });
    const patched = await patchTask(api, id, { recurrence: patch });
    t.deepEqual(patched.recurrence, merged as unknown as Recurrence);
    t.deepEqual(await readTask(api, id), patched);
    t.deepEqual(await patchTask(api, id, { recurrence: patch }), patched);
  });
}

for (const patch of [{}, { frequency: 'weekly' }, { interval: 2, fromCompletion: true }, weekly]) {
  test(`a rule patched with ${JSON.stringify(patch)}, as it is, does not change`, async (t) => {
    const api = await stack.newClient();
    const task = await makeTask(api, { dueDate: tuesday, recurrence: weekly });
    t.deepEqual(await patchTask(api, task.id, { recurrence: patch }), task);
  });
}

test('weekdays that are sent without the frequency stay when the start date moves, those that are shown included', async (t) => {
  const api = await stack.newClient();
  const { id, recurrence } = await makeTask(api, { dueDate: tuesday, recurrence: { frequency: 'weekly' } });
  t.deepEqual(recurrence?.weekdays, ['tuesday']);
  const given = await patchTask(api, id, { recurrence: { weekdays: ['tuesday'] } });
  t.deepEqual(given.recurrence, recurrence);
  t.deepEqual(await patchTask(api, id, { recurrence: { weekdays: ['tuesday'] } }), given);
  t.deepEqual((await patchTask(api, id, { dueDate: thursday })).recurrence, recurrence);
  t.is((await transition(api, id, 'complete')).dueDate, '2026-01-20');
});

test('a patch that gives a task no whole rule is refused', async (t) => {
  const api = await stack.newClient();
  const unruled = await makeTask(api, { dueDate: tuesday });
  const monthly = await makeTask(api, { dueDate: tuesday, recurrence: { frequency: 'monthly' } });
  const needsFrequency = 'recurrence.frequency is required';
  const onlyWeekly = 'recurrence.weekdays can only be given with frequency weekly';
  for (const [task, recurrence, says] of [
    [unruled, {}, needsFrequency],
    [unruled, { interval: 3 }, needsFrequency],
    [unruled, { weekdays: ['monday'] }, needsFrequency],
    [unruled, { interval: null, weekdays: null, fromCompletion: null }, needsFrequency],
    [unruled, { frequency: null }, 'recurrence.frequency must not be null'],
    [monthly, { frequency: null }, 'recurrence.frequency must not be null'],
    [monthly, { weekdays: ['monday'] }, onlyWeekly],
    [monthly, { frequency: 'daily', weekdays: ['monday'] }, onlyWeekly],
    [monthly, { interval: 0 }, 'recurrence.interval must be a whole number from 1 to 999'],
  ] as const) {
    const patch = { title: 'After', recurrence, deadlineDate: '2026-02-01' };
    const answer = await api.patch(`/tasks/${task.id}`, patch);
    expectInvalid(t, answer, ['recurrence'], JSON.stringify(recurrence));
    t.deepEqual(errorsOf(answer.body), { recurrence: [says] });
    t.deepEqual(await readTask(api, task.id), task);
  }
});
