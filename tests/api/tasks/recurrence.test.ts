import test from 'ava';
import type { Recurrence, Task } from '#tests/support/api-types.ts';
import { makeTask, type SentTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { answerOf, errorsOf, invalid } from '../matrix/problem-answer.ts';
import { patchTask, readTask, transition } from './task-requests.ts';

/** A Tuesday. */
const stack = await startStack(test, { now: '2026-01-06T11:30:00Z' });

const refused = invalid('recurrence');
const tuesday = '2026-01-13';
const thursday = '2026-01-15';
const everyDay = { interval: 1, weekdays: [], fromCompletion: false };
const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const rules = [
  [{ frequency: 'daily' }, everyDay],
  [{ frequency: 'monthly' }, everyDay],
  [{ frequency: 'yearly' }, everyDay],
  [{ frequency: 'weekly' }, { ...everyDay, weekdays: ['tuesday'] }],
  [
    { frequency: 'weekly', weekdays: [] },
    { ...everyDay, weekdays: ['tuesday'] },
  ],
  [{ frequency: 'daily', weekdays: [] }, everyDay],
  [
    { frequency: 'weekly', weekdays: ['friday'] },
    { ...everyDay, weekdays: ['friday'] },
  ],
  [
    { frequency: 'weekly', weekdays: ['sunday', 'wednesday', 'monday'] },
    { ...everyDay, weekdays: ['monday', 'wednesday', 'sunday'] },
  ],
  [
    { frequency: 'weekly', weekdays: week.toReversed() },
    { ...everyDay, weekdays: week },
  ],
  [
    { frequency: 'yearly', interval: 999 },
    { ...everyDay, interval: 999 },
  ],
  [
    { frequency: 'monthly', interval: 1, fromCompletion: true },
    { ...everyDay, fromCompletion: true },
  ],
  [
    { frequency: 'monthly', weekdays: ['friday'], weekOfMonth: -1, until: '2027-06-30' },
    { ...everyDay, weekdays: ['friday'], weekOfMonth: -1, until: '2027-06-30' },
  ],
] as const;

test('responses contain all members of a rule, with defaults and weekdays from Monday on', async (t) => {
  const api = await stack.newClient();
  for (const [sent, shown] of rules) {
    const what = JSON.stringify(sent);
    const fields = { title: 'Task', dueDate: tuesday, recurrence: sent };
    const { status, body } = await api.post<Task>('/tasks', fields);
    t.is(status, 201, what);
    t.deepEqual(body.recurrence, { frequency: sent.frequency, ...shown } as Recurrence, what);
    t.deepEqual((await readTask(api, body.id)).recurrence, body.recurrence, what);
    const other = await makeTask(api, { dueDate: tuesday });
    t.deepEqual((await patchTask(api, other.id, { recurrence: sent })).recurrence, body.recurrence, what);
  }
});

const noRules = [
  [],
  'daily',
  7,
  true,
  { frequency: null },
  { frequency: 'hourly' },
  { frequency: 'Daily' },
  { frequency: '' },
  { frequency: ['daily'] },
  { frequency: 'daily', interval: 0 },
  { frequency: 'daily', interval: 1_000 },
  { frequency: 'daily', interval: true },
  { frequency: 'daily', weekdays: ['monday'] },
  { frequency: 'monthly', weekdays: ['monday'] },
  { frequency: 'yearly', weekdays: ['monday'] },
  { frequency: 'weekly', weekdays: 'monday' },
  { frequency: 'weekly', weekdays: 3 },
  { frequency: 'weekly', weekdays: [1] },
  { frequency: 'weekly', weekdays: [null] },
  { frequency: 'weekly', weekdays: ['Monday'] },
  { frequency: 'weekly', weekdays: ['mon'] },
  { frequency: 'weekly', weekdays: ['monday', 'tuesday', 'monday'] },
  { frequency: 'weekly', weekdays: [...week, 'monday'] },
  { frequency: 'daily', fromCompletion: 'true' },
  { frequency: 'daily', fromCompletion: 1 },
  { frequency: 'daily', until: '2026-02-30' },
  { frequency: 'daily', until: '2026-01-12' },
  { frequency: 'daily', weekOfMonth: 2 },
  { frequency: 'weekly', weekdays: ['monday'], weekOfMonth: 2 },
  { frequency: 'yearly', weekdays: ['monday'], weekOfMonth: 2 },
  { frequency: 'monthly', weekOfMonth: 2 },
  { frequency: 'monthly', weekdays: ['monday', 'tuesday'], weekOfMonth: 2 },
  { frequency: 'monthly', weekdays: ['monday'], weekOfMonth: 5 },
  { frequency: 'monthly', weekdays: ['monday'], weekOfMonth: 0 },
  { frequency: 'daily', anchor: '2027-01-01' },
];

/** A patch may say these of a rule that is there. */
const noNewRules = [
  {},
  { interval: 2 },
  { frequency: 'daily', interval: null },
  { frequency: 'weekly', weekdays: null },
  { frequency: 'daily', fromCompletion: null },
];

test('anything else is refused under recurrence', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { dueDate: tuesday, recurrence: { frequency: 'yearly' } });
  for (const recurrence of noRules) {
    const what = JSON.stringify(recurrence);
    const sent = { title: 'Task', dueDate: tuesday, recurrence };
    t.deepEqual(answerOf(await api.post('/tasks', sent)), refused, what);
    t.deepEqual(answerOf(await api.patch(`/tasks/${task.id}`, { recurrence })), refused, what);
  }
  t.deepEqual(await readTask(api, task.id), task);
  for (const recurrence of noNewRules) {
    const sent = { title: 'Task', dueDate: tuesday, recurrence };
    t.deepEqual(answerOf(await api.post('/tasks', sent)), refused, JSON.stringify(recurrence));
  }
});

test('a weekly rule without weekdays takes that of the deadline, else of the day it is set', async (t) => {
  const weekdays = async (timezone: string, fields: object) => {
    const api = await stack.newClient({ plan: 'premium', timezone });
    const { body } = await api.post<Task>('/tasks', {
      title: 'Task',
      recurrence: { frequency: 'weekly' },
      ...fields,
    });
    return body.recurrence?.weekdays;
  };
  t.deepEqual(await weekdays('UTC', { deadlineDate: '2026-01-16' }), ['friday']);
  t.deepEqual(await weekdays('UTC', { deadlineDate: '2026-01-16', dueDate: tuesday }), ['tuesday']);
  for (const [timezone, day] of [
    ['Pacific/Kiritimati', 'wednesday'],
    ['UTC', 'tuesday'],
    ['Etc/GMT+12', 'monday'],
  ] as const) {
    t.deepEqual(await weekdays(timezone, {}), [day], timezone);
  }
});

const weekly: Recurrence = {
  frequency: 'weekly',
  interval: 2,
  weekdays: ['monday', 'thursday'],
  fromCompletion: true,
};

const unlisted = { interval: 2, weekdays: [], fromCompletion: true };

for (const [patch, merged] of [
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

test('weekdays that are sent without the frequency stay when the start date moves', async (t) => {
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
  const needsFrequency = 'recurrence.frequency is required: the task does not repeat yet';
  const onlyWeekly =
    'recurrence.weekdays can only be given with frequency weekly, or monthly with weekOfMonth';
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
    t.deepEqual(answerOf(answer), refused, JSON.stringify(recurrence));
    t.deepEqual(errorsOf(answer.body), { recurrence: [says] });
    t.deepEqual(await readTask(api, task.id), task);
  }
});

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
  ['the same rule with another start date', { dueDate: '2026-03-05', recurrence: rule }, '2026-04-05'],
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

test('an occurrence that loses its start date keeps its series, which has both dates again', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const fields: SentTask = { dueDate: '2026-01-31', deadlineDate: '2026-02-10', recurrence: monthly };
  const { id } = await makeTask(api, fields);
  const patched = await patchTask(api, id, { dueDate: null });
  t.like(patched, { dueDate: null, deadlineDate: '2026-02-10', recurrence: rule });
  t.like(await transition(api, id, 'complete'), { dueDate: '2026-02-28', deadlineDate: '2026-03-10' });
});

test('an occurrence that loses its only date keeps its series', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api, { dueDate: '2026-01-31', recurrence: monthly });
  t.like(await patchTask(api, id, { dueDate: null }), { dueDate: null, recurrence: rule });
  t.is(await nextDueDate(api, id), '2026-02-28');
});
