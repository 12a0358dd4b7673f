import type { Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import type { AccountClient } from '#tests/support/stack.ts';
import { readTask, transition, trash } from './task-requests.ts';

/** A task of every combination of status, list, start date, deadline and Trash, and where its projects are. */
export type ViewWorld = {
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

export async function makeViewWorld(api: AccountClient, today: string): Promise<ViewWorld> {
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
  for (const [[place, fields], [close, isTrashed]] of pairs(
    pairs(places, dates),
    pairs(closings, [false, true]),
  )) {
    const made = await makeTask(api, { ...place, ...fields });
    const task = close ? await transition(api, made.id, close) : made;
    if (isTrashed) await trash(api, task.id);
    tasks.push(isTrashed ? await readTask(api, task.id) : task);
  }
  return { tasks, grouped: grouped.id, ungrouped: ungrouped.id, area: area.id, emptyArea: emptyArea.id };
}
