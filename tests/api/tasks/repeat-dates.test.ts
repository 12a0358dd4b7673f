import test from 'ava';
import { makeProject, makeSection, makeTask, type SentTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { answerOf, invalid } from '../matrix/problem-answer.ts';
import { listTasks, listTitles, patchTask, readTask, transition } from './task-requests.ts';

const stack = await startStack(test, { own: true });

const noon = (date: string) => `${date}T12:00:00Z`;

type Dates = { dueDate?: string | null; deadlineDate?: string | null };
type Series = {
  title: string;
  rule: NonNullable<SentTask['recurrence']>;
  start: Dates;
  /** The day the task is made; without it, that of the first completion. */
  made?: string;
  /** The day of each completion, and the dates after it. */
  steps: [completedOn: string, after: Dates][];
};

const due = (dueDate: string): Dates => ({ dueDate, deadlineDate: null });

/** Beside what tests/model and tests/unit/recurrence find: what takes several days. */
const series: Series[] = [
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

for (const { title, rule, start, made, steps } of series) {
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

test.serial('a series ends with the calendar: its last occurrence is completed like any task', async (t) => {
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
});

test.serial('where deadlines repeat, a start date and its reminder are of one occurrence', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  stack.clock.set(noon('2026-11-20'));
  const { id } = await makeTask(api, { deadlineDate: '2026-11-25', recurrence: { frequency: 'weekly' } });
  await patchTask(api, id, { dueDate: '2026-11-23', reminderTime: '09:00' });
  const next = { dueDate: null, reminderTime: null, deadlineDate: '2026-12-02' };
  t.like(await transition(api, id, 'complete'), next);
});

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

test.serial('a skipped day that is counted from completion is passed, also one yet to come', async (t) => {
  stack.clock.set(noon('2026-11-27'));
  const api = await stack.newClient({ plan: 'premium' });
  const everyThirdDay = { frequency: 'daily', interval: 3, fromCompletion: true } as const;
  const counted = await makeTask(api, { dueDate: '2026-11-30', recurrence: everyThirdDay });
  t.is((await transition(api, counted.id, 'skip')).dueDate, '2026-12-03');
  t.is((await transition(api, counted.id, 'skip')).dueDate, '2026-12-06');
});

test.serial('skipping what was moved shows the next day of the series', async (t) => {
  stack.clock.set(noon('2026-11-27'));
  const api = await stack.newClient({ plan: 'premium' });
  const moved = await makeTask(api, { dueDate: '2026-12-01', recurrence: { frequency: 'weekly' } });
  await patchTask(api, moved.id, { dueDate: '2026-12-12' });
  t.is((await transition(api, moved.id, 'skip')).dueDate, '2026-12-08');
});

test.serial('a series ends with its last day, completed or, where that is skipped, cancelled', async (t) => {
  stack.clock.set('2026-11-20T12:00:00Z');
  const api = await stack.newClient();
  for (const [name, status] of [
    ['complete', 'completed'],
    ['skip', 'cancelled'],
  ] as const) {
    const recurrence = { frequency: 'weekly', until: '2026-12-02' } as const;
    const { id } = await makeTask(api, { dueDate: '2026-11-25', recurrence });
    t.like(await transition(api, id, name), { dueDate: '2026-12-02', status: 'open' });
    t.like(await transition(api, id, name), { dueDate: '2026-12-02', status, recurrence: null });
  }
});

test.serial('an end that is set later leaves the series where it is, and none lies before it', async (t) => {
  stack.clock.set('2026-01-31T12:00:00Z');
  const api = await stack.newClient();
  const { id } = await makeTask(api, { dueDate: '2026-01-31', recurrence: { frequency: 'monthly' } });
  await transition(api, id, 'complete');
  const ended = await patchTask(api, id, { recurrence: { until: '2026-12-31' } });
  t.is(ended.recurrence?.until, '2026-12-31');
  const early = await api.patch(`/tasks/${id}`, { recurrence: { until: '2026-02-27' } });
  t.deepEqual(answerOf(early), invalid('recurrence'));
  t.is((await transition(api, id, 'complete')).dueDate, '2026-03-31');
  t.false('until' in ((await patchTask(api, id, { recurrence: { until: null } })).recurrence ?? {}));
});

test.serial('the live task keeps all but dates and ticks; the logged occurrence has those', async (t) => {
  stack.clock.set(noon('2026-11-20'));
  const api = await stack.newClient({ plan: 'premium' });
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  const task = await makeTask(api, {
    title: 'Water the plants',
    description: 'The *fern* first.',
    sectionId: section.id,
    dueDate: '2026-11-20',
    deadlineDate: '2026-11-22',
    reminderTime: '09:30',
    recurrence: { frequency: 'weekly' },
    checklist: [{ title: 'Fern', completed: true }, { title: 'Cactus' }],
  });
  const live = await transition(api, task.id, 'complete');
  const { updatedAt } = live;
  t.deepEqual(live, {
    ...task,
    dueDate: '2026-11-27',
    deadlineDate: '2026-11-29',
    checklist: task.checklist.map((item) => ({ ...item, completed: false })),
    updatedAt,
  });
  t.true(updatedAt > task.updatedAt);
  t.deepEqual(await readTask(api, task.id), live);

  const [logged, ...others] = await listTasks(api, 'view=logbook');
  t.deepEqual(others, []);
  t.not(logged?.id, task.id);
  t.deepEqual(logged, {
    ...task,
    id: logged?.id ?? '',
    status: 'completed',
    recurrence: null,
    inLogbook: true,
    completedAt: updatedAt,
    createdAt: updatedAt,
    updatedAt,
  });
  t.deepEqual(await readTask(api, logged?.id ?? ''), logged);
});

test.serial('a task of the inbox that repeats without a date gets one, on top of Someday', async (t) => {
  stack.clock.set(noon('2026-11-20'));
  const api = await stack.newClient();
  const task = await makeTask(api, { title: 'repeats', recurrence: { frequency: 'daily' } });
  await makeTask(api, { title: 'there before', list: 'someday' });
  t.is(task.list, 'inbox');
  const live = await transition(api, task.id, 'complete');
  t.like(live, { list: 'someday', dueDate: '2026-11-21' });
  t.deepEqual(await listTitles(api, 'view=someday'), ['repeats', 'there before']);
  t.like(await listTasks(api, 'view=logbook'), [{ list: 'inbox', dueDate: null, recurrence: null }]);
});
