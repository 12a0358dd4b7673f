import test from 'ava';
import { idsOf, listPath, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTasks, listTitles, patchTask, readTask, transition, trash } from './task-requests.ts';
import { expectedList, type Filters, views } from './view-model.ts';

/** A task of every combination of status, list, start date, deadline, Trash and place of its project. */
type ViewWorld = {
  tasks: Task[];
  grouped: string;
  ungrouped: string;
  area: string;
  emptyArea: string;
};

const kinds = ['none', 'past', 'today', 'future'] as const;

const closings = [undefined, 'complete', 'cancel'] as const;

/** Dates of one kind differ from task to task, but not all of them do. */
function dateOf(kind: (typeof kinds)[number], today: string, index: number): string | null {
  if (kind === 'none') return null;
  if (kind === 'today') return today;
  const days = 1 + (index % 5);
  return Temporal.PlainDate.from(today)
    .add({ days: kind === 'past' ? -days : days })
    .toString();
}

/** Every pair of one of `ones` and one of `others`. */
function pairs<One, Other>(ones: readonly One[], others: readonly Other[]): [One, Other][] {
  return ones.flatMap((one) => others.map((other): [One, Other] => [one, other]));
}

async function makeViewWorld(api: AccountClient, today: string): Promise<ViewWorld> {
  const [area, emptyArea] = [await makeArea(api), await makeArea(api)];
  const grouped = await makeProject(api, { areaId: area.id });
  const ungrouped = await makeProject(api);
  const places = [
    { list: 'inbox' },
    { list: 'someday' },
    { projectId: grouped.id },
    { projectId: ungrouped.id },
  ] as const;
  const dates = pairs(kinds, kinds).map(([due, deadline], index) => ({
    dueDate: dateOf(due, today, index),
    deadlineDate: dateOf(deadline, today, index),
  }));
  const tasks: Task[] = [];
  // What is closed or in the Trash is shown whatever its dates are: those of one kind at a time are enough.
  const alike = dates.filter((_, index) => index % (kinds.length + 1) === 0);
  const made = [
    ...pairs(pairs(places, dates), [[undefined, false]] as const),
    ...pairs(pairs(places, alike), pairs(closings, [false, true])),
  ];
  for (const [[place, fields], [close, isTrashed]] of made) {
    const made = await makeTask(api, { ...place, ...fields });
    const task = close ? await transition(api, made.id, close) : made;
    if (isTrashed) await trash(api, task.id);
    tasks.push(isTrashed ? await readTask(api, task.id) : task);
  }
  return { tasks, grouped: grouped.id, ungrouped: ungrouped.id, area: area.id, emptyArea: emptyArea.id };
}

type Parameters = Record<string, string>;

const today = '2026-11-20';

const noon = `${today}T12:00:00Z`;

const stack = await startStack(test, { now: noon });

let api: AccountClient;

let world: ViewWorld;

test.before(async () => {
  api = await stack.newClient({ plan: 'premium' });
  world = await makeViewWorld(api, today);
});

/** Ways to restrict a list to a project or an area, and what that means. */
function containers({ grouped, ungrouped, area, emptyArea }: ViewWorld): [Parameters, Partial<Filters>][] {
  return [
    [{}, {}],
    [{ projectId: grouped }, { projectId: grouped }],
    [{ projectId: ungrouped }, { projectId: ungrouped }],
    [{ areaId: area }, { areaProjectIds: [grouped] }],
    [{ areaId: emptyArea }, { areaProjectIds: [] }],
    [{ areaId: area, projectId: grouped }, { projectId: grouped }],
    [
      { areaId: area, projectId: ungrouped },
      { projectId: ungrouped, areaProjectIds: [] },
    ],
  ];
}

const statuses = [undefined, 'open', 'completed', 'cancelled'] as const;

/** Without updatedSince, and since the middle of all changes. */
function moments({ tasks }: ViewWorld): (string | undefined)[] {
  const changes = tasks.map(({ updatedAt }) => updatedAt).sort();
  return [undefined, changes[Math.floor(changes.length / 2)]];
}

function given(parameters: Record<string, string | undefined>): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

for (const view of views) {
  test.serial(`${view ?? 'no view'}: the tasks and the order of the table, with every filter`, async (t) => {
    stack.clock.set(noon);
    let shown = 0;
    for (const [container, filters] of containers(world)) {
      for (const status of statuses) {
        for (const updatedSince of moments(world)) {
          const expected = expectedList(world.tasks, today, { view, status, updatedSince, ...filters });
          const parameters = given({ view, status, updatedSince, ...container, limit: '200' });
          t.deepEqual(
            idsOf(await walkPages<Task>(api, '/tasks', parameters)),
            expected.map(({ id }) => id),
            JSON.stringify(parameters),
          );
          shown += expected.length;
        }
      }
    }
    t.true(shown > 0, 'makeViewWorld has no task of this view');
  });

  test.serial(`${view ?? 'no view'}: a project’s list is that of all tasks with this project`, async (t) => {
    stack.clock.set(noon);
    const [, updatedSince] = moments(world);
    for (const filter of [{}, { status: 'open' }, { updatedSince }, { areaId: world.area }]) {
      const query = given({ view, ...filter, limit: '200' });
      const own = await api.get<Page<Task>>(listPath(`/projects/${world.grouped}/tasks`, query));
      const all = await api.get<Page<Task>>(listPath('/tasks', { ...query, projectId: world.grouped }));
      t.is(own.status, 200);
      t.deepEqual(own.body.items, all.body.items);
    }
  });
}

async function makeDatedTasks(api: AccountClient, dates: readonly string[]): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const dueDate of dates) tasks.push(await makeTask(api, { title: dueDate, dueDate }));
  return tasks;
}

test.serial('a date that arrives is no change: the task is listed elsewhere, as it was', async (t) => {
  const api = await stack.newClient({ timezone: 'Europe/Berlin' });
  stack.clock.set('2026-11-20T22:59:59Z');
  const [task] = await makeDatedTasks(api, ['2026-11-21']);
  const id = task?.id ?? '';
  t.deepEqual(
    [await listTitles(api, 'view=today'), await listTitles(api, 'view=upcoming')],
    [[], ['2026-11-21']],
  );
  stack.clock.advance(1_000);
  t.deepEqual(
    [await listTitles(api, 'view=today'), await listTitles(api, 'view=upcoming')],
    [['2026-11-21'], []],
  );
  t.deepEqual(await readTask(api, id), task);
  const after = new Date(Date.parse(task?.updatedAt ?? '') + 1).toISOString();
  t.deepEqual(await listTasks(api, `view=all&updatedSince=${after}`), []);
});

const beforeMidnight = '2026-11-20T22:59:59Z';

const midnight = '2026-11-20T23:00:00Z';

/** From before midnight on, each page a month after the one before. Afterwards it is midnight. */
async function titlesWalkedOverMidnight(api: AccountClient, view: string): Promise<string[]> {
  stack.clock.set(beforeMidnight);
  const pages = await walkPages<Task>(api, '/tasks', { view, limit: '1' }, async () =>
    stack.clock.advance(30 * 24 * 3_600_000),
  );
  stack.clock.set(midnight);
  return pages.flatMap(({ items }) => items.map(({ title }) => title));
}

test.serial('paging across midnight, and months later, stays the list of its first day', async (t) => {
  const api = await stack.newClient({ timezone: 'Europe/Berlin' });
  for (const dueDate of ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']) {
    await makeTask(api, { title: dueDate, dueDate });
  }
  for (const [view, asOfThe20th, asOfThe21st] of [
    ['today', ['2026-11-19', '2026-11-20'], ['2026-11-19', '2026-11-20', '2026-11-21']],
    ['upcoming', ['2026-11-21', '2026-11-22'], ['2026-11-22']],
    ['anytime', ['2026-11-19', '2026-11-20'], ['2026-11-19', '2026-11-20', '2026-11-21']],
  ] as const) {
    t.deepEqual(await titlesWalkedOverMidnight(api, view), [...asOfThe20th], view);
    t.deepEqual(await listTitles(api, `view=${view}`), [...asOfThe21st], view);
  }
});

test.serial('paging the free logbook across midnight keeps its first day', async (t) => {
  const api = await stack.newClient({ timezone: 'Europe/Berlin' });
  const tasks: Task[] = [];
  for (const [title, completedAt] of [
    ['old', '2026-11-06T08:00:00Z'],
    ['older', '2026-11-06T07:00:00Z'],
    ['oldest', '2026-11-05T23:00:00Z'],
    ['too old', '2026-11-05T22:59:59Z'],
  ]) {
    const task = await makeTask(api, { title });
    await transition(api, task.id, 'complete');
    await stack.sql`update tasks.task set completed_at = ${completedAt} where id = ${task.id}`;
    tasks.push(task);
  }
  t.deepEqual(await titlesWalkedOverMidnight(api, 'logbook'), ['old', 'older', 'oldest']);
  t.deepEqual(await listTitles(api, 'view=logbook'), []);
});

/** A closed task whose closing lies at that moment. */
async function makeClosedTask(api: AccountClient, title: string, closedAt: string): Promise<string> {
  const { id } = await makeTask(api, { title });
  const isCancelled = title.includes('cancelled');
  await transition(api, id, isCancelled ? 'cancel' : 'complete');
  await (isCancelled
    ? stack.sql`update tasks.task set cancelled_at = ${closedAt} where id = ${id}`
    : stack.sql`update tasks.task set completed_at = ${closedAt} where id = ${id}`);
  return id;
}

/** Each row: the account's zone, now, and the start of the local day 14 days ago. */
const windows: [timezone: string, now: string, start: string][] = [
  ['UTC', '2026-11-20T00:00:00Z', '2026-11-06T00:00:00Z'],
  ['UTC', '2026-11-20T23:59:59Z', '2026-11-06T00:00:00Z'],
  ['Europe/Berlin', '2026-11-03T12:00:00Z', '2026-10-19T22:00:00Z'],
];

for (const [timezone, now, start] of windows) {
  test.serial(`the free logbook in ${timezone} at ${now} begins at ${start}`, async (t) => {
    stack.clock.set(now);
    const api = await stack.newClient({ timezone });
    const before = new Date(Date.parse(start) - 1).toISOString();
    await makeClosedTask(api, 'completed before', before);
    await makeClosedTask(api, 'cancelled before', before);
    await makeClosedTask(api, 'completed at the start', start);
    await makeClosedTask(api, 'cancelled a second later', new Date(Date.parse(start) + 1_000).toISOString());
    const visible = ['cancelled a second later', 'completed at the start'];
    t.deepEqual(await listTitles(api, 'view=logbook'), visible);
    await stack.setPlan(api.account, 'premium');
    t.deepEqual(
      (await listTitles(api, 'view=logbook')).toSorted(),
      [...visible, 'cancelled before', 'completed before'].sort(),
    );
  });
}

test.serial('beyond the window a task is out of view=logbook alone', async (t) => {
  stack.clock.set('2026-11-20T12:00:00Z');
  const api = await stack.newClient();
  const id = await makeClosedTask(api, 'old', '2026-01-01T00:00:00Z');
  const task = await readTask(api, id);
  t.like(task, { inLogbook: true, completedAt: '2026-01-01T00:00:00.000Z' });
  const since = `updatedSince=${task.updatedAt}`;
  for (const query of ['', 'view=all', 'status=completed', since, `view=all&${since}`]) {
    t.deepEqual(await listTitles(api, query), ['old'], query);
  }
  for (const query of ['view=logbook', 'view=logbook&status=completed', `view=logbook&${since}`]) {
    t.deepEqual(await listTitles(api, query), [], query);
  }
  t.is((await patchTask(api, id, { title: 'found' })).title, 'found');
});
