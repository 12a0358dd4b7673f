import test from 'ava';
import { idsOf, listPath, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { readTask, transition, trash } from './task-requests.ts';
import { expectedList, type Filters, views } from './view-model.ts';

/** A task of every combination of status, list, start date, deadline and Trash, and where its projects are. */
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

const stack = await startStack(test, { now: `${today}T12:00:00Z` });

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
  test(`${view ?? 'no view'}: the tasks and the order of the table, with every filter`, async (t) => {
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
    t.true(shown > 0);
  });

  test(`${view ?? 'no view'}: the list of a project is that of all tasks with this project`, async (t) => {
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
