import type { IconName } from '../components/icon.tsx';
import type { ActionName } from '../keys/key-map.ts';
import { openOverlay } from '../overlays/overlay.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { listWords } from '../words/list-words.ts';
import { clearSelection, cursor, focusRow, isInList, rowAfter } from './list-state.ts';

/** The reason why nothing can be changed at present, or null. */
export function writeBlock(store: Store): string | null {
  return store.connection.value === 'suspended' ? listWords.suspended : null;
}

function tasksOf(store: Store, ids: readonly string[]): TaskRow[] {
  return ids.flatMap((id) => store.rows.tasks.find(id) ?? []);
}

/** Completes the open ones; reopens if all are closed. */
export function toggleDone(store: Store, ids: readonly string[]): void {
  const tasks = tasksOf(store, ids);
  const open = tasks.filter((task) => task.status === 'open');
  if (open.length > 0) {
    leave(ids);
    store.commands.complete(open.map((task) => task.id));
  } else if (tasks.length > 0) store.commands.reopen(tasks.map((task) => task.id));
}

function cancelTasks(store: Store, ids: readonly string[]): void {
  const tasks = tasksOf(store, ids);
  const cancelled = tasks.filter((task) => task.status === 'cancelled').map((task) => task.id);
  if (cancelled.length < tasks.length && !tasks.some((task) => task.status === 'open')) {
    store.notices.toast(listWords.nothingOpen);
    return;
  }
  leave(ids);
  if (cancelled.length === tasks.length) store.commands.reopen(cancelled);
  else store.commands.cancel(ids);
}

function trashTasks(store: Store, ids: readonly string[]): void {
  leave(ids);
  store.commands.trash(ids);
}

function skipTasks(store: Store, ids: readonly string[]): void {
  if (!tasksOf(store, ids).some(repeats)) {
    store.notices.toast(listWords.nothingRepeats);
    return;
  }
  leave(ids);
  store.commands.skip(ids);
}

export const repeats = (task: TaskRow): boolean => task.status === 'open' && task.recurrence !== null;

type TaskAction = { icon: IconName; run: (store: Store, ids: readonly string[]) => void };

const pick =
  (kind: 'plan' | 'deadline' | 'repeat' | 'move'): TaskAction['run'] =>
  (_store, ids) =>
    openOverlay({ kind, ids });

/** Actions of keys, menus and the palette on tasks. */
export const taskActions = {
  plan: { icon: 'upcoming', run: pick('plan') },
  today: { icon: 'today', run: ({ commands }, ids) => commands.planToday(ids) },
  complete: { icon: 'check', run: toggleDone },
  skip: { icon: 'chev', run: skipTasks },
  move: { icon: 'list', run: pick('move') },
  deadline: { icon: 'flag', run: pick('deadline') },
  repeat: { icon: 'repeat', run: pick('repeat') },
  someday: { icon: 'someday', run: ({ commands }, ids) => commands.someday(ids) },
  noDate: { icon: 'x', run: ({ commands }, ids) => commands.noDate(ids) },
  cancel: { icon: 'x', run: cancelTasks },
  trash: { icon: 'trash', run: trashTasks },
} satisfies Partial<Record<ActionName, TaskAction>>;

export type TaskActionName = keyof typeof taskActions;
export const taskActionNames = Object.keys(taskActions) as TaskActionName[];

/** The rows leave or change: ends the selection and moves the cursor to the next remaining row. */
function leave(ids: readonly string[]): void {
  const going = new Set(ids);
  const hasCursor = cursor.value !== null && going.has(cursor.value);
  const next = rowAfter(going);
  clearSelection();
  if (hasCursor && next !== undefined && isInList()) focusRow(next.id);
}

/** Whether changes are possible; otherwise a toast shows the reason. */
export function canWriteOrToast(store: Store): boolean {
  const reason = writeBlock(store);
  if (reason !== null) store.notices.toast(reason);
  return reason === null;
}
