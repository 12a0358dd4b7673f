import type { ActionName } from '../keys/key-map.ts';
import { groupOf, type RowRef } from '../list/list-group.ts';
import {
  clearSelection,
  cursor,
  focusRow,
  focusScreen,
  neighbour,
  notesAskedFor,
  selectAll,
  selected,
  selectedInOrder,
  selectTo,
  shownList,
  startRenaming,
  toggleSelected,
} from '../list/list-state.ts';
import { canWriteOrToast, taskActions } from '../list/task-actions.ts';
import { announce } from '../live/announce.tsx';
import { laterParts, recordParts } from '../loading/load-later.tsx';
import { openOverlay, overlay, type QuickAddList } from '../overlays/overlay.ts';
import { closeTask, hrefOf, location, navigate, openTask, type Screen } from '../router.ts';
import type { Store } from '../store/store.ts';
import { messageWords } from '../words/message-words.ts';

const screens = new Map<ActionName, Screen>([
  ['goToday', 'today'],
  ['goUpcoming', 'upcoming'],
  ['goInbox', 'inbox'],
  ['goAnytime', 'anytime'],
  ['goSomeday', 'someday'],
  ['goLogbook', 'logbook'],
  ['goTrash', 'trash'],
  ['goActivity', 'activity'],
  ['goAssistants', 'assistants'],
]);

const daysOf = new Map<ActionName, number>([
  ['dayLater', 1],
  ['dayEarlier', -1],
  ['weekLater', 7],
  ['weekEarlier', -7],
]);

const taskActionsByName = new Map(Object.entries(taskActions));

const steps = new Map<ActionName, -1 | 1 | 'top'>([
  ['moveUp', -1],
  ['moveDown', 1],
  ['moveTop', 'top'],
]);

/** Runs an action of the table of keys; false where it has nothing to act on. */
export function runAction(store: Store, action: ActionName, toggleSide: () => void): boolean {
  // A dialog that was asked for has the keys, also while its code is on the way.
  if (overlay.value !== null && action !== 'palette') return false;
  const screen = screens.get(action);
  if (screen !== undefined) {
    // From a link of the sidebar, the keys go on in the list.
    leaveSide();
    navigate(hrefOf({ screen }));
    return true;
  }
  switch (action) {
    case 'add':
      openOverlay({ kind: 'quick-add', text: '', list: null });
      return true;
    case 'palette':
      openOverlay({ kind: 'palette', text: '' });
      return true;
    case 'keys':
      openOverlay({ kind: 'keys' });
      return true;
    case 'sidebar':
      leaveSide();
      toggleSide();
      return true;
    case 'undo':
      if (canWriteOrToast(store)) store.undo();
      return true;
    case 'close':
      return close();
    default:
      return runListAction(store, action);
  }
}

function leaveSide(): void {
  if (document.activeElement?.closest('nav') != null) focusScreen();
}

function close(): boolean {
  if (selected.value.size > 0) clearSelection();
  else if (location.value.task !== null) closeTask();
  else return false;
  return true;
}

function runListAction(store: Store, action: ActionName): boolean {
  const row = openedTask(store) ?? markedRow();
  switch (action) {
    case 'next':
      return go(1);
    case 'previous':
      return go(-1);
    case 'first':
      return isInList() && go(Number.NEGATIVE_INFINITY);
    case 'last':
      return isInList() && go(Number.POSITIVE_INFINITY);
    case 'editNotes':
      return editNotes(store);
    case 'selectAll':
      selectAll();
      return selected.value.size > 0;
    case 'extendDown':
      return extend(1);
    case 'extendUp':
      return extend(-1);
    case 'open':
      if (row === undefined) return false;
      if (row.entity === 'project') navigate(hrefOf({ screen: 'project', id: row.id }));
      else openTask(row.id);
      return true;
    default:
      return row !== undefined && runRowAction(store, action, row);
  }
}

function runRowAction(store: Store, action: ActionName, row: RowRef): boolean {
  const step = steps.get(action);
  if (step !== undefined) {
    if (canWriteOrToast(store)) {
      laterParts
        .load()
        .then(
          ({ moveRowInTurn }) => moveRowInTurn(store, row, step),
          () => store.notices.toast(messageWords.notLoaded),
        )
        .then(() => showMoved(store.idOf(row.id)))
        .catch(reportError);
    }
    return true;
  }
  if (row.entity === 'project') {
    if (action !== 'move') return false;
    if (canWriteOrToast(store)) openOverlay({ kind: 'area', id: row.id });
    return true;
  }
  if (action === 'select') {
    toggleSelected(row.id);
    return true;
  }
  const ids = selected.value.size > 0 ? selectedInOrder() : [row.id];
  const run = taskActionOf(store, action, ids, row.id);
  if (run === undefined) return false;
  if (canWriteOrToast(store)) run();
  return true;
}

/** The row may have left the window of a long list; a focus that went elsewhere meanwhile stays there. */
function showMoved(id: string): void {
  const isLost = document.activeElement?.matches('body, main h1') ?? true;
  if (cursor.value === id && (isLost || isInList())) focusRow(id);
}

function taskActionOf(
  store: Store,
  action: ActionName,
  ids: readonly string[],
  id: string,
): (() => void) | undefined {
  const days = daysOf.get(action);
  if (days !== undefined) return () => store.commands.shiftDates(ids, days);
  if (action === 'rename') return () => startRenaming(id);
  if (action === 'addBelow') return () => addBelow(store, id);
  const run = taskActionsByName.get(action)?.run;
  return run && (() => run(store, ids));
}

function addBelow(store: Store, id: string): void {
  const { projectId = null, sectionId = null, dueDate = null, list: name } = store.rows.tasks.find(id) ?? {};
  const isInDay = groupOf(shownList.value?.groups ?? [], id)?.place?.kind === 'day';
  const list: QuickAddList = {
    place: projectId === null ? null : { projectId, sectionId },
    dueDate: isInDay ? dueDate : null,
    isSomeday: name === 'someday' && !isInDay,
    below: { id, scope: isInDay ? 'day' : 'list' },
  };
  openOverlay({ kind: 'quick-add', text: '', list });
}

/** The task of the panel that has the focus: it need not be the row of the list, or one of it. */
function openedTask(store: Store): RowRef | undefined {
  const { task } = location.value;
  const isInPanel = document.activeElement?.closest('.detail') != null;
  return task === null || !isInPanel ? undefined : { entity: 'task', id: store.idOf(task) };
}

function presentRow(): RowRef | undefined {
  const rows = shownList.value?.rows ?? [];
  return rows.find(({ id }) => id === cursor.value);
}

/** A key acts on nothing that does not show that it is meant. */
function markedRow(): RowRef | undefined {
  return isInList() || selected.value.size > 0 ? presentRow() : undefined;
}

function isInList(): boolean {
  return document.activeElement?.closest('[role="grid"]') != null;
}

/** Those of the row with the focus; else of the open task, which come last in the page, or of the project. */
function editNotes(store: Store): boolean {
  const row = isInList() ? presentRow() : undefined;
  if (row?.entity === 'task' && row.id !== store.idOf(location.value.task ?? '')) {
    notesAskedFor.value = row.id;
    openTask(row.id);
    return true;
  }
  const [first, last = first] = document.querySelectorAll<HTMLElement>('.edit-notes');
  last?.click();
  return last !== undefined;
}

function go(step: number): boolean {
  if (shownList.value === null) return recordParts.present.value?.moveInRecords(step) ?? false;
  const line = document.activeElement?.closest('[role="row"]:not([data-row])');
  if (line != null) return leaveLine(line, step);
  const row = isInList() ? neighbour(step) : (presentRow() ?? neighbour(step));
  if (row === undefined) return false;
  const groups = shownList.value?.groups ?? [];
  const [from, to] = [isInList() && groupOf(groups, cursor.value ?? ''), groupOf(groups, row.id)];
  focusRow(row.id);
  // A row is named without its heading.
  if (to?.heading != null && to !== from) announce(to.title);
  return true;
}

/** From what stands between the rows to the next one. */
function leaveLine(line: Element, step: number): boolean {
  const beside = step > 0 ? line.nextElementSibling : line.previousElementSibling;
  if (!(beside instanceof HTMLElement)) return true;
  const { row } = beside.dataset;
  if (row === undefined) return leaveLine(beside, step);
  focusRow(row);
  return true;
}

function extend(step: -1 | 1): boolean {
  const row = neighbour(step);
  if (row === undefined) return false;
  if (selected.value.size === 0 && cursor.value !== null) toggleSelected(cursor.value);
  selectTo(row.id);
  focusRow(row.id);
  return true;
}
