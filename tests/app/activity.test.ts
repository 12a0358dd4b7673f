import test from 'ava';
import type { ActivityPage, UndoResponse } from '#shared/app/app-protocol.ts';
import type { Section, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { startWebApps, type WebAppClient } from './web-app-client.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined));

async function readActivity(browser: WebAppClient, query = ''): Promise<ActivityPage> {
  const { status, body } = await browser.app.get<ActivityPage>(`/activity?${query}`);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

async function readPages(browser: WebAppClient): Promise<ActivityPage[]> {
  const pages: ActivityPage[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await readActivity(browser, `cursor=${cursor}`);
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

/** Changes of a task with these numbers, some seconds apart. */
async function makeHistory(
  accountId: string,
  taskId: string | undefined,
  app: string,
  [first, last, seconds]: [number, number, number],
): Promise<void> {
  await stack.sql`insert into tasks.change_history
      (account_id, sequence, changed_at, entity, entity_id, change,
      actor_kind, actor_id, actor_name, is_undo, has_long_values, before)
    select ${accountId}, 100 + number, now() + number * make_interval(secs => ${seconds}), 'task', ${taskId},
      'updated', 'app', ${app}, ${app}, false, false, jsonb_build_object('title', 'Title ' || number)
    from generate_series(${first}::int, ${last}::int) number`;
}

test('the changes of one app or token are read apart', async (t) => {
  const browser = await webApps.open();
  const script = stack.client(await stack.createToken(browser.account, { name: 'Nightly script' }));
  await makeTask(script, { title: 'Bread' });
  await makeTask(browser, { title: 'Milk' });
  const { entries } = await readActivity(browser);
  const actorId = entries.find(({ actor }) => actor.name === 'Nightly script')?.actor.id ?? '';
  const own = await readActivity(browser, `actor=${actorId}`);
  t.deepEqual(
    own.entries.map(({ changes }) => changes.map(({ title }) => title)),
    [['Bread']],
  );
  t.deepEqual((await readActivity(browser, `actor=${crypto.randomUUID()}`)).entries, []);
  t.is((await browser.app.get('/activity?actor=nobody')).status, 400);
});

test('what one import made is listed at once, before the database has counted it', async (t) => {
  const browser = await webApps.open();
  const other = await webApps.open();
  const task = await makeTask(browser, { title: 'Milk' });
  await makeHistory(other.account.accountId, task.id, 'Notes app', [1, 30_000, 0]);
  // Statistics that know only other accounts' rows: the planner expects one row of any other.
  await stack.sql`analyze tasks.change_history, tasks.task`;
  await makeHistory(browser.account.accountId, task.id, 'Notes app', [1, 30_000, 0]);
  await stack.sql`with quiet as (select set_config('session_replication_role', 'replica', true))
    insert into tasks.task (account_id, id, title, description_html, renderer_version, status,
      list, checklist, rank, is_trashed_with_project, created_at, updated_at)
    select account_id, gen_random_uuid(), 'Many', '', renderer_version, status, list, '[]', rank + n,
      false, now(), now()
    from quiet, tasks.task, generate_series(1, 20000) n where task.id = ${task.id}`;
  const [entry] = (await readActivity(browser)).entries;
  t.is(entry?.actor.name, 'Notes app');
  t.is(entry?.changes.length, 100);
  await makeHistory(browser.account.accountId, task.id, 'Planner', [30_001, 30_300, 1]);
  t.is((await readActivity(browser)).entries[0]?.actor.name, 'Planner');
});

test('changes are grouped by who made them, newest entry first, with old and new values', async (t) => {
  const browser = await webApps.open({ plan: 'premium' });
  const script = stack.client(await stack.createToken(browser.account, { name: 'Nightly script' }));
  const milk = await makeTask(browser, { title: 'Milk' });
  const bread = await makeTask(script, { title: 'Bread' });
  await browser.patch(`/tasks/${milk.id}`, { title: 'Oat milk', dueDate: '2026-12-03' });
  await browser.patch(`/tasks/${milk.id}`, { dueDate: '2026-12-05' });
  const { entries, nextCursor } = await readActivity(browser);
  t.is(nextCursor, null);
  t.deepEqual(
    entries.map(({ actor: { kind, name }, changes }) => [kind, name, changes.map(({ id }) => id)]),
    [
      ['browser', 'Web app', [milk.id, milk.id, milk.id]],
      ['token', 'Nightly script', [bread.id]],
    ],
  );
  const [entry] = entries;
  t.is(entry?.stamps.length, 3);
  t.is(entry?.from, milk.createdAt);
  t.deepEqual(
    entry?.changes.map(({ change, title, fields }) => ({
      change,
      title,
      fields: fields.filter(({ field }) => field !== 'rank'),
    })),
    [
      { change: 'created', title: 'Oat milk', fields: [] },
      {
        change: 'updated',
        title: 'Oat milk',
        fields: [
          { field: 'title', before: 'Milk', after: 'Oat milk' },
          { field: 'list', before: 'inbox', after: 'someday' },
          { field: 'dueDate', before: null, after: '2026-12-03' },
        ],
      },
      {
        change: 'updated',
        title: 'Oat milk',
        fields: [{ field: 'dueDate', before: '2026-12-03', after: '2026-12-05' }],
      },
    ],
  );
});

test('the history of a record is its own, with whole notes; a list of many cuts them', async (t) => {
  const browser = await webApps.open();
  const [task] = await makeTasks(browser, 2, { description: 'a'.repeat(1_000) });
  const path = `/tasks/${task?.id}`;
  await browser.patch(path, { description: 'b'.repeat(1_000) });
  await browser.delete(path);
  const lengths = ({ entries }: ActivityPage) =>
    entries[0]?.changes.flatMap(({ fields }) =>
      fields.map(({ field, before }) => (typeof before === 'string' ? before.length : `${field} ${before}`)),
    );
  const history = await readActivity(browser, `entity=task&id=${task?.id}`);
  t.deepEqual(lengths(history), [1_000, 'inTrash false']);
  t.true(history.entries[0]?.changes.every(({ id }) => id === task?.id));
  const all = await readActivity(browser);
  t.deepEqual(lengths(all), [301, 'inTrash false']);
  t.is(
    all.entries[0]?.changes.find(({ fields }) => fields.length === 1)?.fields[0]?.before,
    `${'a'.repeat(300)}…`,
  );
});

test('only a skipped occurrence is labelled so, not a move, a new start or an undo', async (t) => {
  const browser = await webApps.open({ plan: 'premium' });
  for (const fromCompletion of [false, true]) {
    const recurrence = { frequency: 'weekly', fromCompletion } as const;
    const { id } = await makeTask(browser, { title: 'Water', dueDate: '2026-11-23', recurrence });
    const isSkip = async () => {
      const { entries } = await readActivity(browser, `entity=task&id=${id}`);
      const fields = entries[0]?.changes.at(-1)?.fields ?? [];
      t.true(fields.some(({ field }) => field === 'dueDate'));
      return fields.some(({ field, after }) => field === 'status' && after === 'skipped');
    };
    await browser.patch(`/tasks/${id}`, { dueDate: '2026-11-25' });
    t.false(await isSkip(), 'moved');
    await browser.post(`/tasks/${id}/skip`);
    t.true(await isSkip(), 'skipped');
    const [entry] = (await readActivity(browser, `entity=task&id=${id}`)).entries;
    await browser.app.post('/undo', { stamps: entry?.stamps.slice(0, 1) });
    t.false(await isSkip(), 'taken back');
    await browser.patch(`/tasks/${id}`, { dueDate: '2031-03-05', recurrence });
    t.false(await isSkip(), 'starts elsewhere');
  }
});

test('an undo is an entry of its own, and what is gone keeps its last title', async (t) => {
  const browser = await webApps.open();
  const area = await makeArea(browser, { title: 'Home' });
  const project = await makeProject(browser, { areaId: area.id });
  await browser.delete(`/areas/${area.id}`);
  const before = await readActivity(browser);
  const deletion = before.entries[0]?.changes.find(({ change }) => change === 'deleted');
  t.like(deletion, { entity: 'area', id: area.id, title: 'Home', fields: [] });
  await browser.app.post<UndoResponse>('/undo', { stamps: [deletion?.stamp] });
  const [undo, ...others] = (await readActivity(browser)).entries;
  t.true(undo?.isUndo);
  t.deepEqual(
    undo?.changes.map(({ change, id }) => `${change} ${id}`).toSorted(),
    [`created ${area.id}`, `updated ${project.id}`].toSorted(),
  );
  t.deepEqual(
    others.map(({ stamps }) => stamps),
    before.entries.map(({ stamps }) => stamps),
  );
});

test('changes after an undo begin a new entry; undone ones stay so until they are redone', async (t) => {
  const browser = await webApps.open();
  const post = (path: string) => browser.post<Task>(path).then(({ body }) => body.updatedAt);
  const undo = async (stamps: readonly string[]) =>
    (await browser.app.post<UndoResponse>('/undo', { stamps })).body;
  const shown = async () =>
    (await readActivity(browser)).entries.map(({ isUndo, isRedo, changes }) =>
      [isRedo ? 'redo' : isUndo ? 'undo' : 'change', ...changes.map(({ isUndone }) => isUndone)].join(' '),
    );
  const report = await makeTask(browser, { dueDate: '2026-11-20', recurrence: { frequency: 'daily' } });
  const other = await makeTask(browser, { title: 'Rent' });
  const stamps: string[] = [];
  for (let times = 0; times < 3; times += 1) stamps.push(await post(`/tasks/${report.id}/complete`));
  const refused = await undo(stamps.slice(1, 2));
  t.like(refused.kept[0], { stamp: stamps[1], id: report.id });
  const undone = await undo(stamps);
  t.like(undone, { undone: 3, kept: [] });
  await post(`/tasks/${other.id}/complete`);
  const marks = 'change false false true true true';
  t.deepEqual(await shown(), ['change false', 'undo false false false', marks]);

  t.deepEqual(
    await undo(stamps),
    { undone: 0, kept: [], keptRecords: 0, stamps: [] },
    'nothing is left of it, or stays',
  );
  const again = await undo(undone.stamps);
  t.is(again.undone, 3);
  const redone = ['redo false false false', 'change false', 'undo true true true'];
  t.deepEqual(await shown(), [...redone, 'change false false false false false']);
  t.is((await undo(again.stamps)).undone, 3);
  t.deepEqual(await shown(), [
    'undo false false false',
    'redo true true true',
    'change false',
    'undo true true true',
    marks,
  ]);
});

test('of a change that went back in part Activity marks what did; Undo takes the rest back', async (t) => {
  const browser = await webApps.open();
  const project = await makeProject(browser);
  const section = await makeSection(browser, project.id);
  const tasks = await makeTasks(browser, 2, { projectId: project.id, sectionId: section.id });
  const path = `/tasks/${tasks[0]?.id}`;
  await browser.delete(`/projects/${project.id}/sections/${section.id}`);
  const [deletion = ''] = (await readActivity(browser)).entries[0]?.stamps ?? [];
  const undo = async (stamp?: string) =>
    (await browser.app.post<UndoResponse>('/undo', { stamps: [stamp] })).body;
  const marks = async () => {
    const { entries } = await readActivity(browser);
    const changes = entries.flatMap((entry) => entry.changes).filter(({ stamp }) => stamp === deletion);
    const markOf = (id?: string) => changes.find((change) => change.id === id);
    return [section, ...tasks]
      .map(({ id }) => (markOf(id)?.isUndone ? 'back' : markOf(id)?.isPartlyUndone ? 'partly' : 'stands'))
      .join();
  };
  const moved = (await browser.post<Task>(`${path}/move`, { list: 'inbox' })).body.updatedAt;
  t.is(await marks(), 'stands,stands,stands');
  const partly = await undo(deletion);
  t.deepEqual(
    partly.kept.map(({ id }) => id),
    [tasks[0]?.id],
  );
  t.is(await marks(), 'back,stands,back');
  const redone = await undo(partly.stamps[0]);
  t.is(await marks(), 'stands,stands,stands');
  await undo(redone.stamps[0]);
  t.is(await marks(), 'back,stands,back');
  await undo(moved);
  t.like(await undo(deletion), { undone: 1, kept: [] });
  t.is(await marks(), 'back,back,back');
  t.is((await browser.get<Task>(path)).body.sectionId, section.id);

  const edit = (await browser.patch<Task>(path, { title: 'Other', dueDate: '2031-03-05' })).body.updatedAt;
  await browser.patch(path, { title: 'Another' });
  await undo(edit);
  const { entries } = await readActivity(browser, `entity=task&id=${tasks[0]?.id}`);
  const change = entries.flatMap(({ changes }) => changes).find(({ stamp }) => stamp === edit);
  t.like(change, { isUndone: false, isPartlyUndone: true });
});

test('a move and its undo name the row that was moved, not those that made room', async (t) => {
  const browser = await webApps.open();
  const project = await makeProject(browser);
  const tasks = await makeTasks(browser, 4, { dueDate: '2030-01-07' });
  const sections: Section[] = [];
  for (const title of 'ABC')
    sections.push((await browser.post<Section>(`/projects/${project.id}/sections`, { title })).body);
  const sectionPath = (index: number) => `/projects/${project.id}/sections/${sections[index]?.id}`;
  const placements = {
    [tasks[0]?.id ?? '']: () =>
      browser.app.post(`/tasks/${tasks[0]?.id}/position`, { after: tasks[2]?.id, scope: 'day' }),
    [sections[2]?.id ?? '']: () => browser.patch(sectionPath(2), { position: 0 }),
    [sections[0]?.id ?? '']: () => browser.delete(sectionPath(0)),
  };
  for (const [id, place] of Object.entries(placements)) {
    const start = (await readActivity(browser)).entries.flatMap(({ stamps }) => stamps).length;
    t.true([200, 204].includes((await place()).status));
    const [entry] = (await readActivity(browser)).entries;
    const told = entry?.changes.filter(({ stamp }) => stamp === entry.stamps[0]);
    t.deepEqual(
      told?.map((change) => change.id),
      [id],
    );
    t.is((await browser.app.post('/undo', { stamps: [entry?.stamps[0]] })).status, 200);
    const after = (await readActivity(browser)).entries;
    t.is(after.flatMap(({ stamps }) => stamps).length, start + 2);
    const undo = after.find(({ isUndo }) => isUndo);
    t.deepEqual(
      undo?.changes.filter(({ stamp }) => stamp === undo.stamps[0]).map((change) => change.id),
      [id],
    );
  }
  const left = await browser.get<Section[]>(`/projects/${project.id}/sections`);
  t.is(left.body.map(({ title }) => title).join(''), 'ABC');
});

test('pages follow each other without a gap, and a cursor is good for its own list', async (t) => {
  const browser = await webApps.open();
  const project = await makeProject(browser);
  const { accountId } = browser.account;
  const tasks = await makeTasks(browser, 4, { projectId: project.id });
  // Longer than a page, as the history of a busy account.
  await makeHistory(accountId, tasks[0]?.id, 'Robot', [1, 400, 1]);
  const pages = await readPages(browser);
  const ids = pages.flatMap(({ entries }) => entries.flatMap(({ changes }) => changes));
  t.is(ids.length, 405);
  t.is(pages.length, 2);
  for (const { entries } of pages)
    for (const { from, to } of entries) t.true(Date.parse(to) - Date.parse(from) <= 120_000);
  const other = await browser.app.get(`/activity?id=${project.id}&cursor=${pages[0]?.nextCursor}`);
  t.is(other.status, 400);
});

test('what one entry holds is not split by the end of a page', async (t) => {
  const browser = await webApps.open();
  const { id } = await makeTask(browser);
  const { accountId } = browser.account;
  await makeHistory(accountId, id, 'Planner', [1, 450, 0.25]);
  await makeHistory(accountId, id, 'Robot', [451, 460, 1]);
  const pages = await readPages(browser);
  const counts = pages.map(({ entries }) => entries.map(({ changes }) => changes.length));
  t.deepEqual(counts, [[10], [450, 1]]);
});

test('nobody sees the history of another account', async (t) => {
  const [one, other] = [await webApps.open(), await webApps.open()];
  const task = await makeTask(one);
  t.deepEqual((await readActivity(other, `id=${task.id}`)).entries, []);
  t.deepEqual((await readActivity(other)).entries, []);
});
