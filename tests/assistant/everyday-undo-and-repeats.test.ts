import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { type Desk, furnishDesk, saturday } from './desk.ts';
import {
  add,
  change,
  checkRequest,
  close,
  type EverydayRequest,
  find,
  make,
  plan,
  undo,
} from './everyday-request.ts';

const stack = await startStack(undefined, { now: saturday });
test.after.always(() => stack.close());

/** Tasks that were completed then. */
const done = (closings: Readonly<Record<string, string>>) => async (desk: Desk) => {
  const titles = Object.keys(closings);
  const made = await make(add(...titles.map((title) => ({ title, dueDate: '2026-11-02' }))))(desk);
  await desk.assistant.call('set_task_status', { ids: Object.values(made), status: 'completed' });
  for (const [title, at] of Object.entries(closings))
    await stack.sql`update tasks.task set completed_at = ${at} where id = ${made[title] ?? ''}`;
  return made;
};

const recentChanges = (input: object = {}) => ({ tool: 'recent_changes', input });
const bins = { title: 'Bins', dueDate: '2026-11-23', repeat: { frequency: 'weekly', weekdays: ['monday'] } };

const everydayRequests: readonly EverydayRequest[] = [
  {
    says: 'What did I get done last week?',
    // Midnight in Berlin is an hour before midnight UTC.
    before: done({
      'On Sunday before': '2026-11-08T22:59:59Z',
      'On Monday': '2026-11-08T23:00:00Z',
      'On Sunday': '2026-11-15T22:59:59Z',
      'This Monday': '2026-11-15T23:00:00Z',
    }),
    calls: [find({ closedFrom: '2026-11-09', closedTo: '2026-11-15', status: 'completed' })],
    hears: [/2 tasks:\n- On Sunday \(.*\n- On Monday \(/],
  },
  {
    says: 'What did I plan for last week and not do?',
    before: make(add({ title: 'Missed', dueDate: '2026-11-12' })),
    calls: [find({ plannedFrom: '2026-11-09', plannedTo: '2026-11-15' })],
    hears: [/1 task:/, /Missed \(planned 2026-11-12, overdue\)/],
  },
  {
    says: 'Undo that.',
    before: make(close('completed', 'id:Buy milk', 'id:Water the plants')),
    calls: [undo()],
    tasks: { 'Buy milk': { status: 'open' }, 'Water the plants': { status: 'open', dueDate: '2026-11-20' } },
    hears: [/Took back: 2 changes/, /Completed “Buy milk”/],
  },
  {
    says: 'What did you change?',
    before: make(plan({ id: 'id:Call the dentist', dueDate: '2026-11-26' })),
    calls: [recentChanges({ by: 'me' })],
    hears: [/Changed the date of “Call the dentist” from 21 Nov to 26 Nov/],
  },
  {
    says: 'Not the dentist: put only that back.',
    before: make(
      plan(
        { id: 'id:Call the dentist', dueDate: '2026-11-26' },
        { id: 'id:Buy milk', dueDate: '2026-11-26' },
      ),
    ),
    calls: [recentChanges({ by: 'me' }), undo('id:change')],
    tasks: { 'Call the dentist': { dueDate: '2026-11-21' }, 'Buy milk': { dueDate: '2026-11-26' } },
  },
  {
    says: 'Undo it; no, leave it as it was.',
    before: make(change({ id: 'id:Buy milk', title: 'Buy oat milk' })),
    calls: [undo(), undo('id:call')],
    tasks: { 'Buy oat milk': { id: 'id:Buy milk' } },
  },
  {
    says: 'Water the plants on Monday instead, just this once.',
    calls: [plan({ id: 'id:Water the plants', dueDate: '2026-11-23' })],
    hears: [/rescheduled: Water the plants \(planned 2026-11-23, every day\)/],
  },
  {
    says: 'The bins go out on Tuesday this week, then as always.',
    before: make(add(bins)),
    calls: [
      find({ text: 'bins' }),
      plan({ id: 'id:Bins', dueDate: '2026-11-24' }),
      close('completed', 'id:Bins'),
    ],
    tasks: { Bins: { status: 'open', dueDate: '2026-11-30' } },
  },
  {
    says: 'From now on the bins go out on Tuesdays.',
    before: make(add(bins)),
    calls: [change({ id: 'id:Bins', repeat: { weekdays: ['tuesday'] }, dueDate: '2026-11-24' })],
    hears: [/Bins \(planned 2026-11-24, every week on tuesday\)/],
  },
  {
    says: 'No watering today.',
    calls: [{ tool: 'skip_occurrence', input: { ids: ['id:Water the plants'] } }],
    tasks: { 'Water the plants': { status: 'open', dueDate: '2026-11-22' } },
  },
  {
    says: 'Cancel the watering. Oh no, keep it.',
    calls: [close('cancelled', 'id:Water the plants'), close('open', 'id:Water the plants')],
    tasks: { 'Water the plants': { status: 'open', recurrence: { frequency: 'daily' } } },
    hears: [/every day/],
  },
  {
    says: 'On the last Friday of each month until June I send the invoices.',
    calls: [
      add({
        title: 'Send the invoices',
        dueDate: '2026-11-27',
        repeat: { frequency: 'monthly', weekdays: ['friday'], weekOfMonth: -1, until: '2027-06-30' },
      }),
    ],
    hears: [/every month on the last friday, until 2027-06-30/],
  },
  {
    says: 'Remind me of the milk at nine, and of the dentist no more.',
    calls: [
      plan(
        { id: 'id:Buy milk', reminderTime: '09:00' },
        { id: 'id:Call the dentist', clear: ['reminderTime'] },
      ),
    ],
    tasks: { 'Buy milk': { reminderTime: '09:00' }, 'Call the dentist': { reminderTime: null } },
    hears: [/Reminders are not set up: nothing will be sent/],
  },
  {
    says: 'What did my script do, and take it back.',
    before: async ({ api, ids }) => {
      await api.patch(`/tasks/${ids['Buy milk']}`, { title: 'Buy beer' });
      return {};
    },
    calls: [recentChanges(), undo('id:call')],
    tasks: { 'Buy milk': { status: 'open' } },
  },
];

for (const request of everydayRequests) {
  test(`«${request.says}» is done in ${request.calls.length} call(s)`, async (t) => {
    await checkRequest(t, request, await furnishDesk(stack));
  });
}
