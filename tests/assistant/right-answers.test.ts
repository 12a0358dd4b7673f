import test from 'ava';
import { taskViews } from '#resource-api/tasks/task-views.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import type { AssistantClient } from './assistant-client.ts';
import { connectWith, type EntryResult, furnishDesk, openDesk, resultsOf, saturday } from './desk.ts';

const stack = await startStack(test, { now: saturday });
const open = () => openDesk(stack);

type Shown = { title: string; passage?: string; list?: string };
const titlesOf = ({ content }: { content: Record<string, unknown> }) =>
  (content.tasks as Shown[]).map(({ title }) => title).toSorted();

test('a search ignores case, accents, hyphens, apostrophes and spellings, in any script', async (t) => {
  const { api, assistant } = await open();
  const namesakes = ['Cafe\u0301 Müller', 'Call Müller', 'Pay Mueller’s bill'];
  const bread = 'ﾊﾟﾝとｶﾞｰﾃﾞﾝ';
  const titles = [
    ...namesakes,
    bread,
    'カラオケ',
    'がっこう',
    'Ｒｏｏｍ １０１',
    'Set up Wi-Fi',
    'Le Café',
    'Hauptstraße №42',
    'МОСКВА',
    'It’s late',
    'がくせい',
    'اجتماع مع أَحْمَد',
    'دفع الفاتورة',
  ];
  for (const title of titles) await makeTask(api, { title });
  const searches: [text: string, found: string[]][] = [
    ['wifi', ['Set up Wi-Fi']],
    ['WI-FI', ['Set up Wi-Fi']],
    ['cafe', ['Cafe\u0301 Müller', 'Le Café']],
    ['CAFÉ muller', ['Cafe\u0301 Müller']],
    ['strasse №42', ['Hauptstraße №42']],
    ['москва', ['МОСКВА']],
    ["its'", ['It’s late']],
    ['“Café”, Müller?', ['Cafe\u0301 Müller']],
    ['"wifi" (set up)', ['Set up Wi-Fi']],
    ['かく', []],
    ['احمد', ['اجتماع مع أَحْمَد']],
    ['إجتمـاع', ['اجتماع مع أَحْمَد']],
    ['الفاتوره', ['دفع الفاتورة']],
    ['mueller', namesakes],
    ['Müller', namesakes],
    ['MU\u0308LLER', namesakes],
    ['からおけ', ['カラオケ']],
    ['ガッコウ', ['がっこう']],
    ['パン', [bread]],
    ['がーでん', [bread]],
    ['ｶﾞｰﾃﾞﾝ', [bread]],
    ['room 101', ['Ｒｏｏｍ １０１']],
    ['^.*', []],
    [':)', []],
  ];
  for (const [text, found] of searches)
    t.deepEqual(titlesOf(await assistant.call('find_tasks', { text })), found.toSorted(), text);
  const none = await assistant.call('find_tasks', { text: 'set up the wifi' });
  t.regex(
    none.text,
    / 0 tasks\.\nNo task has all these words: search for fewer, or for the beginning of one\.$/,
  );
});

test('what was found in the notes alone is shown with what surrounds it, in one line', async (t) => {
  const { api, assistant } = await open();
  const words = 'word '.repeat(40);
  await makeTask(api, { title: 'Router', description: `${words}\n- the Wi-Fi\n- password ${words}` });
  await makeTask(api, { title: 'Wi-Fi', description: 'Ask for the wifi.' });
  const { content, text } = await assistant.call('find_tasks', { text: 'wifi' });
  const passages = new Map((content.tasks as Shown[]).map(({ title, passage }) => [title, passage]));
  t.regex(passages.get('Router') ?? '', /^… (word )+- the Wi-Fi - password (word )+…$/);
  t.is(passages.get('Wi-Fi'), undefined);
  t.is(text.match(/^- /gm)?.length, 2);
});

test('enough of a name is a name, unless two have it; the whole name of one wins', async (t) => {
  const { api, assistant } = await open();
  const [rome, romeAgain] = [
    await makeProject(api, { title: 'Trip to Rome' }),
    await makeProject(api, { title: 'Rome in winter' }),
  ];
  const winter = await makeSection(api, romeAgain.id, { title: 'Before we go' });
  const add = (place: object) => assistant.call('add_tasks', { tasks: [{ title: 'Book', ...place }] });
  const ambiguous = await add({ project: 'rome' });
  t.true(ambiguous.isError);
  t.regex(ambiguous.text, /part of the name of several projects.*«Trip to Rome».*«Rome in winter»/);
  const one = resultsOf(await add({ project: 'róme trip' }));
  t.like(one[0]?.task, { project: { id: rome.id } });
  const two = resultsOf(await add({ project: 'winter', section: 'before' }));
  t.like(two[0]?.task, { section: { id: winter.id } });
  await makeProject(api, { title: 'Rome' });
  t.like(resultsOf(await add({ project: 'Rome' }))[0]?.task, { project: { title: 'Rome' } });
  await makeProject(api, { title: 'Büro-Umzug' });
  for (const project of ['umzug', 'buro umzug', 'büro-um', 'Büroumzug'])
    t.like(resultsOf(await add({ project }))[0]?.task, { project: { title: 'Büro-Umzug' } }, project);
});

test('the whole name of an assistant is that one alone, and undo refuses an ambiguous part', async (t) => {
  const { api, assistant } = await open();
  for (const name of ['Claude', 'Claude Code'])
    await (await connectWith(stack, api.account, { name })).call('add_tasks', {
      tasks: [{ title: `By ${name}` }],
    });
  const undo = (by: string) => assistant.call('undo', { by, since: '2026-11-20' });
  const part = await undo('laud');
  t.true(part.isError);
  t.regex(part.text, /^«laud» is part of several names: give one of .*Claude Code/);
  const { text } = await undo('claude');
  t.regex(text, /What changed:\n- Moved “By Claude” to the Trash\.\n/);
  t.notRegex(text, /Code/);
  t.deepEqual(titlesOf(await assistant.call('find_tasks')), ['By Claude Code']);
});

test('a change of a logged occurrence says that it is completed and no longer repeats', async (t) => {
  const { assistant } = await open();
  const repeat = { frequency: 'daily' };
  const added = await assistant.call('add_tasks', {
    tasks: [{ title: 'Pill', dueDate: '2026-11-21', repeat }],
  });
  await assistant.call('set_task_status', { ids: [resultsOf(added)[0]?.id], status: 'completed' });
  const done = await assistant.call('find_tasks', { status: 'completed' });
  const [{ id } = { id: '' }] = done.content.tasks as { id: string }[];
  const planned = await assistant.call('reschedule_tasks', { tasks: [{ id, reminderTime: '21:00' }] });
  t.regex(planned.text, /^✓ rescheduled, though it is completed.*: Pill/);
  const changes = [{ id, repeat: { until: '2026-12-31' } }];
  const ended = await assistant.call('change_tasks', { changes });
  t.regex(ended.text, /repeat\.frequency is required: the task does not repeat yet/);
});

test('a rule that is changed while its date is moved says where the series starts now', async (t) => {
  const { assistant } = await open();
  const weekly = { frequency: 'weekly' };
  const added = await assistant.call('add_tasks', {
    tasks: [{ title: 'Swim', dueDate: '2026-11-21', repeat: weekly }],
  });
  const id = resultsOf(added)[0]?.id ?? '';
  const change = async (input: object) =>
    (await assistant.call('change_tasks', { changes: [{ id, ...input }] })).text;
  await assistant.call('reschedule_tasks', { tasks: [{ id, dueDate: '2026-11-23' }] });
  t.regex(await change({ repeat: { until: '2027-06-30' } }), /^✓ changed, though Mon .* on saturday/);
  const moved = await change({ repeat: { interval: 2 } });
  t.regex(
    moved,
    /^✓ changed, and its repeat starts at Mon 2026-11-23 now, where Sat 2026-11-21 was moved to /,
  );
  t.regex(moved, /^✓ .* was moved to \(elsewhere: dueDate with repeat\): Swim .* on monday/);
  t.regex(await change({ repeat: { interval: 3 } }), /^✓ changed: Swim/);
});

test('a closed or trashed project is found by its name, with how to open it again', async (t) => {
  const { api, assistant } = await open();
  const [lisbon, porto] = [
    await makeProject(api, { title: 'Lisbon' }),
    await makeProject(api, { title: 'Porto' }),
  ];
  const task = await makeTask(api, { title: 'Tram', projectId: lisbon.id });
  await api.post(`/projects/${lisbon.id}/complete`);
  await api.delete(`/projects/${porto.id}`);
  for (const [project, says] of [
    ['lisbon', /«Lisbon» is completed: set_project_status with active reopens it/],
    ['porto', /«Porto» is in the Trash: set_project_status with restored brings it back/],
  ] as const) {
    const { isError, text } = await assistant.call('add_tasks', { tasks: [{ title: 'x', project }] });
    t.true(isError);
    t.regex(text, says);
  }
  t.false((await assistant.call('get_project', { project: 'lisbon' })).isError);
  const closed = await assistant.call('find_tasks', { project: 'lisbon', status: 'cancelled' });
  t.deepEqual(titlesOf(closed), [task.title]);
  const ends = /: project «Lisbon», completed\.$/;
  t.regex((await assistant.call('find_tasks', { text: 'lisbon' })).text, ends);
  const listed = await assistant.call('list_projects', { text: 'porto' });
  t.regex(listed.text, / 0 active projects\.\nOther projects with these words: «Porto», in the Trash \[/);
  const inTrash = { projects: ['porto'], status: 'restored' };
  const closedToo = await assistant.call('set_project_status', { ...inTrash, projects: ['lisbon'] });
  t.regex(closedToo.text, /^✗ entry 0: «Lisbon» is completed: set_project_status with active reopens it/);
  for (const says of [/^Restored «Porto»/, /^Nothing changed, it is so already: «Porto»/])
    t.regex((await assistant.call('set_project_status', inTrash)).text, says);
  const reopened = await assistant.call('set_project_status', { projects: ['lisbon'], status: 'active' });
  t.regex(reopened.text, /^Reopened «Lisbon» \(.*\)\. Its tasks stay as they are: 1 cancelled\.$/);
});

test('symbols in a name count; a closed project’s whole name precedes part of an active one’s', async (t) => {
  const { api, assistant } = await open();
  for (const title of ['Trip 🏔️', 'Garden', 'C#', 'Plants 🌱']) await makeProject(api, { title });
  const [beach, seeds] = [
    await makeProject(api, { title: 'Trip 🏖️' }),
    await makeProject(api, { title: 'Garden 🌱' }),
  ];
  await api.post(`/projects/${beach.id}/complete`);
  await api.delete(`/projects/${seeds.id}`);
  const add = async (project: string) =>
    resultsOf(await assistant.call('add_tasks', { tasks: [{ title: 'x', project }] }))[0];
  for (const [project, says] of [
    ['trip 🏖', /«Trip 🏖️» is completed/],
    ['Garden 🌱', /«Garden 🌱» is in the Trash/],
    ['C++', /no project called «C\+\+»\. There are: «C#»/],
    ['inbox', /no project called «inbox»: that is a list of its own/],
  ] as const)
    t.regex((await add(project))?.error?.message ?? '', says);
  t.like((await add('🌱'))?.task, { project: { title: 'Plants 🌱' } });
  t.like((await add('c'))?.task, { project: { title: 'C#' } });
});

test('what removes or trashes wants a whole name, and else answers with the candidates', async (t) => {
  const { api, assistant } = await open();
  const { id: project } = await makeProject(api, { title: 'Café Garden' });
  await makeSection(api, project, { title: 'Done ✅' });
  const removing = (section: string) => ({ project, sections: [{ section, remove: 'section' }] });
  await assistant.call('save_areas', { areas: [{ title: 'At home' }] });
  const task = await makeTask(api, { checklist: [{ title: 'Milk 1%' }, { title: 'Bread' }] });
  const refused: [tool: string, input: object, says: RegExp][] = [
    ['set_project_status', { projects: ['garden'], status: 'trashed' }, /its whole name .*«Café Garden»/],
    ['save_sections', removing('done'), /whole name .*«Done ✅»/],
    ['save_sections', removing('Done ❌'), /whole name .*«Done ✅»/],
    ['save_areas', { areas: [{ area: 'home', remove: 'area' }] }, /whole name .*«At home»/],
    ['edit_checklists', { edits: [{ id: task.id, remove: ['Milk 1% 🐄'] }] }, /whole name .*«Milk 1%»/],
  ];
  for (const [tool, input, says] of refused) {
    const { isError, text } = await assistant.call(tool, input);
    t.true(isError, tool);
    t.regex(text, says);
  }
  for (const [tool, input] of [
    ['edit_checklists', { edits: [{ id: task.id, tick: ['milk'], remove: ['bread'] }] }],
    ['save_sections', { ...removing('DONE ✅'), project: 'garden' }],
    ['set_project_status', { projects: [' CAFE garden '], status: 'trashed' }],
  ] as const)
    t.false((await assistant.call(tool, input)).isError, tool);
});

test('steps that several calls add at once are all kept, and an entry is applied whole', async (t) => {
  const { api, assistant } = await open();
  const { id } = await makeTask(api, { checklist: [{ title: 'First' }, { title: 'Second' }] });
  const edit = (steps: object) => assistant.call('edit_checklists', { edits: [{ id, ...steps }] });
  await Promise.all(['a', 'b', 'c', 'd'].map((step) => edit({ add: [step] })));
  const steps = async () =>
    (await api.get<{ checklist: { title: string; completed: boolean }[] }>(`/tasks/${id}`)).body.checklist;
  t.deepEqual((await steps()).map(({ title }) => title).toSorted(), ['First', 'Second', 'a', 'b', 'c', 'd']);
  for (const refused of [
    { add: ['e'], tick: ['third'] },
    { tick: ['first'], remove: ['First'] },
  ])
    t.true((await edit(refused)).isError);
  t.is((await steps()).filter(({ completed }) => completed).length, 0);
  await edit({ tick: ['first'], remove: ['a', 'b', 'c', 'd'] });
  t.like(await steps(), { length: 2, 0: { title: 'First', completed: true }, 1: { completed: false } });
  await edit({ untick: ['first'] });
  t.like(await steps(), { 0: { completed: false } });
});

test('totals are those of the lists, and a page in another order has each task once', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const { content } = await assistant.call('overview');
  const counts = content.counts as Record<string, number>;
  for (const view of taskViews.filter((name) => name !== 'all'))
    t.is(counts[view], titlesOf(await assistant.call('find_tasks', { view })).length, view);
  t.is(counts.open, titlesOf(await assistant.call('find_tasks')).length);
  t.is(counts.overdue, titlesOf(await assistant.call('find_tasks', { overdue: true })).length);
  for (const sort of ['date', 'deadline', 'newest', 'oldest', 'changed']) {
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await assistant.call('find_tasks', { sort, limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...titlesOf(page));
      cursor = page.content.nextCursor;
    } while (cursor !== undefined);
    t.deepEqual([seen.length, new Set(seen).size], [9, 9], sort);
  }
});

test('what was completed is counted by the months of the account’s timezone', async (t) => {
  const { api, assistant } = await open();
  const closings = ['2026-10-31T22:59:59Z', '2026-10-31T23:00:00Z', '2025-11-30T23:00:00Z'];
  const unseen = ['2025-11-30T22:59:59Z', undefined];
  for (const at of [...closings, ...unseen]) {
    const { id } = await makeTask(api);
    await api.post(`/tasks/${id}/${at ? 'complete' : 'cancel'}`);
    if (at) await stack.sql`update tasks.task set completed_at = ${at} where id = ${id}`;
  }
  const { text, content } = await assistant.call('overview');
  t.regex(text, /\nCompleted by month: 2026-11 1, 2026-10 1, 2026-09 0, .* 2026-01 0, 2025-12 1\.\n/);
  t.is((content.completedByMonth as unknown[]).length, 12);
  const october = { status: 'completed', closedFrom: '2026-10-01', closedTo: '2026-10-31' };
  t.is(titlesOf(await assistant.call('find_tasks', october)).length, 1);
  const november = { ...october, closedFrom: '2026-11-01', closedTo: '2026-11-01' };
  t.is(titlesOf(await assistant.call('find_tasks', november)).length, 1);
});

test('a section moves to another project with its tasks, and back', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const beds = { section: 'Beds', toProject: 'office' };
  const move = (more: object) =>
    assistant.call('save_sections', { project: 'Garden', sections: [{ ...beds, ...more }] });
  const done = await assistant.call('add_tasks', {
    tasks: [
      { title: 'Dig', project: 'Garden', section: 'Beds' },
      { title: 'Plan', project: 'Garden', section: 'Beds' },
      { title: 'Weed', project: 'Garden', section: 'Beds' },
    ],
  });
  const [dig, plan, weed] = resultsOf(done).map(({ id }) => id);
  await assistant.call('set_task_status', { ids: [plan], status: 'completed' });
  await assistant.call('trash_tasks', { ids: [weed] });
  t.regex((await move({ title: 'Plots' })).text, /toProject stands alone: leave out title/);
  t.regex((await move({ section: undefined })).text, /Name the section that toProject is for/);
  t.regex((await move({ toProject: 'garden' })).text, /in that project already: position moves it within/);
  t.regex((await move({ section: ids.Garden })).text, /There is nothing with that id/);
  const { text, content } = await move({});
  t.regex(text, /^Moved to «Office move» with 3 tasks: «Beds» \([-\da-f]+\)\.$/);
  const place = async (id = '') => {
    const { projectId, sectionId } = (await api.get<Task>(`/tasks/${id}`)).body;
    return { projectId, sectionId };
  };
  const there = { projectId: ids['Office move'], sectionId: (content.sections as { id: string }[])[0]?.id };
  for (const id of [ids['Order seeds'], dig, plan]) t.like(await place(id), there);
  t.deepEqual(await place(weed), { projectId: ids.Garden ?? '', sectionId: null });
  t.regex((await assistant.call('get_project', { project: 'Garden' })).text, /sections: Lawn \[[-\da-f]+\]$/);
  const changes = await assistant.call('recent_changes', { by: 'me' });
  const undone = await assistant.call('undo', { latest: true });
  const both = await assistant.call('recent_changes', { by: 'me' });
  t.regex(both.text, /section “Beds” to “Garden”\..*section “Beds” to “Office move”\./s);
  for (const [{ text }, project] of [
    [changes, 'Office move'],
    [undone, 'Garden'],
  ] as const) {
    t.true(text.includes(`Moved the section “Beds” to “${project}”.`), text);
    t.notRegex(text, /Deleted the section|Created the section “Beds”\. Moved|- Created|- \n/);
  }
  t.regex(undone.text, /Moved “Dig” from “Office move” \/ “Beds” to “Garden” \/ “Beds”/);
  for (const id of [ids['Order seeds'], dig, plan, weed])
    t.deepEqual(await place(id), { projectId: ids.Garden ?? '', sectionId: ids.Beds ?? '' });
  const { text: office } = await assistant.call('get_project', { project: 'Office move' });
  t.notRegex(office, /sections/);
});

test('a project that comes back says how many of its tasks did not, and that it is closed', async (t) => {
  const { assistant } = await furnishDesk(stack);
  await assistant.call('save_projects', { projects: [{ title: 'Party' }] });
  await assistant.call('add_tasks', { tasks: [{ title: 'Cake', project: 'Party' }] });
  await assistant.call('undo', { by: 'me', since: '2026-11-21' });
  const { text } = await assistant.call('set_project_status', { projects: ['Party'], status: 'restored' });
  t.regex(text, /^Restored .*\. 1 of its tasks went to the Trash at another time: .*restore_tasks\.$/);
  const left = await assistant.call('find_tasks', { project: 'Party', view: 'trash' });
  t.deepEqual(titlesOf(left), ['Cake']);
  for (const status of ['completed', 'trashed'])
    await assistant.call('set_project_status', { projects: ['Party'], status });
  const closed = await assistant.call('set_project_status', { projects: ['Party'], status: 'restored' });
  t.regex(closed.text, /^Restored .*\)\. The project «Party» is completed\. 1 of its tasks /);
});

test('the first and the last day of the calendar are days like others', async (t) => {
  const { api, assistant } = await open();
  const repeat = { frequency: 'weekly', weekdays: ['tuesday'] };
  const added = await assistant.call('add_tasks', {
    tasks: [{ title: 'Wait', dueDate: '0001-01-01', repeat }],
  });
  t.regex(added.text, /^✓ added, though Mon 0001-01-01 is no day .* next on Tue 0001-01-02: Wait /);
  const wait = { id: (await api.get<{ items: Task[] }>('/tasks')).body.items[0]?.id };
  const changed = await assistant.call('change_tasks', {
    changes: [{ ...wait, repeat: { weekdays: ['monday'] }, dueDate: '0001-01-01' }],
  });
  t.regex(changed.text, /^✓ changed: Wait \(planned Mon 0001-01-01/);
  const plans = { plannedFrom: '0001-01-01', plannedTo: '9999-12-31' };
  t.deepEqual(titlesOf(await assistant.call('find_tasks', plans)), ['Wait']);
  await assistant.call('set_task_status', { ids: [wait.id], status: 'completed' });
  const closed = { closedFrom: '0001-01-01', closedTo: '9999-12-31' };
  t.deepEqual(titlesOf(await assistant.call('find_tasks', closed)), ['Wait']);
});

test('of two assistants that append to notes at once, a losing one is told to send again', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const other = await connectWith(stack, api.account);
  const append = (from: AssistantClient, line: string) =>
    from.call('change_tasks', { changes: Array(10).fill({ id: ids['Buy milk'], appendNotes: line }) });
  let [lost, lines]: [EntryResult[], number] = [[], 0];
  while (lost.length === 0 && lines < 40) {
    const both = await Promise.all([append(assistant, 'one'), append(other, 'two')]);
    const all = both.flatMap(resultsOf);
    lost = all.filter(({ ok }) => !ok);
    lines += all.length - lost.length;
  }
  const { content } = await assistant.call('get_task', { id: ids['Buy milk'] });
  t.is(String(content.notes).split('\n').length, lines);
  for (const { error } of lost)
    t.regex(error?.message ?? '', /changed the task at the same moment.*send it again/);
});
