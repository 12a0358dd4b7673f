import { isInView, views } from '../api/tasks/view-model.ts';
import type { AccountState, TaskState } from './account-state.ts';

/* Which tasks each view shows on a day, and in which order, as the table of views says it. */

export const viewNames = ['none', ...views.filter((view) => view !== undefined)] as const;
export type ViewName = (typeof viewNames)[number];

export function tasksInView(state: AccountState, view: ViewName, today: string): TaskState[] {
  return Object.values(state.task).filter((task) => {
    const viewed = { ...task, inTrash: task.trash !== null };
    return isInView(viewed, view === 'none' ? undefined : view, today);
  });
}

type SortKey = (string | number)[];

/** Ids as clients see them settle what is equal otherwise. */
type WireId = (id: string) => string;

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
