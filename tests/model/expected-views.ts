import { inViewOrder, isInView, views } from '../api/tasks/view-model.ts';
import type { AccountState, TaskState } from './account-state.ts';

/* Which tasks each view shows on a day, and in which order, as the table of views says it. */

export const viewNames = ['none', ...views.filter((view) => view !== undefined)] as const;
export type ViewName = (typeof viewNames)[number];

export function tasksInView(state: AccountState, view: ViewName, today: string): TaskState[] {
  return Object.values(state.task).filter((task) => {
    const viewed = { ...task, inTrash: task.trash !== null };
    return isInView(viewed, viewOf(view), today);
  });
}

const viewOf = (view: ViewName) => (view === 'none' ? undefined : view);

/** `wireId`: ids as clients see them. */
export function inOrder(
  tasks: readonly TaskState[],
  view: ViewName,
  wireId: (id: string) => string,
): readonly TaskState[] {
  return inViewOrder(tasks, viewOf(view), (task) => ({
    ...task,
    id: wireId(task.id),
    trashedAt: task.trash?.at ?? null,
  }));
}
