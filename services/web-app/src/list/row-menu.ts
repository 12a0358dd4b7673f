import type { IconName } from '../components/icon.tsx';
import { isNarrow } from '../frame/layout.ts';
import { type ActionName, firstKeysOf } from '../keys/key-map.ts';
import type { MenuItem } from '../menu/menu-state.ts';
import { hrefOf, openTask } from '../router.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { detailWords } from '../words/detail-words.ts';
import { dialogWords } from '../words/dialog-words.ts';
import { actionLabels } from '../words/key-words.ts';
import { listWords } from '../words/list-words.ts';
import { selectionWords } from '../words/selection-words.ts';
import { actionAsShown } from './action-as-shown.ts';
import { duplicate } from './duplicate.ts';
import { groupOf, renaming, toggleSelected, withSelected } from './list-state.ts';
import { moveRowInTurn } from './reorder.ts';
import { repeats, type TaskActionName, taskActions, writeBlock } from './task-actions.ts';

const item = (action: ActionName, icon: IconName, run: () => void) => ({
  label: actionLabels[action],
  icon,
  keys: firstKeysOf(action),
  run,
});

function itemsFor(store: Store, ids: readonly string[]) {
  const disabledReason = writeBlock(store);
  const write = (...parts: Parameters<typeof item>) => ({ ...item(...parts), disabledReason });
  const tasks = ids.flatMap((id) => store.rows.tasks.find(id) ?? []);
  const act = (action: TaskActionName) =>
    write(action, taskActions[action].icon, actionAsShown(store, action, tasks));
  return { write, act };
}

const planning = ['plan', 'today', 'someday', 'noDate', 'deadline', 'repeat', 'move'] as const;

/** Menus of rows omit what «Plan» also offers. */
const inPlan: readonly string[] = ['someday', 'noDate'];

/** Actions on the task of a row: each gesture and drag has an item or a picker here (WCAG 2.5.7). */
export function taskMenu(store: Store, id: string): MenuItem[] {
  const task = store.rows.tasks.shown.get(id);
  const ref = { entity: 'task', id } as const;
  const ids = withSelected(id);
  const { write, act } = itemsFor(store, ids);
  const moveItem = (action: 'moveUp' | 'moveDown', step: -1 | 1) => ({
    ...write(action, step < 0 ? 'up' : 'down', () => void moveRowInTurn(store, ref, step)),
    stays: isNarrow.value,
  });
  return [
    item('open', 'note', () => openTask(id)),
    write('rename', 'pen', () => {
      if (groupOf(store.idOf(id)) === undefined) store.notices.toast(listWords.left(task?.title ?? ''));
      else renaming.value = id;
    }),
    item('select', 'check', () => toggleSelected(id)),
    'line',
    ...(task?.status === 'open'
      ? [act('complete'), ...(repeats(task) ? [act('skip')] : []), act('cancel')]
      : [{ ...act('complete'), label: selectionWords.reopen }]),
    'line',
    ...planning.filter((action) => !inPlan.includes(action)).map(act),
    moveItem('moveUp', -1),
    moveItem('moveDown', 1),
    'line',
    ...(isNarrow.value || ids.length > 1 ? [] : [duplicateItem(store, id)]),
    act('trash'),
  ];
}

/** Actions without a button in the selection bar. */
export function selectionMenu(store: Store, ids: readonly string[], hasTrash: boolean): MenuItem[] {
  const { act } = itemsFor(store, ids);
  const skips = ids.flatMap((id) => store.rows.tasks.find(id) ?? []).some(repeats);
  return [
    ...planning.slice(1, -1).map(act),
    'line',
    ...(ids.length === 1
      ? ids.flatMap((id) => [duplicateItem(store, id), copyItem(store, store.idOf(id))])
      : []),
    ...(skips ? [act('skip')] : []),
    act('cancel'),
    ...(hasTrash ? [] : [act('trash')]),
  ];
}

export function openTaskMenu(store: Store, task: TaskRow): MenuItem[] {
  const ids = [task.id];
  const { act } = itemsFor(store, ids);
  if (task.inTrash) {
    const disabledReason = writeBlock(store);
    const run = () => store.commands.restore(ids);
    return [{ label: detailWords.restore, icon: 'undo', disabledReason, run }];
  }
  const isOpen = task.status === 'open';
  return [
    ...planning.map(act),
    'line',
    ...(isOpen ? [act('complete'), ...(repeats(task) ? [act('skip')] : []), act('cancel')] : []),
    duplicateItem(store, task.id),
    copyItem(store, task.id),
    act('trash'),
  ];
}

function duplicateItem(store: Store, id: string): MenuItem {
  const disabledReason = writeBlock(store);
  const run = () => void duplicate(store, id).catch(reportError);
  return { label: detailWords.duplicate, icon: 'plus', disabledReason, run };
}

function copyItem(store: Store, id: string): MenuItem {
  return { label: detailWords.copyLink, icon: 'note', run: () => copyLink(store, id) };
}

function copyLink({ notices, rows }: Store, id: string): void {
  if (!rows.tasks.server.has(id)) {
    notices.toast(dialogWords.linkNotYet);
    return;
  }
  const link = new URL(hrefOf({ screen: 'task', id }), window.location.href);
  navigator.clipboard.writeText(link.href).then(
    () => notices.toast(dialogWords.linkCopied),
    () => notices.toast(dialogWords.linkNotCopied),
  );
}
