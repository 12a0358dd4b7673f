import test, { type ExecutionContext } from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import { type Desk, filledIn, furnishDesk, resultsOf, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });
test.after.always(() => stack.close());

/** One thing a person says, the calls a model makes of it, and how the tasks are afterwards. */
type EverydayRequest = {
  says: string;
  /** At most three. `id:Buy milk` stands for the id that a call before, or the furnished account, gave. */
  calls: readonly { tool: string; input: object }[];
  /** Members of tasks afterwards, by title, as the API shows them. */
  tasks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the last answer says. */
  hears?: readonly RegExp[];
};

const find = (input: object) => ({ tool: 'find_tasks', input });
const add = (...tasks: object[]) => ({ tool: 'add_tasks', input: { tasks } });
const plan = (...tasks: object[]) => ({ tool: 'reschedule_tasks', input: { tasks } });
const change = (...changes: object[]) => ({ tool: 'change_tasks', input: { changes } });
const close = (status: string, ...ids: string[]) => ({ tool: 'set_task_status', input: { ids, status } });

const everydayRequests: readonly EverydayRequest[] = [
  {
    says: 'What’s on today?',
    calls: [find({ view: 'today' })],
    hears: [
      /Today is 2026-11-21 \(Europe\/Berlin\)/,
      /3 tasks/,
      /Water the plants .*every day, overdue/,
      /10:30/,
    ],
  },
  {
    says: 'What’s on today, move the dentist to Thursday and close the rest.',
    calls: [
      find({ view: 'today' }),
      plan({ id: 'id:Call the dentist', dueDate: '2026-11-26' }),
      close('completed', 'id:Buy milk', 'id:Water the plants'),
    ],
    tasks: {
      'Call the dentist': { dueDate: '2026-11-26', status: 'open', reminderTime: '10:30' },
      'Buy milk': { status: 'completed' },
      'Water the plants': { status: 'open', dueDate: '2026-11-22' },
    },
  },
  {
    says: 'Remind me to call mum tomorrow at six.',
    calls: [add({ title: 'Call mum', dueDate: '2026-11-22', reminderTime: '18:00' })],
    tasks: { 'Call mum': { dueDate: '2026-11-22', reminderTime: '18:00', list: 'someday' } },
  },
  {
    says: 'Put «mulch» with the beds in the garden project.',
    calls: [add({ title: 'Mulch', project: 'garden', section: 'BEDS' })],
    tasks: { Mulch: { projectId: 'id:Garden', sectionId: 'id:Beds' } },
  },
  {
    says: 'What is left for the office move?',
    calls: [find({ project: 'office move' })],
    hears: [
      /2 tasks/,
      /Pack the books \(in Office move, planned 2026-11-24, has notes\)/,
      /Cancel the cleaning \(in Office move\)/,
    ],
  },
  {
    says: 'I have not filed the taxes after all.',
    calls: [find({ text: 'taxes', status: 'completed' }), close('open', 'id:File the taxes')],
    tasks: { 'File the taxes': { status: 'open' } },
  },
  {
    says: 'Every Monday the bins have to go out.',
    calls: [
      add({
        title: 'Take the bins out',
        dueDate: '2026-11-23',
        repeat: { frequency: 'weekly', weekdays: ['monday'] },
      }),
    ],
    tasks: { 'Take the bins out': { dueDate: '2026-11-23', status: 'open' } },
    hears: [/added: Take the bins out \(planned 2026-11-23, every week on monday\)/],
  },
  {
    says: 'Water the plants on Saturdays; no, every other Saturday.',
    calls: [
      change({ id: 'id:Water the plants', repeat: { frequency: 'weekly', weekdays: ['saturday'] } }),
      change({ id: 'id:Water the plants', repeat: { interval: 2 } }),
    ],
    hears: [/every 2 weeks on saturday/],
  },
  {
    says: 'The tide tables belong to the garden.',
    calls: [
      find({ view: 'inbox' }),
      { tool: 'move_tasks', input: { moves: [{ id: 'id:Read the tide tables', project: 'Garden' }] } },
    ],
    tasks: { 'Read the tide tables': { list: 'project', projectId: 'id:Garden', sectionId: null } },
  },
  {
    says: 'What comes up next week?',
    calls: [find({ plannedFrom: '2026-11-23', plannedTo: '2026-11-29' })],
    hears: [/2 tasks/, /Pack the books/, /Pay the rent \(deadline 2026-11-25\)/],
  },
  {
    says: 'We go to Rome: make a project at home, before and there, and I must book flights before.',
    calls: [
      {
        tool: 'save_project',
        input: { title: 'Trip to Rome', area: 'home', newSections: ['Before', 'There'] },
      },
      add({ title: 'Book flights', project: 'Trip to Rome', section: 'Before' }),
    ],
    tasks: { 'Book flights': { list: 'project', projectId: 'id:Trip to Rome' } },
  },
  {
    says: 'Delete the tide tables.',
    calls: [find({ text: 'tide' }), { tool: 'trash_tasks', input: { ids: ['id:Read the tide tables'] } }],
    tasks: { 'Read the tide tables': { inTrash: true } },
  },
  {
    says: 'I deleted an old idea, bring it back.',
    calls: [find({ view: 'trash' }), { tool: 'restore_tasks', input: { ids: ['id:Old idea'] } }],
    tasks: { 'Old idea': { inTrash: false, list: 'inbox' } },
  },
  {
    says: 'The office move is over, everything is done.',
    calls: [
      {
        tool: 'set_project_status',
        input: { project: 'Office move', status: 'completed', openTasks: 'complete' },
      },
    ],
    tasks: { 'Pack the books': { status: 'completed' }, 'Cancel the cleaning': { status: 'completed' } },
  },
  {
    says: 'What happened since yesterday evening?',
    calls: [find({ changedSince: '2026-11-20T19:00:00+01:00' })],
    hears: [/11 tasks/, /Old idea \(inbox, in the Trash\)/, /File the taxes \(inbox, completed [\dT:.-]+Z\)/],
  },
  {
    says: 'Call the area Home House, and put the office move there.',
    calls: [
      { tool: 'save_area', input: { area: 'Home', title: 'House' } },
      { tool: 'save_project', input: { project: 'Office move', area: 'House' } },
      { tool: 'list_projects', input: { area: 'House' } },
    ],
    hears: [
      /2 active projects/,
      /Office move \(in House, 2 open\)/,
      /Areas: House \[[0-9a-f-]{36}\], Work \[/,
    ],
  },
];

for (const request of everydayRequests) {
  test(`«${request.says}» is done in ${request.calls.length} call(s)`, async (t) => {
    t.true(request.calls.length <= 3);
    await check(t, request, await furnishDesk(stack));
  });
}

async function check(t: ExecutionContext, { calls, tasks = {}, hears = [] }: EverydayRequest, desk: Desk) {
  const ids: Record<string, string> = { ...desk.ids };
  let heard = '';
  for (const { tool, input } of calls) {
    const sent = JSON.parse(filledIn(JSON.stringify(input), ids));
    const result = await desk.assistant.call(tool, sent);
    t.false(result.isError, result.text);
    for (const { ok } of resultsOf(result)) t.true(ok, result.text);
    if (typeof result.content.title === 'string') ids[result.content.title] = String(result.content.id);
    heard = result.text;
  }
  for (const words of hears) t.regex(heard, words);
  const { body } = await desk.api.get<{ items: Task[] }>('/tasks?view=all&limit=200');
  for (const [title, members] of Object.entries(tasks)) {
    const wanted = JSON.parse(filledIn(JSON.stringify(members), ids));
    // A completed occurrence of a repeating task is a task of its own.
    const task = body.items.find(
      (item) => item.title === title && item.status === (wanted.status ?? item.status),
    );
    t.like(task, wanted, title);
  }
}
