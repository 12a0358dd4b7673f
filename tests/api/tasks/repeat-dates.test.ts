import test from 'ava';
import { makeTask, type TaskFields } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { readTask, transition } from './task-requests.ts';

const stack = await startStack(test, { own: true });

const noon = (date: string) => `${date}T12:00:00Z`;

type Dates = { dueDate?: string | null; deadlineDate?: string | null };
type Series = {
  title: string;
  rule: NonNullable<TaskFields['recurrence']>;
  start: Dates;
  /** The day the task is made; without it, that of the first completion. */
  made?: string;
  /** The day of each completion, and the dates after it. */
  steps: [completedOn: string, after: Dates][];
};

const due = (dueDate: string): Dates => ({ dueDate, deadlineDate: null });

const byRule: Series[] = [
  {
    title: 'monthly on the 31st takes the last day of a shorter month, and the 31st where there is one',
    rule: { frequency: 'monthly' },
    start: due('2026-01-31'),
    steps: [
      ['2026-01-31', due('2026-02-28')],
      ['2026-02-28', due('2026-03-31')],
      ['2026-03-31', due('2026-04-30')],
    ],
  },
  {
    title: 'yearly on 29 February falls on the 28th in common years',
    rule: { frequency: 'yearly' },
    start: due('2024-02-29'),
    steps: [
      ['2024-02-29', due('2025-02-28')],
      ['2025-02-28', due('2026-02-28')],
      ['2026-02-28', due('2027-02-28')],
      ['2027-02-28', due('2028-02-29')],
    ],
  },
  {
    title: 'every other week on two days takes both days of a week, then skips one',
    rule: { frequency: 'weekly', interval: 2, weekdays: ['monday', 'thursday'] },
    start: due('2026-11-16'),
    steps: [
      ['2026-11-16', due('2026-11-19')],
      ['2026-11-19', due('2026-11-30')],
      ['2026-11-30', due('2026-12-03')],
      ['2026-12-03', due('2026-12-14')],
    ],
  },
  {
    title: 'weeks start on Monday, and the start date need not be one of the days',
    rule: { frequency: 'weekly', interval: 2, weekdays: ['sunday', 'tuesday'] },
    start: due('2026-11-18'),
    steps: [
      ['2026-11-18', due('2026-11-22')],
      ['2026-11-22', due('2026-12-01')],
    ],
  },
  {
    title: 'missed dates are skipped, and the rhythm stays that of the start date',
    rule: { frequency: 'daily', interval: 3 },
    start: due('2026-11-10'),
    steps: [
      ['2026-11-20', due('2026-11-22')],
      ['2026-11-22', due('2026-11-25')],
    ],
  },
  {
    title: 'completed on a later date of its series, it skips that one too',
    rule: { frequency: 'daily' },
    start: due('2026-11-10'),
    steps: [['2026-11-20', due('2026-11-21')]],
  },
  {
    title: 'completed early, it moves on to the date after the one it had',
    rule: { frequency: 'weekly' },
    start: due('2026-11-24'),
    made: '2026-11-01',
    steps: [
      ['2026-11-20', due('2026-12-01')],
      ['2026-11-20', due('2026-12-08')],
      ['2026-11-20', due('2026-12-15')],
    ],
  },
];

const fromCompletion: Series[] = [
  {
    title: 'from completion, late: the count starts on the day of completion, and so does the next one',
    rule: { frequency: 'monthly', fromCompletion: true },
    start: due('2026-01-31'),
    steps: [
      ['2026-02-10', due('2026-03-10')],
      ['2026-03-31', due('2026-04-30')],
      ['2026-04-30', due('2026-05-30')],
    ],
  },
  {
    title: 'from completion, early: the date it had does not count',
    rule: { frequency: 'daily', interval: 3, fromCompletion: true },
    start: due('2026-12-24'),
    steps: [
      ['2026-11-20', due('2026-11-23')],
      ['2026-11-20', due('2026-11-23')],
    ],
  },
  {
    title: 'from completion, weekly without weekdays: seven days later',
    rule: { frequency: 'weekly', fromCompletion: true },
    start: due('2026-11-16'),
    steps: [
      ['2026-11-19', due('2026-11-26')],
      ['2026-11-28', due('2026-12-05')],
    ],
  },
  {
    title: 'from completion, weekly with weekdays: the next listed day of the weeks counted from there',
    rule: { frequency: 'weekly', interval: 2, weekdays: ['monday', 'friday'], fromCompletion: true },
    start: due('2026-11-16'),
    steps: [
      ['2026-11-18', due('2026-11-20')],
      ['2026-11-21', due('2026-11-30')],
    ],
  },
];

const deadlines: Series[] = [
  {
    title: 'the deadline keeps its distance in days from the start date',
    rule: { frequency: 'monthly' },
    start: { dueDate: '2026-01-31', deadlineDate: '2026-02-03' },
    steps: [
      ['2026-01-31', { dueDate: '2026-02-28', deadlineDate: '2026-03-03' }],
      ['2026-02-28', { dueDate: '2026-03-31', deadlineDate: '2026-04-03' }],
    ],
  },
  {
    title: 'a deadline before the start date stays as far before it',
    rule: { frequency: 'weekly' },
    start: { dueDate: '2026-11-20', deadlineDate: '2026-11-18' },
    steps: [['2026-11-20', { dueDate: '2026-11-27', deadlineDate: '2026-11-25' }]],
  },
  {
    title: 'from completion, too, the deadline keeps its distance',
    rule: { frequency: 'weekly', fromCompletion: true },
    start: { dueDate: '2026-11-10', deadlineDate: '2026-11-12' },
    steps: [['2026-11-20', { dueDate: '2026-11-27', deadlineDate: '2026-11-29' }]],
  },
  {
    title: 'a lone deadline repeats by itself',
    rule: { frequency: 'monthly' },
    start: { dueDate: null, deadlineDate: '2026-01-31' },
    made: '2026-01-05',
    steps: [
      ['2026-01-20', { dueDate: null, deadlineDate: '2026-02-28' }],
      ['2026-03-10', { dueDate: null, deadlineDate: '2026-03-31' }],
    ],
  },
  {
    title: 'without any date, the first completion gives a start date, counted from the day the rule was set',
    rule: { frequency: 'daily', interval: 5 },
    start: { dueDate: null, deadlineDate: null },
    made: '2026-11-10',
    steps: [
      ['2026-11-12', { dueDate: '2026-11-15', deadlineDate: null }],
      ['2026-11-15', { dueDate: '2026-11-20', deadlineDate: null }],
    ],
  },
  {
    title: 'without any date, from completion, the count starts with the first completion',
    rule: { frequency: 'daily', interval: 5, fromCompletion: true },
    start: { dueDate: null, deadlineDate: null },
    made: '2026-11-10',
    steps: [['2026-11-12', { dueDate: '2026-11-17', deadlineDate: null }]],
  },
];

for (const { title, rule, start, made, steps } of [...byRule, ...fromCompletion, ...deadlines]) {
  test.serial(title, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    stack.clock.set(noon(made ?? steps[0]?.[0] ?? ''));
    const { id } = await makeTask(api, { recurrence: rule, ...start });
    for (const [completedOn, after] of steps) {
      stack.clock.set(noon(completedOn));
      const answer = await transition(api, id, 'complete');
      t.like(answer, { id, status: 'open', ...after }, `completed on ${completedOn}`);
      t.deepEqual(await readTask(api, id), answer);
    }
  });
}

/** Each row: where the account is, the moment of completion, and the next date of a daily task due on 20 November. */
const moments: [timezone: string, completedAt: string, next: string][] = [
  ['UTC', '2026-11-21T11:30:00Z', '2026-11-22'],
  ['Pacific/Kiritimati', '2026-11-21T11:30:00Z', '2026-11-23'],
  ['Etc/GMT+12', '2026-11-21T11:30:00Z', '2026-11-21'],
  ['America/New_York', '2026-11-22T04:59:59.999Z', '2026-11-22'],
  ['America/New_York', '2026-11-22T05:00:00Z', '2026-11-23'],
  ['Asia/Kathmandu', '2026-11-21T18:14:59.999Z', '2026-11-22'],
  ['Asia/Kathmandu', '2026-11-21T18:15:00Z', '2026-11-23'],
];

for (const [timezone, completedAt, next] of moments) {
  test.serial(`the day of completion is the account’s: ${completedAt} in ${timezone}`, async (t) => {
    const api = await stack.newClient({ timezone });
    stack.clock.set(completedAt);
    const { id } = await makeTask(api, { dueDate: '2026-11-20', recurrence: { frequency: 'daily' } });
    t.is((await transition(api, id, 'complete')).dueDate, next);
  });
}

const clockChanges: [what: string, timezone: string, completedAt: string, next: string][] = [
  ['before the hour that is skipped', 'Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-30'],
  ['in the first of two equal hours', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26'],
  ['at the end of the 25-hour day', 'Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-26'],
  ['after the 25-hour day', 'Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-27'],
  ['before a midnight that is skipped', 'America/Santiago', '2026-09-06T03:59:59Z', '2026-09-06'],
  ['after a midnight that is skipped', 'America/Santiago', '2026-09-06T04:00:00Z', '2026-09-07'],
];

for (const [what, timezone, completedAt, next] of clockChanges) {
  test.serial(`clocks that change move no date: ${what} in ${timezone}`, async (t) => {
    const api = await stack.newClient({ timezone });
    stack.clock.set(completedAt);
    const { id } = await makeTask(api, { dueDate: '2026-01-01', recurrence: { frequency: 'daily' } });
    t.is((await transition(api, id, 'complete')).dueDate, next);
  });
}

test.serial(
  'the series ends with the calendar: its last occurrence is completed like any task',
  async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    stack.clock.set(noon('2026-11-20'));
    for (const dates of [
      { dueDate: '9999-12-31' },
      { deadlineDate: '9999-12-31' },
      { dueDate: '9999-12-01', deadlineDate: '9999-12-31' },
    ]) {
      const { id } = await makeTask(api, { ...dates, recurrence: { frequency: 'monthly' } });
      const last = await transition(api, id, 'complete');
      t.like(last, { ...dates, status: 'completed', recurrence: null });
    }
  },
);
