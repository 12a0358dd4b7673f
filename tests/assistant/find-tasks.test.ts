import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import type { AccountOptions } from '#tests/support/test-accounts.ts';
import { furnishDesk, openDesk, saturday } from './desk.ts';

const stack = await startStack(test, { now: saturday });

const open = (options: AccountOptions = {}) => openDesk(stack, options);

test('words that are the name of a project, a section or an area are told to be one', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const endOf = async (input: object) =>
    (await assistant.call('find_tasks', input)).text.split('\n').slice(1).join('\n');
  t.is(
    await endOf({ text: 'move office' }),
    'Names with these words, whose tasks are listed by them instead of text: project «Office move».',
  );
  t.regex(await endOf({ text: 'beds' }), /of text: section «Beds» in Garden \[[-0-9a-f]{36}\]\.$/);
  t.regex(await endOf({ text: 'home' }), /of text: area «Home»\.$/);
  t.is(await endOf({ text: 'move', project: 'Garden' }), '');
});

test('a trashed project is found by its name, unless another project has that name, too', async (t) => {
  const { assistant } = await furnishDesk(stack);
  await assistant.call('set_project_status', { projects: ['Garden'], status: 'trashed' });
  const find = async (input: object) => (await assistant.call('find_tasks', input)).text;
  const [, ofTrash] = (await find({ project: 'garden', view: 'trash' })).split('\n');
  t.regex(ofTrash ?? '', /^- Order seeds \(in Garden \/ Beds, which is in the Trash, in the Trash\)/);
  t.regex(
    await find({ project: 'Garden' }),
    /0 open tasks\. .*\n- Order seeds .*\nThe project «Garden» is in the Trash\.$/,
  );
  await assistant.call('save_projects', { projects: [{ title: 'Garden' }] });
  t.regex(await find({ project: 'Garden' }), / 0 tasks\.$/);
  t.regex(await find({ project: 'garden', view: 'trash' }), /«garden» is the name of several projects/);
});

test('sections of one name are told with their projects, and how many more there are', async (t) => {
  const { assistant } = await open();
  const projects = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map((title) => ({
    title,
    newSections: ['Waiting'],
  }));
  await assistant.call('save_projects', { projects });
  const { text } = await assistant.call('find_tasks', { text: 'waiting' });
  t.regex(text, /section «Waiting» in (\w+) \[.*section «Waiting» in (?!\1)\w+ \[/);
  t.regex(text, /; and 2 more, which list_projects lists\.$/);
});

test('what lies untouched is found, longest ago first, and a list by time tells the time', async (t) => {
  const { api, assistant } = await open();
  const changes = {
    Spring: '2026-04-01T22:30:00Z',
    Winter: '2026-01-15T11:00:00Z',
    Autumn: '2026-10-01T11:00:00Z',
  };
  for (const [title, at] of Object.entries(changes)) {
    const { id } = await makeTask(api, { title });
    await stack.sql`update tasks.task set created_at = ${at}, updated_at = ${at} where id = ${id}`;
  }
  const { text, content } = await assistant.call('find_tasks', { changedBefore: '2026-09-01' });
  t.regex(text, /\n- Winter \(inbox, last changed 2026-01-15 12:00\) .*\n- Spring \(/);
  t.regex(text, /\n- Spring \(inbox, last changed 2026-04-02 00:30\) /);
  t.like(content, { tasks: { length: 2, 1: { title: 'Spring', updatedAt: '2026-04-01T22:30:00.000Z' } } });
  const oldest = await assistant.call('find_tasks', { sort: 'oldest', limit: 1 });
  t.regex(oldest.text, /- Winter \(inbox, added 2026-01-15 12:00\) /);
});

test('open tasks that were changed since a time are not those in the Trash', async (t) => {
  const { api, assistant } = await open();
  await makeTask(api, { title: 'Kept' });
  const { id } = await makeTask(api, { title: 'Thrown away' });
  await api.delete(`/tasks/${id}`);
  const changedOf = async (more: object) => {
    const { content } = await assistant.call('find_tasks', { changedSince: '2026-11-01', ...more });
    return (content.tasks as Task[]).map(({ title }) => title);
  };
  t.deepEqual(await changedOf({ status: 'open' }), ['Kept']);
  t.deepEqual(await changedOf({}), ['Kept', 'Thrown away']);
});

test('an active project shows its last change, and whether anything is planned', async (t) => {
  const { api, assistant } = await open();
  const { body: project } = await api.post<{ id: string }>('/projects', { title: 'Shed' });
  const { id } = await makeTask(api, { projectId: project.id });
  await stack.sql`update tasks.project set updated_at = '2026-02-01T12:00:00Z' where id = ${project.id}`;
  await stack.sql`update tasks.task set updated_at = '2026-03-01T23:30:00Z' where id = ${id}`;
  for (const tool of ['overview', 'list_projects'])
    t.regex(
      (await assistant.call(tool)).text,
      /- Shed \(1 open, none planned, last change 2026-03-02\) /,
      tool,
    );
  await api.patch(`/tasks/${id}`, { dueDate: '2026-12-01' });
  t.regex((await assistant.call('overview')).text, /- Shed \(1 open, last change /);
});

test('texts have times in the account’s timezone, as does the search for closed tasks', async (t) => {
  const { api, assistant } = await open({ timezone: 'America/Los_Angeles' });
  const { id } = await makeTask(api, { title: 'Late' });
  const { body: project } = await api.post<{ id: string }>('/projects', { title: 'Shed' });
  for (const path of [`/tasks/${id}/complete`, `/projects/${project.id}/complete`]) await api.post(path);
  const at = '2026-11-20T07:59:26Z';
  await stack.sql`update tasks.task set completed_at = ${at} where id = ${id}`;
  await stack.sql`update tasks.project set completed_at = ${at} where id = ${project.id}`;
  const found = await assistant.call('find_tasks', { closedFrom: '2026-11-19', closedTo: '2026-11-19' });
  t.regex(found.text, /Late \(inbox, completed 2026-11-19 23:59\)/);
  t.like(found.content, { tasks: [{ closedAt: '2026-11-20T07:59:26.000Z' }] });
  const { text } = await assistant.call('list_projects', { status: 'completed' });
  t.regex(text, /Shed \(0 open, completed 2026-11-19 23:59\)/);
});

test('what is closed is listed from the last one, with or without its dates', async (t) => {
  const { api, assistant } = await open();
  const titles = ['Paint', 'Sand', 'Varnish'];
  const made = [];
  for (const title of titles) made.push(await makeTask(api, { title }));
  for (const index of [1, 2, 0]) await api.post(`/tasks/${made[index]?.id}/complete`);
  for (const input of [
    { status: 'completed' },
    { view: 'all', status: 'completed' },
    { closedFrom: '2026-11-21' },
    { text: 'n' },
  ]) {
    const { content } = await assistant.call('find_tasks', { ...input, limit: 2 });
    const found = (content.tasks as Task[]).map(({ title }) => title);
    t.deepEqual(found.slice(0, 2), ['Paint', 'Varnish'], JSON.stringify(input));
  }
});

test('an empty list of a closed project says so, and shows what is closed', async (t) => {
  const { api, assistant } = await open();
  const { id } = await makeProject(api, { title: 'Lisbon' });
  const empty = await makeProject(api, { title: 'Porto' });
  for (let count = 0; count < 6; count += 1) await makeTask(api, { title: 'Tram', projectId: id });
  await api.post(`/projects/${id}/complete`);
  await api.post(`/projects/${empty.id}/complete`);
  const { text, content } = await assistant.call('find_tasks', { project: 'lisbon' });
  t.is((content.tasks as unknown[]).length, 5);
  t.regex(text, / 0 open tasks\. Closed or in the Trash, and there are more, which view=all lists:\n- Tram/);
  t.regex(text, /The project «Lisbon» is completed\./);
  for (const input of [{ project: 'porto' }, { project: empty.id, status: 'open' }])
    t.regex(
      (await assistant.call('find_tasks', input)).text,
      / 0 tasks\.\nThe project «Porto» is completed\.$/,
    );
});

test('an empty list of a project and an area that it is not in says so', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const find = async (area: string) => (await assistant.call('find_tasks', { project: 'Garden', area })).text;
  t.regex(await find('Work'), / 0 tasks\.\nThe project «Garden» is not in that area\.$/);
  t.regex(await find('Home'), / 1 task:\n- Order seeds/);
});

test('what was done today is what was closed today, whatever day it was planned for', async (t) => {
  const { api, assistant } = await open();
  for (const title of ['Early', 'Long ago', 'Dropped']) {
    const { id } = await makeTask(api, { title, dueDate: '2026-12-24' });
    await api.post(`/tasks/${id}/${title === 'Dropped' ? 'cancel' : 'complete'}`);
    const at = title === 'Long ago' ? '2026-11-19T10:00:00Z' : '2026-11-21T08:00:00Z';
    await stack.sql`update tasks.task set completed_at = ${at} where id = ${id} and status = 'completed'`;
  }
  const done = await assistant.call('find_tasks', { view: 'today', status: 'completed' });
  t.regex(done.text, / 1 task:\n- Early .*\nOnly what was completed today, whatever it was planned for\.$/);
});

test('of a plan whose logbook is limited it is told where the logbook begins', async (t) => {
  const { assistant } = await open({ plan: 'free' });
  const logbook = async (input: object) =>
    (await assistant.call('find_tasks', { view: 'logbook', ...input })).text;
  for (const input of [{}, { closedTo: '2026-11-01' }, { closedFrom: '2026-11-06' }])
    t.regex(await logbook(input), /The logbook of the free plan goes back 14 days, to 2026-11-07\./);
  t.notRegex(await logbook({ closedFrom: '2026-11-07' }), /plan/);
  t.regex((await assistant.call('overview')).text, /\nThe logbook of the free plan goes back 14 days/);
  const premium = await open();
  t.notRegex((await premium.assistant.call('find_tasks', { view: 'logbook' })).text, /plan/);
});

test('a range of days to come tells which repeating tasks come again in it, and when', async (t) => {
  const { api, assistant } = await open();
  const monthly = { frequency: 'monthly' } as const;
  const weekly = { frequency: 'weekly' } as const;
  const hobby = await makeProject(api);
  for (const task of [
    { title: 'Rent', dueDate: '2026-12-01', recurrence: monthly },
    { title: 'Plants', dueDate: '2026-11-20', recurrence: { frequency: 'daily' } as const },
    { title: 'Bins', dueDate: '2026-12-29', recurrence: weekly },
    { title: 'Ends', dueDate: '2026-12-10', recurrence: { ...weekly, until: '2026-12-20' } },
    { title: 'Filter', dueDate: '2026-12-20', recurrence: { ...weekly, fromCompletion: true } },
    { title: 'Tax', dueDate: '2026-12-20', deadlineDate: '2026-12-30', recurrence: monthly },
    { title: 'Once', dueDate: '2026-12-26', projectId: hobby.id },
    { title: 'Choir', dueDate: '2026-11-25', recurrence: weekly, projectId: hobby.id },
  ])
    await makeTask(api, task);
  // Moved to a day before its own, on which it does not come again.
  const moved = await makeTask(api, { title: 'Moved', dueDate: '2026-12-28', recurrence: weekly });
  await api.patch(`/tasks/${moved.id}`, { dueDate: '2026-12-25' });
  // Until the day that it was put off to it does not come either.
  const late = await makeTask(api, { title: 'Late', dueDate: '2026-12-03', recurrence: weekly });
  await api.patch(`/tasks/${late.id}`, { dueDate: '2027-01-07' });
  const find = async (input: object) => (await assistant.call('find_tasks', input)).text;
  const holidays = { plannedFrom: '2026-12-24', plannedTo: '2027-01-01' };
  const [head, ...lines] = (await find(holidays)).split('\n');
  t.regex(head ?? '', / 3 tasks:$/);
  const says = 'Repeating tasks are listed on their next date alone; these come again in between: ';
  t.is(
    lines.at(-1),
    `${says}Plants (every day) on 2026-12-24, 2026-12-25, 2026-12-26, 2026-12-27, 2026-12-28 and later; ` +
      'Choir (every week on wednesday) on 2026-12-30; Rent (every month) on 2027-01-01; ' +
      'Filter (every week on sunday, counted from completion), perhaps.',
  );
  t.regex(await find({ ...holidays, project: hobby.id }), /between: Choir \(.*2026-12-30\.$/);
  t.regex(await find({ ...holidays, text: 'rent' }), / 0 tasks\.\n.*Rent \(every month\) on 2027-01-01\.$/);
  t.regex(
    await find({ plannedTo: '2027-01-20', text: 'late' }),
    / 1 task:.*between: Late .* on 2027-01-14\.$/s,
  );
  t.regex(
    await find({ deadlineFrom: '2026-12-24', deadlineTo: '2027-01-31' }),
    / 1 task:.*between: Tax \(every month\) on 2027-01-30\.$/s,
  );
  const later = { deadlineFrom: '2027-02-27', deadlineTo: '2027-03-05' };
  t.regex(await find(later), / 0 tasks\.\n.*between: Tax \(every month\) on 2027-03-02\.$/);
  for (const input of [
    { plannedTo: '2026-11-21' },
    { ...holidays, status: 'completed' },
    { ...holidays, text: 'once' },
    { deadlineFrom: '2026-12-31', deadlineTo: '2027-01-25' },
  ])
    t.notRegex(await find(input), /Repeating/);
});

test('words that only the notes of a project have are told to be there', async (t) => {
  const { api, assistant } = await open();
  await makeProject(api, { title: 'Flat', description: 'Builder: Mr Krause' });
  const find = async (input: object) => (await assistant.call('find_tasks', input)).text;
  const told = /\nIn the notes of projects, which get_project shows: «Flat»\.$/;
  t.regex(await find({ text: 'krause' }), told);
  t.regex(await find({ text: 'flat builder' }), told);
  for (const input of [{ text: 'flat' }, { text: 'krause', project: 'Flat' }, { text: 'krause roof' }])
    t.notRegex(await find(input), told);
});

test('what repeats can be asked for', async (t) => {
  const { api, assistant } = await open();
  const recurrence = { frequency: 'weekly' } as const;
  await makeTask(api, { title: 'Once', dueDate: '2026-11-25' });
  await makeTask(api, { title: 'Choir', dueDate: '2026-11-25', recurrence });
  t.regex((await assistant.call('find_tasks', { repeats: true })).text, / 1 task:\n- Choir /);
});

test('the first page of a longer list says how many tasks there are in all', async (t) => {
  const { api, assistant } = await open();
  const shed = await makeProject(api, { title: 'Shed' });
  for (let count = 0; count < 5; count += 1)
    await makeTask(api, { title: 'Nail', projectId: shed.id, dueDate: '2026-11-20' });
  await makeTask(api, { title: 'Nail', projectId: shed.id });
  await makeTask(api, { title: 'Nail', dueDate: '2026-11-20' });
  for (const [filter, total] of [
    [{ project: 'shed' }, 6],
    [{ project: 'shed', overdue: true }, 5],
    [{ overdue: true, text: 'nai' }, 6],
    [{ plannedTo: '2026-11-21' }, 6],
    [{ view: 'anytime' }, 7],
    [{ changedSince: '2026-11-01' }, 7],
  ] as const) {
    const first = await assistant.call('find_tasks', { ...filter, limit: 2 });
    t.regex(first.text, new RegExp(` The first 2 of ${total} tasks:\n`), JSON.stringify(filter));
    t.is(first.content.total, total);
    const cursor = first.content.nextCursor;
    const second = await assistant.call('find_tasks', { ...filter, limit: 2, cursor });
    t.regex(second.text, / 2 tasks, and there are more:/);
    t.false('total' in second.content);
  }
  t.regex((await assistant.call('find_tasks', { project: 'shed' })).text, / 6 tasks:\n/);
});

test('tasks and projects are found by a range of deadlines, also with another planned date', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  await makeTask(api, { title: 'Begun early', dueDate: '2026-11-02', deadlineDate: '2026-11-24' });
  await makeTask(api, { title: 'Due later', deadlineDate: '2026-11-26' });
  const due = await assistant.call('find_tasks', { deadlineFrom: '2026-11-24', deadlineTo: '2026-11-25' });
  t.regex(due.text, / 2 tasks:\n- Begun early .*\n- Pay the rent .*\S$/);
  await api.patch(`/projects/${ids.Garden}`, { deadlineDate: '2026-11-25' });
  for (const [input, isTold] of [
    [{ deadlineTo: '2026-11-25' }, true],
    [{ sort: 'deadline', area: 'Home' }, true],
    [{ sort: 'deadline', project: 'Office' }, false],
    [{ deadlineFrom: '2026-11-26' }, false],
    [{ overdue: true }, false],
  ] as const) {
    const { text } = await assistant.call('find_tasks', input);
    t.is(text.endsWith('\nDeadlines of projects: «Garden» Wed 2026-11-25.'), isTold, text);
  }
  await api.patch(`/projects/${ids.Garden}`, { deadlineDate: '2026-11-15' });
  for (const [deadlineTo, isTold] of [
    ['2026-11-15', true],
    ['2026-11-14', false],
  ] as const) {
    const { text } = await assistant.call('find_tasks', { overdue: true, deadlineTo });
    t.is(text.includes('«Garden» Sun 2026-11-15'), isTold, deadlineTo);
  }
});

test('candidates that are not shown are counted, with the tool that lists all', async (t) => {
  const { api, assistant } = await open();
  for (let number = 1; number <= 12; number += 1) await makeProject(api, { title: `Venture ${number}` });
  for (const [project, says] of [
    [
      'ventures',
      /no project called «ventures»\. There are: «Venture .*\), and 2 more: list_projects lists all\.$/,
    ],
    ['venture', /several projects: use the id of one\. .*\), and 2 more: list_projects lists all\.$/],
  ] as const) {
    const { isError, text } = await assistant.call('find_tasks', { project });
    t.true(isError);
    t.regex(text, says);
    t.is(text.match(/«Venture /g)?.length, 10);
  }
});

test('projects in the Trash are listed, and a task of one says where it is', async (t) => {
  const { api, assistant } = await open({ plan: 'premium' });
  const attic = await makeProject(api, { title: 'Attic', deadlineDate: '2020-02-03' });
  await makeProject(api, { title: 'Cellar' });
  for (const title of ['Sweep', 'Dust', 'Paint']) await makeTask(api, { title, projectId: attic.id });
  const [dust, paint] = (await api.get<{ items: Task[] }>('/tasks')).body.items.slice(0, 2);
  await api.post(`/tasks/${paint?.id}/complete`);
  await api.delete(`/tasks/${dust?.id}`);
  await api.delete(`/projects/${attic.id}`);
  const listed = await assistant.call('list_projects', { status: 'trashed' });
  t.regex(listed.text, / 1 trashed project:\n- Attic \(1 open, deadline \w+ 2020-02-03\) /);
  t.notRegex((await assistant.call('list_projects')).text, /Attic/);
  const logbook = await assistant.call('find_tasks', { view: 'logbook' });
  t.regex(logbook.text, /\(in Attic, which is in the Trash, completed /);
  t.like(logbook.content, { tasks: [{ project: { id: attic.id, title: 'Attic', inTrash: true } }] });
});

test('words are found in the steps of a checklist, and the step is shown', async (t) => {
  const { api, assistant } = await open();
  const checklist = ['Bread', 'Oat milk', 'Milk'].map((title) => ({ title }));
  await makeTask(api, { title: 'Shopping', description: 'At the market.', checklist });
  await makeTask(api, { title: 'Milk the cow', checklist });
  await makeTask(api, {
    title: 'Sweep',
    checklist: [{ title: 'Stairs' }, { title: '9" \\o/ Wi-Fi Straße' }],
  });
  const find = async (text: string) => (await assistant.call('find_tasks', { text })).text;
  const milk = await find('MILK');
  t.regex(milk, /Shopping \(.*checklist 0\/3, has notes, step: «Oat milk»\)/);
  t.regex(milk, /Milk the cow \(inbox, checklist 0\/3\)/);
  t.notRegex(milk, /Sweep/);
  t.regex(await find('market bread'), / 1 task:\n.*notes: «At the market\.», step: «Bread»\)/);
  for (const text of ['9"', '\\', 'o/', 'wifi', 'strasse'])
    t.regex(await find(text), / 1 task:\n- Sweep /, text);
  for (const text of ['title', 'completed', 'milk stairs', '$', '^.*'])
    t.regex(await find(text), / 0 tasks\.\nNo task has all these words/);
});

test('what is written in any script is found as it was written, and without what has no width', async (t) => {
  const { api, assistant } = await open();
  const [greek, bengali, hangul] = ['ΟΔΟΣ ΕΡΜΟΥ', '\u09b8\u09ae\u09df \ufa19', '한글'.normalize('NFD')];
  const [fancy, parted, persian] = ['שָׁלוֹם 𝓗𝓲', 'Pay\u200bments ❤', 'می\u200cخواهم'];
  for (const title of [greek, bengali, hangul, fancy, parted, persian]) {
    await makeTask(api, { title, checklist: [{ title }] });
    const { content } = await assistant.call('find_tasks', { text: title });
    t.like(content, { tasks: [{ title }] }, title);
  }
  for (const [text, title] of [
    ['οδος', greek],
    ['\u09b8\u09ae\u09af\u09bc', bengali],
    ['한글', hangul],
    ['שלום', fancy],
    ['hi', fancy],
    ['\u202apayments\u202c ❤️', parted],
    ['میخواهم', persian],
  ] as const)
    t.like((await assistant.call('find_tasks', { text })).content, { tasks: [{ title }] }, text);
});
