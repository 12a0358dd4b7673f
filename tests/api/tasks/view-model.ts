import { taskViews } from '#resource-api/tasks/task-views.ts';
import type { Task } from '#tests/support/api-types.ts';

/** The table of views and orders, said once more in plain JavaScript over what the API shows of a task. */

export const views = [undefined, ...taskViews];

type View = (typeof views)[number];

export type Filters = {
  view: View;
  status?: string | undefined;
  projectId?: string | undefined;
  /** The projects of the area that the list is restricted to. */
  areaProjectIds?: readonly string[] | undefined;
  updatedSince?: string | undefined;
};

/** Tasks as they were made: never moved, and trashed last of all that happened to them. */
export function expectedList(tasks: readonly Task[], today: string, filters: Filters): readonly Task[] {
  const { view, projectId, updatedSince } = filters;
  const found = tasks.filter((task) => isInView(task, view, today) && passes(task, filters));
  if (updatedSince !== undefined) return sortedBy(found, ({ updatedAt, id }) => [updatedAt, id]);
  const isByRank = projectId !== undefined && [undefined, 'anytime', 'all'].includes(view);
  return inViewOrder(found, isByRank ? 'inbox' : view, (task) => ({
    ...task,
    rank: -Date.parse(task.createdAt),
    closedAt: task.completedAt ?? task.cancelledAt,
    trashedAt: task.updatedAt,
  }));
}

type Viewed = Pick<Task, 'status' | 'inTrash' | 'list' | 'dueDate' | 'deadlineDate'>;

export function isInView(task: Viewed, view: View, today: string): boolean {
  const { status, inTrash, list, dueDate, deadlineDate } = task;
  const isLive = status === 'open' && !inTrash;
  const date = dueDate ?? deadlineDate;
  switch (view) {
    case undefined:
      return !inTrash;
    case 'all':
      return true;
    case 'trash':
      return inTrash;
    case 'logbook':
      return status !== 'open' && !inTrash;
    case 'inbox':
    case 'someday':
      return isLive && list === view;
    case 'today':
      return isLive && date !== null && date <= today;
    case 'upcoming':
      return isLive && date !== null && date > today;
    case 'anytime': {
      const isPlannedLater = dueDate !== null && dueDate > today;
      const isStillSomeday = list === 'someday' && !isUp(dueDate, today) && !isUp(deadlineDate, today);
      return isLive && list !== 'inbox' && !isPlannedLater && !isStillSomeday;
    }
  }
}

function isUp(date: string | null, today: string): boolean {
  return date !== null && date <= today;
}

function passes(task: Task, { status, projectId, areaProjectIds, updatedSince }: Filters): boolean {
  return (
    (status === undefined || task.status === status) &&
    (projectId === undefined || task.projectId === projectId) &&
    (areaProjectIds === undefined || areaProjectIds.includes(task.projectId ?? 'none')) &&
    (updatedSince === undefined || Date.parse(task.updatedAt) >= Date.parse(updatedSince))
  );
}

/** Ranks and moments: numbers or texts that grow. */
type Growing = string | number;
type SortKey = readonly Growing[];

/** What orders are made of; the id, as clients see it, settles what is equal otherwise. */
type Sorted = Pick<Task, 'id' | 'dueDate' | 'deadlineDate'> & {
  rank: Growing | null;
  createdAt: Growing;
  closedAt: Growing | null;
  trashedAt: Growing | null;
};

export function inViewOrder<Row>(
  rows: readonly Row[],
  view: View,
  sorted: (row: Row) => Sorted,
): readonly Row[] {
  const ascending = sortedBy(rows, (row) => keyOf(sorted(row), view));
  return view === 'logbook' || view === 'trash' ? ascending.reverse() : ascending;
}

function keyOf(
  { id, rank, dueDate, deadlineDate, createdAt, closedAt, trashedAt }: Sorted,
  view: View,
): SortKey {
  switch (view) {
    case 'inbox':
    case 'someday':
      return [rank ?? 0, id];
    case 'today':
    case 'upcoming':
      return [dueDate ?? deadlineDate ?? '', createdAt, id];
    case 'logbook':
      return [closedAt ?? 0, id];
    case 'trash':
      return [trashedAt ?? 0, id];
    default:
      return [createdAt, id];
  }
}

function sortedBy<Row>(rows: readonly Row[], keyOfRow: (row: Row) => SortKey): Row[] {
  return rows.toSorted((one, other) => compare(keyOfRow(one), keyOfRow(other)));
}

function compare(one: SortKey, other: SortKey): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
