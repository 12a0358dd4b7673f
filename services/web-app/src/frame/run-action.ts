import type { Screen } from '#shared/app/app-screens.ts';
import { type ActionName, perGoAction } from '../keys/key-map.ts';
import type { RowRef } from '../list/list-group.ts';
import {
  cursor,
  cursorRow,
  endSelection,
  focusRow,
  focusScreen,
  groupOf,
  isInList,
  isOnRow,
  neighbour,
  notesAskedFor,
  renaming,
  selectAll,
  selected,
  selectedInOrder,
  selectTo,
  shownList,
  toggleSelected,
} from '../list/list-state.ts';
import { canWriteOrToast, type TaskActionName, taskActionNames, taskActions } from '../list/task-actions.ts';
import { announce } from '../live/announce.tsx';
import { laterParts, recordParts } from '../loading/load-later.tsx';
import { type Overlay, openOverlay, overlay, type QuickAddList } from '../overlays/overlay.ts';
import { closeTask, location, navigate, openTask } from '../router.ts';
import type { Store } from '../store/store.ts';
import { listWords } from '../words/list-words.ts';
import { messageWords } from '../words/message-words.ts';
import { isCovered, isSideHidden } from './layout.ts';

/** Returns false if it does not apply: the browser handles the key. */
type Run = (store: Store) => boolean;

const ofTasks = Object.fromEntries(
  taskActionNames.map((name) => [name, onTasks(taskActions[name].run)]),
) as Record<TaskActionName, Run>;

const actions: Record<ActionName, Run> = {
  add: () => show({ kind: 'quick-add' }),
  addBelow: onTasks((store, _ids, id) => addBelow(store, id)),
  palette: () => show({ kind: 'palette' }),
  undo: (store) => write(store, () => store.undo()),
  redo: (store) => write(store, () => store.redo()),
  sidebar() {
    leaveSide();
    isSideHidden.value = !isSideHidden.value;
    return true;
  },
  keys: () => show({ kind: 'keys' }),

  open: onRow((_store, { entity, id }) => {
    if (entity === 'project') navigate({ screen: 'project', id });
    else openTask(id);
    return true;
  }),
  rename: onTasks((_store, _ids, id) => {
    // In the panel, edits its title: the row may be covered or not listed.
    const title = focusedPanel()?.querySelector('textarea');
    title?.focus();
    title?.select();
    if (title == null) renaming.value = id;
  }),
  editNotes,
  ...ofTasks,
  complete: (store) => recordParts.present.value?.pressBox() === true || ofTasks.complete(store),
  dayLater: shift(1),
  dayEarlier: shift(-1),
  weekLater: shift(7),
  weekEarlier: shift(-7),
  move: onRow((store, row) =>
    row.entity === 'project'
      ? write(store, () => openOverlay({ kind: 'area', id: row.id }))
      : ofTasks.move(store),
  ),

  next: () => go(1),
  previous: () => go(-1),
  first: () => isInLines() && go(Number.NEGATIVE_INFINITY),
  last: () => isInLines() && go(Number.POSITIVE_INFINITY),
  moveUp: moveBy(-1),
  moveDown: moveBy(1),
  moveTop: moveBy('top'),
  select: onRow((_store, { entity, id }) => {
    if (entity === 'task') toggleSelected(id);
    return entity === 'task';
  }),
  extendUp: () => extend(-1),
  extendDown: () => extend(1),
  selectAll() {
    selectAll();
    return selected.value.size > 0;
  },
  close() {
    if (selected.value.size > 0) endSelection();
    else if (location.value.task !== null) closeTask();
    else return false;
    return true;
  },

  ...perGoAction(goTo),
};

export function runAction(store: Store, action: ActionName): boolean {
  // A requested dialog has the keys, also while its code is loading.
  return (overlay.value === null || action === 'palette') && actions[action](store);
}

function show(dialog: Overlay): true {
  openOverlay(dialog);
  return true;
}

/** Returns false if there is nothing to say. */
function say(store: Store, text: string | null | undefined): boolean {
  if (text == null) return false;
  store.notices.toast(text);
  return true;
}

function write(store: Store, act: () => void): true {
  if (canWriteOrToast(store)) act();
  return true;
}

function goTo(screen: Screen): Run {
  return () => {
    // From a link of the sidebar, move the focus to the list.
    leaveSide();
    navigate({ screen });
    return true;
  };
}

/** Acts on the open task if it has the focus, otherwise on the marked row. */
function onRow(run: (store: Store, row: RowRef) => boolean): Run {
  return (store) => {
    const row = openedTask(store) ?? markedRow();
    return row !== undefined && run(store, row);
  };
}

/** Acts on the open task if it has the focus, otherwise on the selected tasks or the marked row. */
function onTasks(change: (store: Store, ids: readonly string[], id: string) => void): Run {
  const changeRow = onRow((store, { entity, id }) => {
    if (entity === 'project') return say(store, listWords.openFirst);
    if (store.rows.tasks.find(id)?.inTrash) return say(store, listWords.restoreFirst);
    const ids = selected.value.size > 0 && focusedPanel() === null ? selectedInOrder() : [id];
    return write(store, () => change(store, ids, id));
  });
  return (store) => changeRow(store) || say(store, recordParts.present.value?.keyHint());
}

function shift(days: number): Run {
  return onTasks(({ commands }, ids) => commands.shiftDates(ids, days));
}

function moveBy(step: -1 | 1 | 'top'): Run {
  return onRow((store, row) =>
    write(store, () => {
      laterParts
        .load()
        .then(
          ({ moveRowInTurn }) => moveRowInTurn(store, row, step),
          () => store.notices.toast(messageWords.notLoaded),
        )
        .then(() => showMoved(store.idOf(row.id)))
        .catch(reportError);
    }),
  );
}

function leaveSide(): void {
  if (document.activeElement?.closest('nav') != null) focusScreen();
}

/** Scrolls to the row, which a virtual list may have removed, unless the focus has moved elsewhere. */
function showMoved(id: string): void {
  const isLost = document.activeElement?.matches('body, main h1') ?? true;
  if (cursor.value === id && (isLost || isInList())) focusRow(id);
}

function addBelow(store: Store, id: string): void {
  const { projectId = null, sectionId = null, list: name } = store.rows.tasks.find(id) ?? {};
  const place = groupOf(id)?.place;
  const list: QuickAddList | undefined = place && {
    place: projectId === null ? null : { projectId, sectionId },
    dueDate: place.kind === 'day' ? place.date : null,
    isSomeday: name === 'someday' && place.kind === 'list',
    below: { id, scope: place.kind },
  };
  // A group without a place of its own takes what its screen does.
  openOverlay({ kind: 'quick-add', ...(list && { list }) });
}

/** The task of the panel, if that has the focus; it may differ from the marked row. */
function openedTask(store: Store): RowRef | undefined {
  const { task } = location.value;
  return task === null || focusedPanel() === null ? undefined : { entity: 'task', id: store.idOf(task) };
}

function focusedPanel(): Element | null {
  return document.activeElement?.closest('.detail') ?? null;
}

/** The row that is visibly marked: keys act on no other. */
function markedRow(): RowRef | undefined {
  return isOnRow() || selected.value.size > 0 ? cursorRow() : undefined;
}

/** Edits the notes of the focused row, otherwise of the open task (last in the page) or the project. */
function editNotes(store: Store): boolean {
  const row = isOnRow() ? cursorRow() : undefined;
  if (row?.entity === 'task' && row.id !== store.idOf(location.value.task ?? '')) {
    notesAskedFor.value = row.id;
    openTask(row.id);
    return true;
  }
  const [first, last = first] = document.querySelectorAll<HTMLElement>('.edit-notes');
  last?.click();
  return last !== undefined;
}

/** Rows, or the records of a screen without rows. */
const isInLines = () => isInList() || shownList.value === null;

function go(step: number): boolean {
  if (shownList.value === null) return recordParts.present.value?.moveInRecords(step) ?? false;
  const line = document.activeElement?.closest('[role="row"]:not([data-row])');
  if (line != null) return leaveLine(line, step);
  // An open task next to its list follows the cursor.
  const isFollowed = location.value.task !== null && !isCovered.value;
  const row = isInList() || isFollowed ? neighbour(step) : (cursorRow() ?? neighbour(step));
  if (row === undefined) return false;
  const [from, to] = [isInList() && groupOf(cursor.value ?? ''), groupOf(row.id)];
  focusRow(row.id);
  if (isFollowed && row.entity === 'task') openTask(row.id);
  // Announce the heading, which the row's name lacks.
  if (to?.heading !== undefined && to !== from) announce(to.title);
  return true;
}

/** Moves from a line between rows to the next row. */
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
