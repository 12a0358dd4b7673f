import test from 'ava';
import fc from 'fast-check';
import { startStack } from '#tests/support/stack.ts';
import type { AssistantClient, JsonSchema } from './assistant-client.ts';
import { filledIn, furnishDesk, oneCallOfEach, resultsOf, saturday } from './desk.ts';

const stack = await startStack(test, { now: saturday });

const errorLevel = 50;

const missing = '00000000-0000-4000-8000-000000000000';

type Fault = readonly [tool: string, input: object, says: RegExp];

const faults: readonly Fault[] = [
  ['find_tasks', { plannedFrom: '2026-02-30' }, /plannedFrom must be a day that exists/],
  ['find_tasks', { changedSince: 'yesterday' }, /changedSince must be a day YYYY-MM-DD/],
  ['find_tasks', { sort: 'priority' }, /sort must be one of date, deadline/],
  ['overview', { view: 'today' }, /view is not a field/],
  ['find_tasks', { planned: '2026-11-20' }, /field .*; did you mean plannedFrom or plannedTo\?/],
  ['add_tasks', { tasks: [{ title: 'x', project_id: 'Garden' }] }, /not a field .*; did you mean project\?/],
  ['change_tasks', { changes: [{ id: 'id:Buy milk', notes: null }] }, /notes must not be null: .* in clear/],
  ['change_tasks', { changes: [{ id: 'id:Buy milk' }] }, /^✗ entry 0: Give what is to change/],
  ['find_tasks', { query: 'milk', tag: 'red' }, /query is .*; there are: [^;]*, tag is not a field/],
  ['find_tasks', { cursor: 'made-up' }, /cursor must be a nextCursor/],
  ['find_tasks', { project: missing }, /nothing with that id.*list_projects/],
  ['find_tasks', { project: null }, /project/],
  ['find_tasks', { project: 'Office move', section: 'id:Beds' }, /nothing with that id/],
  ['find_tasks', { text: 'a b c d e f g h i' }, /text must have at most 8 words/],
  ['get_task', { id: 'Buy milk' }, /id must be a UUID, not a title: look it up with find_tasks/],
  ['get_task', { id: missing }, /nothing with that id.*find_tasks/],
  ['list_projects', { status: 'open' }, /status must be one of active/],
  ['get_project', { project: missing }, /nothing with that id.*list_projects/],
  ['recent_changes', { since: 'yesterday' }, /since must be a day YYYY-MM-DD or an RFC 3339/],
  ['undo', {}, /Give latest=true, or changes/],
  ['undo', { latest: true, changes: [missing] }, /Give latest=true, or changes/],
  ['undo', { changes: [missing] }, /no change.*look it up with recent_changes/],
  ['add_tasks', { tasks: [] }, /at least one entry/],
  ['add_tasks', { tasks: [{ title: '  ' }] }, /title must not be blank/],
  ['add_tasks', { tasks: Array.from({ length: 51 }, () => ({ title: 'x' })) }, /at most 50/],
  ['add_tasks', { tasks: ['Buy milk'] }, /entry 0: The entry must be an object/],
  [
    'add_tasks',
    { tasks: [{ title: 'x', project: 'Garden', list: 'inbox' }] },
    /can't be combined with a pro/,
  ],
  ['change_tasks', { changes: [{ id: missing, title: 'x' }] }, /nothing with that id/],
  [
    'change_tasks',
    { changes: [{ id: missing, notes: 'x', clear: ['notes'] }] },
    /a value and named in clear/,
  ],
  ['change_tasks', { changes: [{ id: missing, appendNotes: 'x' }] }, /nothing with that id/],
  ['change_tasks', { changes: [{ id: missing, notes: 'x', appendNotes: 'y' }] }, /give one of the two/],
  ['change_tasks', { changes: [{ id: 'id:Buy milk', dueDate: '2026-11-22' }] }, /use reschedule_tasks/],
  ['reschedule_tasks', { tasks: [{ id: 'id:Buy milk' }] }, /Give a dueDate or a reminderTime/],
  ['edit_checklists', { edits: [{ id: 'id:Buy milk' }] }, /Say what to do with the steps/],
  [
    'edit_checklists',
    { edits: [{ id: 'id:Buy milk', add: ['Bag'], tick: ['Pen'] }] },
    /no step called «Pen»/,
  ],
  [
    'set_project_status',
    { projects: ['Nowhere'], status: 'restored' },
    /no project in the Trash called «Nowhere»/,
  ],
  ['set_project_status', { projects: [missing], status: 'restored' }, /nothing with that id/],
  ['move_tasks', { moves: [{ id: missing }] }, /Name where the task goes/],
  ['set_task_status', { ids: [missing], status: 'done' }, /status must be one of/],
  ['set_task_status', { ids: ['id:File the taxes'], status: 'cancelled' }, /completed .* reopen it first/],
  ['skip_occurrence', { ids: ['id:Buy milk'] }, /Only an open task that repeats/],
  ['trash_tasks', { ids: ['1'] }, /entry 0: id must be a UUID/],
  ['restore_tasks', { ids: missing }, /ids/],
  ['save_projects', { projects: [{}] }, /title/],
  ['save_projects', { projects: [{ title: 'x', area: missing }] }, /area names no area/],
  ['save_sections', { project: 'Garden', sections: [{}] }, /title/],
  ['save_sections', { project: 'Garden', sections: [{ remove: 'section' }] }, /Name the section/],
  [
    'save_sections',
    { project: 'Garden', sections: [{ title: 'Pots', position: 0 }] },
    /Name the section that position is for; a new one goes last/,
  ],
  ['save_areas', { areas: [{ remove: 'area' }] }, /Name the area/],
  [
    'save_areas',
    { areas: [{ area: 'Home', remove: 'area', title: 'House' }] },
    /remove stands alone: leave out title/,
  ],
  [
    'set_project_status',
    { projects: ['Garden'], status: 'active', openTasks: 'complete' },
    /completed alone/,
  ],
  // Another tool does it, or none.
  ['change_tasks', { changes: [{ id: missing, reminderTime: '10:00' }] }, /use reschedule_tasks/],
  ['change_tasks', { changes: [{ id: missing, project: 'Garden' }] }, /not changed here: use move_tasks/],
  ['change_tasks', { changes: [{ id: missing, status: 'completed' }] }, /use set_task_status/],
  ['change_tasks', { changes: [{ id: missing, priority: 'high' }] }, /no priority here: tell the person/],
  ['change_tasks', { changes: [{ id: missing, colour: 'red' }] }, /there are: id, title, notes, append/],
  ['change_tasks', { changes: [{ id: missing, repeat: { every: 2 } }] }, /there are: frequency, interval/],
  ['reschedule_tasks', { tasks: [{ id: missing, title: 'Milk' }] }, /use change_tasks/],
  // An unknown name: the close ones, of the kind that was meant.
  ['find_tasks', { project: 'offices' }, /no project called «offices»\. There are: «Office move» in Work \(/],
  ['find_tasks', { project: 'home' }, /no project called «home»: that is an area\. There are/],
  ['find_tasks', { area: 'garden' }, /no area called «garden»: that is a project\. There are/],
  ['find_tasks', { area: 'Homes' }, /no area called «Homes»\. There are: «Home»/],
  ['find_tasks', { project: 'Garden', section: 'Sheds' }, /«Sheds»\. There are: «Beds» in Garden .*«Lawn»/],
  ['find_tasks', { section: 'Sheds' }, /no section called «Sheds».*«Beds» in Garden/],
  ['set_project_status', { projects: ['Moon'], status: 'completed' }, /no project called «Moon».*«Garden»/],
  ['save_projects', { projects: [{ title: 'x', area: 'Moon' }] }, /no area called «Moon».*«Work»/],
  // Filters that no task meets together: what finds the tasks instead.
  [
    'find_tasks',
    { plannedFrom: '2026-11-22', plannedTo: '2026-11-21' },
    /^plannedFrom .* is after plannedTo/,
  ],
  [
    'find_tasks',
    { deadlineFrom: '2026-11-22', deadlineTo: '2026-11-21' },
    /^deadlineFrom .* after deadlineTo/,
  ],
  ['find_tasks', { closedFrom: '2026-11-22', closedTo: '2026-11-21' }, /^closedFrom .* is after closedTo/],
  ['find_tasks', { overdue: true, status: 'completed' }, /^status=completed has closed .*overdue=true open /],
  [
    'find_tasks',
    { view: 'someday', status: 'cancelled' },
    /^view=someday has open .*status=cancelled closed/,
  ],
  ['find_tasks', { view: 'logbook', status: 'open' }, /^view=logbook has closed .*status=open open tasks/],
  [
    'find_tasks',
    { view: 'logbook', repeats: true },
    /view=logbook has closed tasks alone, repeats=true open/,
  ],
  ['find_tasks', { view: 'today', plannedFrom: '2026-11-22' }, /^view=today has days up to today alone/],
  ['find_tasks', { view: 'upcoming', plannedTo: '2026-11-21' }, /^view=upcoming has days after today alone/],
  ['find_tasks', { view: 'inbox', plannedTo: '2026-11-30' }, /^view=inbox has tasks without a date alone/],
  ['find_tasks', { view: 'inbox', project: 'Garden' }, /^view=inbox has tasks outside of projects alone/],
];

test('bad input changes nothing, and the tool’s error says what to send instead', async (t) => {
  const { assistant, api, ids } = await furnishDesk(stack);
  const snapshot = async () => [
    (await api.get('/tasks?view=all')).body,
    (await api.get('/projects')).body,
    (await api.get('/areas')).body,
  ];
  const before = await snapshot();
  const offered = (await assistant.listTools()).map(({ name }) => name);
  t.deepEqual([...new Set(faults.map(([tool]) => tool))].toSorted(), offered.toSorted());
  for (const [tool, input, says] of faults) {
    const { isError, text } = await assistant.call(tool, JSON.parse(filledIn(JSON.stringify(input), ids)));
    t.true(isError, `${tool} ${JSON.stringify(input)}`);
    t.regex(text, says, `${tool} ${JSON.stringify(input)}`);
  }
  t.deepEqual(await snapshot(), before);
});

test('of several entries the bad one alone fails, and says which field', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const changes = [
    { id: ids['Buy milk'], dueDate: '2026-11-22' },
    { id: ids['Order seeds'], reminderTime: '09:00' },
    { id: missing, dueDate: '2026-11-22' },
    { id: ids['Call the dentist'], clear: ['dueDate'] },
  ];
  const answer = await assistant.call('reschedule_tasks', { tasks: changes });
  t.false(answer.isError);
  t.like(answer.content, { done: 2, failed: 2 });
  const results = resultsOf(answer);
  t.deepEqual(
    results.map(({ index, ok, error }) => [index, ok, error?.code, error?.field]),
    [
      [0, true, undefined, undefined],
      [1, false, 'validation_error', 'reminderTime'],
      [2, false, 'not_found', undefined],
      [3, true, undefined, undefined],
    ],
  );
  t.false('dueDate' in (results[3]?.task ?? {}));
  t.false('reminderTime' in (results[3]?.task ?? {}));
});

test('an entry that its schema refuses holds up no other, and all its faults are told', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const checklist = ['Soap', ''];
  const tasks = [
    { title: '', zzz: 1 },
    { title: 'Mop' },
    7,
    { title: 'Sweep', checklist },
    { title: 'Dust' },
  ];
  const added = await assistant.call('add_tasks', { tasks });
  t.false(added.isError);
  t.like(added.content, { done: 2, failed: 3 });
  t.deepEqual(
    resultsOf(added).map(({ task }) => task?.title),
    [undefined, 'Mop', undefined, undefined, 'Dust'],
  );
  t.regex(added.text, /entry 0: .*title must not be blank/);
  t.regex(added.text, /entry 0: .*zzz is not a field/);
  t.regex(added.text, /entry 2: The entry must be an object/);
  t.regex(added.text, /entry 3: checklist\[1\] must not be blank/);
  const { id } = resultsOf(added)[1] ?? {};
  const changes = [{ id, checklist: [{ title: 'Soap', done: true }] }];
  const changed = await assistant.call('change_tasks', { changes });
  t.regex(changed.text, /entry 0: checklist\[0\]\.done is not a field/);
  const closed = await assistant.call('set_task_status', { ids: ['1', id], status: 'completed' });
  t.like(closed.content, { done: 1, failed: 1 });
});

test('a task that stands twice in one call is closed once', async (t) => {
  const { assistant, api, ids } = await furnishDesk(stack);
  const plants = ids['Water the plants'] ?? '';
  const input = { ids: [plants, plants.toUpperCase()], status: 'completed' };
  const closed = await assistant.call('set_task_status', input);
  t.like(closed.content, { done: 1, failed: 1 });
  t.regex(closed.text, /entry 1: ids names this task twice/);
  t.like((await api.get(`/tasks/${plants}`)).body, { status: 'open', dueDate: '2026-11-22' });
});

test('whatever is sent, a tool answers, and nothing inside shows (seeded)', async (t) => {
  const desk = await furnishDesk(stack);
  const tools = await desk.assistant.listTools();
  const calls = tools.map(({ name, inputSchema }) =>
    fc.record({ name: fc.constant(name), input: inputFor(inputSchema, Object.values(desk.ids)) }),
  );
  const property = fc.asyncProperty(fc.oneof(...calls), ({ name, input }) =>
    answers(desk.assistant, name, input),
  );
  await fc.assert(property, { seed: 20_261_121, numRuns: 120, endOnFailure: true });
  t.deepEqual(
    stack.log.filter(({ level }) => level >= errorLevel),
    [],
  );
});

async function answers(assistant: AssistantClient, name: string, input: object): Promise<void> {
  const { text } = await assistant.call(name, input);
  if (text === '' || /wrong on our side|Output validation|select |\n +at /i.test(text)) {
    throw new Error(`${name} answers ${text}`);
  }
}

/** Mostly what the schema asks for, now and then something else. */
function inputFor(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<object> {
  const properties = Object.entries(schema.properties ?? {});
  const members = properties.map(([name, member]) => [name, valueFor(name, member, ids)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] });
}

function valueFor(name: string, schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom(null, 7, '', 'x', [], {}, 'Garden', '2026-11-21', '$where', '__proto__');
  return fc.oneof({ weight: 8, arbitrary: fittingValue(name, schema, ids) }, { weight: 1, arbitrary: odd });
}

function fittingValue(name: string, schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') return inputFor(schema, ids);
  if (schema.type === 'array')
    return fc.array(valueFor(name, schema.items ?? {}, ids), { minLength: 1, maxLength: 3 });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: -1, max: 20 });
  if (/Date$|(From|To)$/.test(name)) return fc.constantFrom('2026-11-21', '2026-12-01', '2028-02-29');
  if (/since$/i.test(name)) return fc.constant('2026-11-20T00:00:00Z');
  if (name === 'reminderTime') return fc.constantFrom('00:00', '23:59');
  return fc.oneof(
    fc.constantFrom(...ids, 'Garden', 'Home', 'Beds'),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
}

test('an error inside is answered with the request’s id alone', async (t) => {
  const broken = await startStack(t, { now: saturday });
  const { assistant, ids } = await furnishDesk(broken);
  await broken.sql`alter table tasks.task rename column title to hidden`;
  for (const { tool, input } of oneCallOfEach({ ids }).filter(({ tool: name }) => /task/.test(name))) {
    const { isError, text } = await assistant.call(tool, input);
    t.true(isError);
    t.regex(text, /Something went wrong on our side; request id [0-9a-f-]{36}\./, tool);
    t.notRegex(text, /column|select|hidden/);
    const [, requestId] = /request id ([0-9a-f-]{36})/.exec(text) ?? [];
    t.true(broken.log.some((line) => line.level >= errorLevel && line.requestId === requestId));
  }
});
