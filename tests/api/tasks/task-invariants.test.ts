import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask, type TaskFields } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTasks, readTask } from './task-requests.ts';

/*
 * Any sequence of requests: what must be true of every task after each of them, however they were combined.
 */

const stack = await startStack(test, { now: '2026-11-20T12:00:00Z' });

type Places = { projects: string[]; sections: string[] };
type Step = {
  path: (task: string, places: Places) => string;
  method: 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
};

const dates = fc.constantFrom(null, '2026-11-18', '2026-11-20', '2026-12-24');
const recurrences = fc.constantFrom(
  null,
  { frequency: 'daily' },
  { frequency: 'weekly', interval: 2, weekdays: ['monday', 'friday'] },
  { frequency: 'monthly', fromCompletion: true },
);
const patches = fc.record(
  {
    title: fc.constantFrom('One', 'Two', ' '),
    description: fc.constantFrom(null, '', '*notes*'),
    dueDate: dates,
    deadlineDate: dates,
    reminderTime: fc.constantFrom(null, '09:30'),
    recurrence: recurrences,
    checklist: fc.constantFrom(null, [], [{ title: 'Item', completed: true }]),
  },
  { requiredKeys: [] },
);

const taskSteps: fc.Arbitrary<Step> = fc.oneof(
  fc
    .constantFrom('complete', 'uncomplete', 'cancel', 'uncancel', 'restore')
    .map((name): Step => ({ method: 'POST', path: (task) => `/tasks/${task}/${name}` })),
  fc.constant<Step>({ method: 'DELETE', path: (task) => `/tasks/${task}` }),
  patches.map((body): Step => ({ method: 'PATCH', path: (task) => `/tasks/${task}`, body })),
);

const projectSteps: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('complete', 'uncomplete'), fc.nat(1))
  .map(([name, index]) => ({
    method: 'POST',
    path: (_, { projects }) => `/projects/${projects[index]}/${name}`,
  }));

/** A destination by name, because ids are only known when the steps run. */
type Move = { move: 'inbox' | 'someday' | 'project' | 'section' | 'root'; index: number };
const moves: fc.Arbitrary<Move> = fc.record({
  move: fc.constantFrom('inbox', 'someday', 'project', 'section', 'root'),
  index: fc.nat(1),
});

function destinationOf({ move, index }: Move, { projects, sections }: Places): object {
  if (move === 'project') return { projectId: projects[index] };
  if (move === 'section') return { sectionId: sections[index] };
  return move === 'root' ? { sectionId: null } : { list: move };
}

const steps = fc.tuple(
  fc.nat(4),
  fc.oneof(
    { arbitrary: taskSteps, weight: 6 },
    { arbitrary: moves, weight: 2 },
    { arbitrary: projectSteps, weight: 1 },
  ),
);

function expectRules(t: ExecutionContext, task: Task, closedProjects: ReadonlySet<string>): void {
  const { status, list, projectId, sectionId, dueDate, deadlineDate, reminderTime } = task;
  const rules = {
    'a dated task is not in the inbox': list !== 'inbox' || (dueDate === null && deadlineDate === null),
    'a reminder has a start date': reminderTime === null || dueDate !== null,
    'a task is in the list project when it has one': (list === 'project') === (projectId !== null),
    'a section has its project': sectionId === null || projectId !== null,
    'completedAt says when it was completed': (status === 'completed') === (task.completedAt !== null),
    'cancelledAt says when it was cancelled': (status === 'cancelled') === (task.cancelledAt !== null),
    'the logbook holds what is closed and not in the Trash':
      task.inLogbook === (status !== 'open' && !task.inTrash),
    'no open task outside the Trash is in a closed project':
      status !== 'open' || task.inTrash || !closedProjects.has(projectId ?? ''),
    'updatedAt is not before createdAt': task.updatedAt >= task.createdAt,
  };
  for (const [rule, holds] of Object.entries(rules)) t.true(holds, `${rule}: ${JSON.stringify(task)}`);
}

async function runStep(
  api: AccountClient,
  task: string,
  step: Step | Move,
  places: Places,
): Promise<{ status: number; body: unknown }> {
  if ('move' in step) return api.post(`/tasks/${task}/move`, destinationOf(step, places));
  return api.request(step.method, step.path(task, places), { body: step.body });
}

type World = { places: Places; ids: string[] };

async function makeWorld(api: AccountClient): Promise<World> {
  const projects = [(await makeProject(api)).id, (await makeProject(api)).id];
  const sections: string[] = [];
  for (const id of projects) sections.push((await makeSection(api, id)).id);
  const [projectId, sectionId] = [projects[0] ?? '', sections[1] ?? ''];
  const fields: TaskFields[] = [{}, {}, { list: 'someday' }, { projectId }, { sectionId }];
  const ids: string[] = [];
  for (const place of fields) ids.push((await makeTask(api, place)).id);
  return { places: { projects, sections }, ids };
}

/** Runs one step on an account and looks at all its tasks before and after. */
async function expectSoundStep(
  t: ExecutionContext,
  api: AccountClient,
  { places, ids }: World,
  [index, step]: [number, Step | Move],
): Promise<void> {
  const before = await listTasks(api, 'view=all&limit=200');
  const id = ids[index] ?? '';
  const { status, body } = await runStep(api, id, step, places);
  const after = await listTasks(api, 'view=all&limit=200');
  const what = `${status} ${JSON.stringify(body)}`;
  t.true(status < 500, what);
  if (status >= 400) t.deepEqual(after, before, what);
  const closed = (await api.get<Page<Project>>('/projects?status=completed')).body.items;
  for (const task of after) expectRules(t, task, new Set(closed.map((project) => project.id)));
  if ('move' in step && status === 200) t.deepEqual(await readTask(api, id), body as Task);
}

test('every sequence of requests leaves every task within the rules, and a refused one leaves all as they were', async (t) => {
  const property = fc.asyncProperty(fc.array(steps, { minLength: 40, maxLength: 60 }), async (sequence) => {
    const api = await stack.newClient({ plan: 'premium' });
    const world = await makeWorld(api);
    for (const step of sequence) await expectSoundStep(t, api, world, step);
  });
  await t.notThrowsAsync(() => fc.assert(property, { numRuns: 6 }));
});
