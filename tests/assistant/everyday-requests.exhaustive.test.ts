import test, { type ExecutionContext } from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import { type Desk, filledIn, furnishDesk, resultsOf, saturday } from './desk.ts';

const stack = await startStack(test, { now: saturday });

type ToolCall = { tool: string; input: object };

/** One thing a person says, the calls a model makes of it, and how the tasks are afterwards. */
type EverydayRequest = {
  says: string;
  /** What the assistant has done before, on the furnished desk. */
  before?: readonly ToolCall[];
  /** At most three. `id:Buy milk` stands for the id of that task. */
  calls: readonly ToolCall[];
  /** Members of tasks afterwards, by title, as the API shows them. */
  tasks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the last answer says, and what it does not. */
  hears?: readonly RegExp[];
  hearsNot?: readonly RegExp[];
};

const find = (input: object) => ({ tool: 'find_tasks', input });
const add = (...tasks: object[]) => ({ tool: 'add_tasks', input: { tasks } });
const plan = (...tasks: object[]) => ({ tool: 'reschedule_tasks', input: { tasks } });
const change = (...changes: object[]) => ({ tool: 'change_tasks', input: { changes } });
const close = (status: string, ...ids: string[]) => ({
  tool: 'set_task_status',
  input: { ids, status },
});

async function checkRequest(
  t: ExecutionContext,
  { calls, before = [], tasks = {}, hears = [], hearsNot = [] }: EverydayRequest,
  { assistant, api, ids }: Desk,
): Promise<void> {
  t.true(calls.length <= 3);
  let heard = '';
  for (const { tool, input } of [...before, ...calls]) {
    const result = await assistant.call(tool, JSON.parse(filledIn(JSON.stringify(input), ids)));
    t.false(result.isError, result.text);
    for (const { ok } of resultsOf(result)) t.true(ok, result.text);
    heard = result.text;
  }
  for (const words of hears) t.regex(heard, words);
  for (const words of hearsNot) t.notRegex(heard, words);
  const { body } = await api.get<{ items: Task[] }>('/tasks?view=all&limit=200');
  for (const [title, wanted] of Object.entries(tasks)) {
    // A completed occurrence of a repeating task is a task of its own.
    const task = body.items.find(
      (item) => item.title === title && item.status === (wanted.status ?? item.status),
    );
    t.like(task, wanted, title);
  }
}

const everydayRequests: readonly EverydayRequest[] = [
  {
    says: 'What’s on today?',
    calls: [find({ view: 'today' })],
    hears: [
      /Today is Saturday 2026-11-21, 10:00 \(Europe\/Berlin\)/,
      /3 tasks/,
      /Water the plants .*every day, overdue/,
      /dentist \(planned Sat 2026-11-21, reminder 10:30\)/,
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
    says: 'What comes up next week?',
    calls: [find({ plannedFrom: '2026-11-23', plannedTo: '2026-11-29' })],
    hears: [/2 tasks/, /Pack the books/, /Pay the rent \(deadline Wed 2026-11-25\)/],
  },
  {
    says: 'The office move is over, everything is done.',
    calls: [
      {
        tool: 'set_project_status',
        input: { projects: ['Office move'], status: 'completed', openTasks: 'complete' },
      },
    ],
    tasks: { 'Pack the books': { status: 'completed' }, 'Cancel the cleaning': { status: 'completed' } },
  },
  {
    says: 'Call the area Home House, and put the office move there.',
    calls: [
      { tool: 'save_areas', input: { areas: [{ area: 'Home', title: 'House' }] } },
      { tool: 'save_projects', input: { projects: [{ project: 'Office move', area: 'House' }] } },
      { tool: 'list_projects', input: { area: 'House' } },
    ],
    hears: [
      /2 active projects/,
      /Office move \(in House, 2 open, last change /,
      /Areas: House \[[0-9a-f-]{36}\], Work \[/,
    ],
  },
  {
    says: 'How many things are in my inbox, and how much is there in all?',
    calls: [{ tool: 'overview', input: {} }],
    hears: [
      /inbox 1, today 3, overdue 1, upcoming 2, anytime 5, someday 1, logbook 1, trash 1, open 9\./,
      /Office move \(in Work, 2 open, last change /,
      /Garden \(in Home, 1 open, none planned, last change /,
    ],
  },
  {
    says: 'What has the next deadline?',
    calls: [find({ sort: 'deadline', limit: 2 })],
    hears: [/:\n- Pay the rent/],
  },
  {
    says: 'What is the oldest thing in my inbox?',
    before: [add({ title: 'Feed the cat' })],
    calls: [find({ view: 'inbox', sort: 'oldest', limit: 1 })],
    hears: [/:\n- Read the tide tables/],
  },
  {
    says: 'Everything I have, by date.',
    calls: [find({ sort: 'date' })],
    hears: [
      /9 tasks:\n- Water the plants.*\n- Buy milk.*\n- Call the dentist.*\n- Pack the books/,
      /\n- Pack the books.*\n- Pay the rent/,
    ],
  },
  {
    says: 'The novels are packed, and the maps, which are not on that list yet; strike the vase.',
    before: [
      change({
        id: 'id:Pack the books',
        checklist: [{ title: 'Novels' }, { title: 'Vase' }, { title: 'Atlas' }],
      }),
    ],
    calls: [
      find({ text: 'pack' }),
      {
        tool: 'edit_checklists',
        input: {
          edits: [{ id: 'id:Pack the books', tick: ['novels', 'maps'], add: ['Maps'], remove: ['Vase'] }],
        },
      },
    ],
    tasks: {
      'Pack the books': {
        checklist: [{ title: 'Novels', completed: true }, { title: 'Atlas' }, { completed: true }],
      },
    },
    hears: [/^✓ added «Maps», ticked «Novels» «Maps», removed «Vase»: .*checklist 2\/3/],
  },
  {
    says: 'Add to the notes of the rent that it went up, and to the milk that it is for the cake.',
    before: [change({ id: 'id:Pay the rent', notes: 'To Mara:\n- 900\n' })],
    calls: [
      change(
        { id: 'id:Pay the rent', appendNotes: '- 950 from May' },
        { id: 'id:Buy milk', appendNotes: 'For the cake' },
      ),
    ],
    tasks: {
      'Pay the rent': { description: 'To Mara:\n- 900\n- 950 from May' },
      'Buy milk': { description: 'For the cake' },
    },
    hears: [/^✓ changed: Pay the rent .*\n✓ changed: Buy milk .*has notes/],
  },
  {
    says: 'My list for the hardware shop: nails, glue, sand.',
    calls: [add({ title: 'Nails' }, { title: 'Glue' }, { title: 'Sand' }), find({ view: 'inbox' })],
    hears: [/- Nails .*\n- Glue .*\n- Sand .*\n- Read the tide tables/],
  },
  {
    says: 'The seeds and the rent belong to the office move, in this order.',
    calls: [
      {
        tool: 'move_tasks',
        input: {
          moves: [
            { id: 'id:Order seeds', project: 'Office' },
            { id: 'id:Pay the rent', project: 'Office' },
          ],
        },
      },
      find({ project: 'Office' }),
    ],
    hears: [/4 tasks:\n- Order seeds.*\n- Pay the rent.*\n- Pack the books/],
  },
  {
    says: 'Put the books back into the inbox.',
    calls: [{ tool: 'move_tasks', input: { moves: [{ id: 'id:Pack the books', list: 'inbox' }] } }],
    hears: [
      /in no project, but not in inbox either: a task with a date shows on its day: Pack the books \(planned/,
    ],
    hearsNot: [/someday/i],
    tasks: { 'Pack the books': { projectId: null, dueDate: '2026-11-24' } },
  },
  {
    says: 'Did I ever file the taxes?',
    calls: [find({ text: 'taxes' })],
    hears: [/File the taxes \(inbox, completed/, /0 open tasks\. Closed or in the Trash:/],
  },
  {
    says: 'Remind me of the watering at seven.',
    calls: [plan({ id: 'id:Water the plants', reminderTime: '07:00' })],
    hears: [/^✓ rescheduled, its reminder on all dates to come, .*: Water the plants /],
  },
  {
    says: 'Sections Prepare, Travel and After for the move; call Beds in the garden Plots and put it last.',
    calls: [
      {
        tool: 'save_sections',
        input: {
          project: 'office',
          sections: [{ title: 'Prepare' }, { title: 'Travel' }, { title: 'After' }],
        },
      },
      {
        tool: 'save_sections',
        input: { project: 'garden', sections: [{ section: 'beds', title: 'Plots', position: 1 }] },
      },
      { tool: 'list_projects', input: {} },
    ],
    hears: [
      /Garden .*sections: Lawn \[.*, Plots \[/,
      /Office move .*sections: Prepare \[.*, Travel \[.*, After \[/,
    ],
  },
  {
    says: 'Cancel the watering. Oh no, keep it.',
    calls: [close('cancelled', 'id:Water the plants'), close('open', 'id:Water the plants')],
    tasks: { 'Water the plants': { status: 'open', recurrence: { frequency: 'daily' } } },
    hears: [/every day/],
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
];

for (const request of everydayRequests) {
  test(`«${request.says}» is done in ${request.calls.length} call(s)`, async (t) => {
    await checkRequest(t, request, await furnishDesk(stack));
  });
}
