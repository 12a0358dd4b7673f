import test from 'ava';
import type { Recurrence, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { patchTask, readTask } from './task-requests.ts';

const stack = await startStack(test, { now: '2026-11-21T11:30:00Z' });

/** 2026-11-24 is a Tuesday. */
const tuesday = '2026-11-24';
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

test('responses contain all members of a rule, with defaults and weekdays from Monday to Sunday', async (t) => {
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
  { frequency: 'daily', interval: -1 },
  { frequency: 'daily', interval: 1.5 },
  { frequency: 'daily', interval: 1_000 },
  { frequency: 'daily', interval: 1e300 },
  { frequency: 'daily', interval: '2' },
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
  { frequency: 'daily', until: '2027-02-30' },
  { frequency: 'daily', until: '2026-11-23' },
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
    expectInvalid(t, await api.post('/tasks', sent), ['recurrence'], what);
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, { recurrence }), ['recurrence'], what);
  }
  t.deepEqual(await readTask(api, task.id), task);
  for (const recurrence of noNewRules) {
    const sent = { title: 'Task', dueDate: tuesday, recurrence };
    expectInvalid(t, await api.post('/tasks', sent), ['recurrence'], JSON.stringify(recurrence));
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
  t.deepEqual(await weekdays('UTC', { deadlineDate: '2026-11-27' }), ['friday']);
  t.deepEqual(await weekdays('UTC', { deadlineDate: '2026-11-27', dueDate: tuesday }), ['tuesday']);
  for (const [timezone, day] of [
    ['Pacific/Kiritimati', 'sunday'],
    ['UTC', 'saturday'],
    ['Etc/GMT+12', 'friday'],
  ] as const) {
    t.deepEqual(await weekdays(timezone, {}), [day], timezone);
  }
});
