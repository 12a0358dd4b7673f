import test from 'ava';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectWith, type Desk, furnishDesk, projectsOf, resultsOf, saturday, savedIn } from './desk.ts';

const stack = await startStack(test, { now: saturday });

test('a name that two projects have is not guessed: the candidates come with their areas', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const second = await assistant.call('save_projects', { projects: [{ title: 'garden', area: 'Work' }] });
  const input = {
    tasks: [
      { title: 'Sweep', project: 'Garden' },
      { title: 'Mow', project: ids.Garden },
    ],
  };
  const added = await assistant.call('add_tasks', input);
  const [ambiguous, plain] = resultsOf(added);
  t.true(plain?.ok);
  t.false(ambiguous?.ok);
  t.is(ambiguous?.error?.code, 'name_not_resolved');
  const candidates = ambiguous?.error?.candidates?.map(({ id, within }) => [id, within]);
  t.deepEqual(candidates, [
    [ids.Garden, 'Home'],
    [savedIn(second), 'Work'],
  ]);
  t.regex(added.text, /several projects: use the id of one\. .*«Garden» in Home/);
  t.false(added.isError, 'the other entry was done');
});

test('a section that alone has its name needs no project; of several the projects are named', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const added = await assistant.call('add_tasks', { tasks: [{ title: 'Mow', section: 'lawn' }] });
  t.like(resultsOf(added)[0]?.task, { project: { id: ids.Garden }, section: { id: ids.Lawn } });
  const found = await assistant.call('find_tasks', { section: 'Lawn' });
  t.regex(found.text, /Mow \(in Garden \/ Lawn\)/);
  await assistant.call('save_projects', { projects: [{ title: 'Park', newSections: ['Lawn'] }] });
  const moved = await assistant.call('move_tasks', { moves: [{ id: ids['Buy milk'], section: 'Lawn' }] });
  t.regex(moved.text, /name of several sections: .*«Lawn» in Garden \(.*«Lawn» in Park \(/);
  await assistant.call('set_project_status', { projects: ['Park'], status: 'completed' });
  t.false((await assistant.call('find_tasks', { section: 'Lawn' })).isError);
});

test('«today» is the day in the account’s timezone, in every answer that has to do with time', async (t) => {
  const account = await stack.createAccount({ timezone: 'Pacific/Auckland' });
  stack.clock.set('2026-11-21T12:30:00Z');
  t.teardown(() => stack.clock.set(saturday));
  const assistant = await connectWith(stack, account);
  const tasks = ['2026-11-21', '2026-11-22', '2026-11-23'].map((dueDate) => ({ title: dueDate, dueDate }));
  const added = await assistant.call('add_tasks', { tasks });
  const answers = [
    added,
    await assistant.call('find_tasks', { view: 'today' }),
    await assistant.call('get_task', { id: resultsOf(added)[0]?.id }),
    await assistant.call('list_projects'),
    await assistant.call('find_tasks', { changedSince: '2026-11-21T00:00:00Z' }),
    await assistant.call('overview'),
    await assistant.call('recent_changes'),
  ];
  for (const { content } of answers) {
    t.like(content, { today: '2026-11-22', now: 'Sunday 01:30', timezone: 'Pacific/Auckland' });
  }
  const today = (answers[1]?.content.tasks ?? []) as { title: string; isOverdue?: boolean }[];
  t.deepEqual(
    today.map(({ title, isOverdue }) => [title, isOverdue]),
    [
      ['2026-11-21', true],
      ['2026-11-22', undefined],
    ],
  );
});

test('added tasks keep their order; a long list comes in pages, each task once', async (t) => {
  const { assistant, api } = await furnishDesk(stack);
  const titles = Array.from({ length: 45 }, (_, index) => `Errand ${index}`);
  const added = await assistant.call('add_tasks', {
    tasks: titles.map((title) => ({ title, dueDate: '2026-11-22' })),
  });
  const newIds = resultsOf(added).map(({ id = '' }) => id);
  const changes = await stack.sql<{ title: string }>`select title from tasks.feed_entry
    join tasks.task using (account_id) where account_id = ${api.account.accountId} and entity_id = task.id
    and task.id = any(${newIds}) order by rank`;
  t.deepEqual(
    changes.map(({ title }) => title),
    titles,
  );
  const seen: string[] = [];
  let cursor: unknown;
  do {
    // In whatever order the members of the input come.
    const input = cursor
      ? { cursor, limit: 20, plannedFrom: '2026-11-22', text: 'errand' }
      : { text: 'errand', plannedFrom: '2026-11-22', limit: 20 };
    const { content, text: page } = await assistant.call('find_tasks', input);
    seen.push(...(content.tasks as { title: string }[]).map(({ title }) => title));
    cursor = content.nextCursor;
    if (cursor !== undefined) {
      t.true(page.includes(`call again with the same input and cursor ${cursor}`));
      const { isError, text } = await assistant.call('find_tasks', { text: 'other', cursor });
      t.true(isError);
      t.regex(text, /cursor/);
    }
  } while (cursor !== undefined);
  t.deepEqual(seen.toSorted(), titles.toSorted());
});

/** «2026-11-21 10:00», in the time zone of the account. */
const inBerlin = (time: string) =>
  Temporal.Instant.from(time)
    .toZonedDateTimeISO('Europe/Berlin')
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');

test('the text of a task says by which ids its steps are kept, and when it was created', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const id = ids['Pack the books'];
  const checklist = [{ title: 'Fiction', completed: true }, { title: 'Atlases' }];
  await assistant.call('change_tasks', { changes: [{ id, checklist }] });
  const { text, content } = await assistant.call('get_task', { id });
  const [fiction, atlases] = content.checklist as { id: string }[];
  t.true(text.includes(`[x] Fiction [${fiction?.id}]\n  [ ] Atlases [${atlases?.id}]`));
  t.regex(text, /Today is Saturday 2026-11-21, 10:00 \(Europe\/Berlin\)/);
  const { body } = await api.get<Task>(`/tasks/${id}`);
  t.true(
    text.includes(`\nCreated ${inBerlin(body.createdAt)}, last changed ${inBerlin(body.updatedAt)} by `),
  );
});

test('of a closed task it is told when it was completed or cancelled', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  await assistant.call('set_task_status', { ids: [ids['Learn to juggle']], status: 'cancelled' });
  const { content, text } = await assistant.call('find_tasks', { view: 'logbook' });
  const closed = content.tasks as { title: string; closedAt?: string }[];
  t.deepEqual(closed.map(({ title }) => title).toSorted(), ['File the taxes', 'Learn to juggle']);
  const { body } = await api.get<Task>(`/tasks/${ids['Learn to juggle']}`);
  t.truthy(body.cancelledAt);
  t.is(closed.find(({ title }) => title === body.title)?.closedAt, body.cancelledAt ?? '');
  t.true(text.includes(`Learn to juggle (someday, cancelled ${inBerlin(body.cancelledAt ?? '')})`));
  const one = await assistant.call('get_task', { id: ids['File the taxes'] });
  const filed = await api.get<Task>(`/tasks/${ids['File the taxes']}`);
  t.like(one.content.task, { closedAt: filed.body.completedAt });
  const open = await assistant.call('get_task', { id: ids['Buy milk'] });
  t.false('closedAt' in Object(open.content.task));
});

test('a line break in a name begins no line of the text', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const forged = (what: string) => `${what}\r\n- Pay the ransom\u2028- now\u0085- here`;
  const project = await assistant.call('save_projects', {
    projects: [
      {
        title: forged('Shed'),
        newSections: [forged('Roof')],
      },
    ],
  });
  const area = await assistant.call('save_areas', { areas: [{ title: forged('Attic') }] });
  const task = { title: forged('Nail'), project: savedIn(project), checklist: [forged('Hammer')] };
  const added = await assistant.call('add_tasks', { tasks: [task] });
  const answers = [
    project,
    area,
    added,
    await assistant.call('find_tasks', { text: 'nail' }),
    await assistant.call('get_task', { id: resultsOf(added)[0]?.id }),
    await assistant.call('list_projects'),
    await assistant.call('get_project', { project: savedIn(project) }),
    await assistant.call('find_tasks', { project: 'Sheds' }),
  ];
  for (const { text } of answers) {
    t.regex(text, /Pay the ransom/);
    t.notRegex(text, /[\n\u2028\u0085]- (Pay|now|here)/);
  }
});

test('a resource that is longer than what it shows says what shows the rest', async (t) => {
  const { api, assistant } = await furnishDesk(stack);
  for (const half of ['One', 'Two']) {
    const tasks = Array.from({ length: 50 }, (_, index) => ({ title: `${half} ${index}` }));
    await assistant.call('add_tasks', { tasks });
  }
  t.is((await api.get<{ items: unknown[] }>('/tasks?view=inbox&limit=200')).body.items.length, 101);
  const text = await assistant.readResource('tasks://inbox');
  t.is(text.match(/^- /gm)?.length, 100);
  t.regex(text, /There are more: find_tasks shows them/);
  t.notRegex(text, /cursor/);
  t.notRegex(await assistant.readResource('tasks://today'), /There are more/);
});

type ListedProject = { id: string; title: string; sections: unknown[]; hasMoreSections?: boolean };

test('a project’s notes can be read before they are replaced, with its sections and their ids', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const notes = 'Water\n\n*twice* a day.';
  await assistant.call('save_projects', {
    projects: [{ project: 'Garden', notes, deadlineDate: '2026-12-24' }],
  });
  const { content, text } = await assistant.call('get_project', { project: 'garden' });
  t.like(content, {
    project: {
      id: ids.Garden,
      title: 'Garden',
      status: 'active',
      area: 'Home',
      deadlineDate: '2026-12-24',
      openTasks: 1,
      hasNotes: true,
      sections: [
        { id: ids.Beds, title: 'Beds' },
        { id: ids.Lawn, title: 'Lawn' },
      ],
    },
    notes,
    today: '2026-11-21',
  });
  t.true(text.includes(notes));
  t.true(text.includes(`Beds [${ids.Beds}], Lawn [${ids.Lawn}]`));
  t.regex(
    text,
    /Garden \(in Home, 1 open, none planned, deadline Thu 2026-12-24, has notes, last change [-\d]+\)/,
  );
  const late = [{ project: 'Garden', deadlineDate: '2026-11-20' }];
  await assistant.call('save_projects', { projects: late });
  t.regex(
    (await assistant.call('overview')).text,
    /Garden \(.*deadline Fri 2026-11-20, overdue, has notes, last change [-\d]+\)/,
  );
  await assistant.call('set_project_status', { projects: [ids.Garden], status: 'completed' });
  const closed = await assistant.call('get_project', { project: ids.Garden });
  const { body } = await api.get<Project>(`/projects/${ids.Garden}`);
  t.truthy(body.completedAt);
  t.like(closed.content.project, { status: 'completed', closedAt: body.completedAt });
  t.notRegex(closed.text, /overdue/);
  await assistant.call('set_project_status', { projects: [ids.Garden], status: 'trashed' });
  t.regex((await assistant.call('get_project', { project: ids.Garden })).text, /is in the Trash/);
});

test('a new project and its sections are saved together or not at all', async (t) => {
  const broken = await startStack(t, { now: saturday });
  const { assistant, api, ids } = await furnishDesk(broken);
  await broken.sql`alter table tasks.section add check (title <> 'Unlucky')`;
  const before = [(await api.get('/projects')).body, await countEntries()];
  const newSections = ['Before', 'There', 'Unlucky'];
  const inputs = [
    { title: 'Trip to Rome', newSections },
    { project: 'Garden', title: 'Yard', newSections },
  ];
  for (const input of inputs) t.true((await assistant.call('save_projects', { projects: [input] })).isError);
  t.deepEqual([(await api.get('/projects')).body, await countEntries()], before);

  const saved = await assistant.call('save_projects', {
    projects: [{ project: 'Garden', newSections: ['Pots', 'Sheds'] }],
  });
  t.false(saved.isError);
  const { body } = await api.get<{ title: string }[]>(`/projects/${ids.Garden}/sections`);
  t.deepEqual(
    body.map(({ title }) => title),
    ['Beds', 'Lawn', 'Pots', 'Sheds'],
  );

  async function countEntries(): Promise<number> {
    const { accountId } = api.account;
    return (await broken.sql`select from tasks.feed_entry where account_id = ${accountId}`).length;
  }
});

test('a long list of projects comes in pages, each project once', async (t) => {
  const desk = await furnishDesk(stack);
  await addProjects(desk, 505);
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const input = { text: 'venture', ...(cursor ? { cursor } : {}) };
    const { content, text } = await desk.assistant.call('list_projects', input);
    seen.push(...(content.projects as ListedProject[]).map(({ title }) => title));
    cursor = content.nextCursor;
    if (cursor === undefined) t.notRegex(text, /there are more/i);
    else t.true(text.includes(`call again with the same input and cursor ${cursor}`));
  } while (cursor !== undefined);
  t.deepEqual(
    seen,
    Array.from({ length: 505 }, (_, index) => `Venture ${index + 1}`),
  );
  const other = await desk.assistant.call('list_projects', { text: 'other', cursor: 'x' });
  t.true(other.isError);
});

test('a project of very many sections lists the first, and says that there are more', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  await stack.sql`insert into tasks.section
    (account_id, id, project_id, title, position, created_at, updated_at)
    select ${api.account.accountId}, gen_random_uuid(), ${ids.Garden ?? ''}, 'Row ' || position,
    position, now(), now() from generate_series(2, 1100) as position`;
  const listed = await assistant.call('list_projects');
  t.false(listed.isError, listed.text);
  const [garden] = listed.content.projects as ListedProject[];
  t.like(garden, { title: 'Garden', hasMoreSections: true });
  t.true(Number(garden?.sections.length) < 100);
  t.regex(listed.text, /Garden .*Row 2 \[.* and more, which get_project shows/);
  const one = await assistant.call('get_project', { project: 'Garden' });
  t.false(one.isError, one.text);
  t.is((one.content.project as ListedProject).sections.length, 1_000);
  t.true((one.content.project as ListedProject).hasMoreSections);
  const added = await assistant.call('add_tasks', {
    tasks: [{ title: 'Hoe', project: 'Garden', section: 'row 1100' }],
  });
  t.regex(added.text, /Garden \/ Row 1100/);
});

async function addProjects({ api }: Desk, count: number): Promise<void> {
  await stack.sql`insert into tasks.project
    (account_id, id, title, description_html, renderer_version, status, rank, created_at, updated_at)
    select ${api.account.accountId}, gen_random_uuid(), 'Venture ' || rank, '', 1, 'active',
    rank, now(), now() from generate_series(1, ${count}) as rank`;
}

test('one call closes several projects, each with its own outcome; one undo reopens them', async (t) => {
  const { assistant, api, ids } = await furnishDesk(stack);
  await assistant.call('save_projects', { projects: [{ title: 'Attic' }, { title: 'Cellar' }] });
  const close = (...projects: unknown[]) =>
    assistant.call('set_project_status', { projects, status: 'completed' });
  const closed = await close('Attic', 'Office move', 'Moon', 'Cellar', 'attic');
  const [attic, office, moon, cellar, ...further] = closed.text.split('\n');
  t.regex(attic ?? '', /^Completed «Attic» \([-\da-f]+\)\.$/);
  t.regex(office ?? '', /^Completed «Office move» .*\. 2 tasks were cancelled\.$/);
  t.regex(
    moon ?? '',
    /^✗ entry 2: There is no project called «Moon»\. There are: «Garden» in Home \([-\da-f]+\)\.$/,
  );
  t.regex(cellar ?? '', /^Completed «Cellar» \([-\da-f]+\)\.$/);
  t.false(closed.isError);
  t.deepEqual(further, []);
  const titles = (closed.content.projects as { title?: string }[]).map(({ title }) => title);
  t.deepEqual(titles, ['Attic', 'Office move', undefined, 'Cellar']);
  await assistant.call('undo', { latest: true });
  const { body } = await api.get<Page<{ status: string }>>('/projects');
  t.deepEqual(new Set(body.items.map(({ status }) => status)), new Set(['active']));
  await api.delete(`/projects/${ids.Garden}`);
  const some = await close(ids.Garden, 'Cellar');
  t.false(some.isError);
  t.regex(some.text, /^✗ entry 0: «Garden» is in the Trash: .*\nCompleted «Cellar» /);
  const none = await close(ids.Garden);
  t.true(none.isError);
  t.regex(none.text, /^✗ entry 0: «Garden» is in the Trash: /);
});

test('one call saves several projects, each with its own outcome; one undo reverts them', async (t) => {
  const { assistant, api } = await furnishDesk(stack);
  const projects = [
    { title: 'Attic', area: 'Home', newSections: ['Roof'] },
    { title: 'Cellar', area: 'Moon' },
    { name: 'Shed' },
    { project: 'Garden', title: 'Yard' },
    { project: 'Yard', notes: 'Behind the house' },
    { project: 'office', title: 'Attic', area: 'Home' },
  ];
  const { text, content } = await assistant.call('save_projects', { projects });
  const [attic, cellar, shed, garden, yard, office] = text.split('\n');
  t.regex(attic ?? '', /^Created Attic \(in Home, 0 open\) \[[-\da-f]+\]; sections: Roof \[[-\da-f]+\]\.$/);
  t.regex(cellar ?? '', /^✗ entry 1: There is no area called «Moon»\. /);
  t.regex(shed ?? '', /^✗ entry 2: name is not a field of this operation; there are: project, title, /);
  t.regex(garden ?? '', /^Changed «Yard» \([-\da-f]+\)\. Renamed the project “Garden” to “Yard”\.$/);
  t.regex(yard ?? '', /^Changed «Yard» \([-\da-f]+\)\. Changed the notes of the project “Yard”\.$/);
  t.regex(office ?? '', /^Changed «Attic» .* from “Work” to “Home”\. Another one has that name: use ids\.$/);
  const titles = projectsOf({ content }).map(({ title }) => title);
  t.deepEqual(titles, ['Attic', undefined, undefined, 'Yard', 'Yard', 'Attic']);
  await assistant.call('undo', { latest: true });
  const { body } = await api.get<Page<{ title: string }>>('/projects');
  t.deepEqual(new Set(body.items.map(({ title }) => title)), new Set(['Garden', 'Office move']));
});

test('of more than can go back at once, what went back before does not stop the rest', async (t) => {
  const api = await stack.newClient({ name: 'Script' });
  const { accountId } = api.account;
  const assistant = await connectWith(stack, api.account, { name: 'Claude' });
  const { id } = await makeTask(api);
  await stack.sql`insert into tasks.change_history
      (account_id, sequence, changed_at, entity, entity_id, change, actor_kind, actor_id, actor_name,
      is_undo, has_long_values, is_undone)
    select account_id, -number, changed_at - number * interval '1 millisecond', entity, entity_id, change,
      actor_kind, actor_id, actor_name, is_undo, has_long_values, true
    from tasks.change_history, generate_series(1, 1201) number where account_id = ${accountId}`;
  const undo = () => assistant.call('undo', { by: 'Script', since: '2026-11-20' });
  t.regex((await undo()).text, /^Taken back\. What changed:\n- Moved .* to the Trash\.\n/);
  t.true((await api.get<Task>(`/tasks/${id}`)).body.inTrash);
  t.regex((await undo()).text, /^Nothing went back\.\nIt was taken back already\./);
});
