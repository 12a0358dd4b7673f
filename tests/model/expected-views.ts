import { type AccountState, isLive, type TaskState } from './account-state.ts';

/* Which tasks each view shows on a day, and in which order, as the table of views says it. */

export const viewNames = [
  'none',
  'inbox',
  'today',
  'upcoming',
  'anytime',
  'someday',
  'logbook',
  'trash',
  'all',
] as const;
export type ViewName = (typeof viewNames)[number];

export function tasksInView(state: AccountState, view: ViewName, today: string): TaskState[] {
  return Object.values(state.task).filter((task) => isInView(task, view, today));
}

function isInView(task: TaskState, view: ViewName, today: string): boolean {
  const { status, list, dueDate, deadlineDate, trash } = task;
  const planned = dueDate ?? deadlineDate;
  const hasCome = (date: string | null) => date !== null && date <= today;
  switch (view) {
    case 'none':
      return trash === null;
    case 'all':
      return true;
    case 'trash':
      return trash !== null;
    case 'logbook':
      return status !== 'open' && trash === null;
    case 'inbox':
    case 'someday':
      return isLive(task) && list === view;
    case 'today':
      return isLive(task) && hasCome(planned);
    case 'upcoming':
      return isLive(task) && planned !== null && planned > today;
    case 'anytime': {
      const isLaid = list === 'someday' && !hasCome(dueDate) && !hasCome(deadlineDate);
      return isLive(task) && list !== 'inbox' && !isLaid && (dueDate === null || dueDate <= today);
    }
  }
}

type SortKey = (string | number)[];

/** Ids as clients see them settle what is equal otherwise. */
export type WireId = (id: string) => string;

/** Numbers grow with time and ranks, dates and ids as texts do. */
export function inViewOrder(tasks: readonly TaskState[], view: ViewName, wireId: WireId): TaskState[] {
  const ascending = tasks.toSorted((one, other) =>
    compare(keyOf(one, view, wireId), keyOf(other, view, wireId)),
  );
  return view === 'logbook' || view === 'trash' ? ascending.reverse() : ascending;
}

export function byRank(tasks: readonly TaskState[], wireId: WireId): TaskState[] {
  return inViewOrder(tasks, 'inbox', wireId);
}

function keyOf(task: TaskState, view: ViewName, wireId: WireId): SortKey {
  const id = wireId(task.id);
  switch (view) {
    case 'inbox':
    case 'someday':
      return [task.rank ?? 0, id];
    case 'today':
    case 'upcoming':
      return [task.dueDate ?? task.deadlineDate ?? '', task.createdAt, id];
    case 'logbook':
      return [task.closedAt ?? 0, id];
    case 'trash':
      return [task.trash?.at ?? 0, id];
    default:
      return [task.createdAt, id];
  }
}

function compare(one: SortKey, other: SortKey): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
