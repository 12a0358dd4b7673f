import type { Task } from '#tests/support/api-types.ts';

/** The table of views and orders, said once more in plain JavaScript over what the API shows of a task. */

export const views = [
  undefined,
  'inbox',
  'today',
  'upcoming',
  'anytime',
  'someday',
  'logbook',
  'trash',
  'all',
] as const;

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
export function expectedList(tasks: readonly Task[], today: string, filters: Filters): Task[] {
  return tasks
    .filter((task) => isInView(task, filters.view, today) && passes(task, filters))
    .sort(orderOf(filters));
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

type Compare = (one: Task, other: Task) => number;

function by(key: (task: Task) => string): Compare {
  return (one, other) => (key(one) < key(other) ? -1 : Number(key(one) > key(other)));
}

function first(...comparisons: Compare[]): Compare {
  return (one, other) => comparisons.map((compare) => compare(one, other)).find((sign) => sign !== 0) ?? 0;
}

const downwards =
  (compare: Compare): Compare =>
  (one, other) =>
    compare(other, one);

const byId = by(({ id }) => id);
const byCreation = first(
  by(({ createdAt }) => createdAt),
  byId,
);
const byUpdate = first(
  by(({ updatedAt }) => updatedAt),
  byId,
);
const newestOnTop = downwards(byCreation);

function orderOf({ view, projectId, updatedSince }: Filters): Compare {
  if (updatedSince !== undefined) return byUpdate;
  switch (view) {
    case 'inbox':
    case 'someday':
      return newestOnTop;
    case 'today':
    case 'upcoming':
      return first(
        by(({ dueDate, deadlineDate }) => dueDate ?? deadlineDate ?? ''),
        byCreation,
      );
    case 'logbook':
      return downwards(
        first(
          by(({ completedAt, cancelledAt }) => completedAt ?? cancelledAt ?? ''),
          byId,
        ),
      );
    case 'trash':
      return downwards(byUpdate);
    default:
      return projectId === undefined ? byCreation : newestOnTop;
  }
}
