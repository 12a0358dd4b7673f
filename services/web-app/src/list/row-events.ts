import { openMenu } from '../menu/menu-state.ts';
import { openOverlay } from '../overlays/overlay.ts';
import type { Store } from '../store/store.ts';
import { screenWords } from '../words/screen-words.ts';
import { selectionWords } from '../words/selection-words.ts';
import { cursor, focusRow, isInList, neighbour, renaming, selected, selectedInOrder } from './list-state.ts';
import { canWriteOrToast } from './task-actions.ts';
import { rowAt } from './task-grid.tsx';

function rowOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
}

/** The task's row of the event; undefined for a project's row. */
export function taskRowOf(event: Event): HTMLElement | null {
  const row = rowOf(event);
  return row?.dataset.entity === 'project' ? null : row;
}

/** Menus and keys of rows, handled before the page's keys. */
export function followRowEvents(store: Store, signal: AbortSignal): void {
  document.body.addEventListener('contextmenu', (event) => openRowMenu(store, event), { signal });
  document.body.addEventListener('keydown', (event) => pressInRow(store, event), { signal });
  document.body.addEventListener('dblclick', (event) => renameRow(store, event), { signal });
  document.body.addEventListener('copy', (event) => copyTitles(store, event), { signal });
}

/** The secondary mouse button, or the menu key. */
function openRowMenu(store: Store, event: MouseEvent): void {
  const row = rowOf(event);
  const task = store.rows.tasks.find(row?.dataset.row ?? '');
  if (row === null || task === undefined || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  // On touch screens a long touch selects or drags instead.
  if (event instanceof PointerEvent && event.pointerType === 'touch') return;
  row.focus();
  const isByKey = event.clientX === 0 && event.clientY === 0;
  const point = isByKey ? null : { x: event.clientX, y: event.clientY };
  const open = () =>
    openMenu({ label: screenWords.actionsFor(task.title), items: { taskId: task.id }, anchor: row, point });
  // Firefox would treat the release of the button as a press outside the menu and close it.
  if (event.buttons === 0) open();
  else addEventListener('pointerup', open, { once: true });
}

/** Copies the selected tasks or the cursor's, one line each. Selected text takes precedence. */
function copyTitles({ rows, notices }: Store, event: ClipboardEvent): void {
  const isInField = document.activeElement?.matches('input, textarea') === true;
  if (!isInList() || isInField || getSelection()?.isCollapsed === false) return;
  const ids = selectedInOrder();
  const copied = ids.length > 0 ? ids : [cursor.value ?? ''];
  const titles = copied.flatMap((id) => rows.tasks.find(id)?.title.replaceAll(/[\n\r]+/g, ' ') ?? []);
  if (titles.length === 0) return;
  event.preventDefault();
  event.clipboardData?.setData('text/plain', titles.join('\n'));
  notices.toast(selectionWords.copied(titles.length));
}

/** Not by taps that follow each other quickly and select. */
function renameRow(store: Store, event: MouseEvent): void {
  const ref = rowAt(event);
  if (ref?.entity !== 'task' || selected.value.size > 0) return;
  if (canWriteOrToast(store)) renaming.value = ref.id;
}

const pageSteps = new Map<string, 1 | -1>([
  ['PageDown', 1],
  ['PageUp', -1],
]);

/** ← and → reach box, title, dates and menu of a row, and Escape leaves them; ↵ on the dates plans. */
function pressInRow(store: Store, event: KeyboardEvent): void {
  const row = rowOf(event);
  const { target } = event;
  if (row === null || !(target instanceof HTMLElement) || target instanceof HTMLInputElement) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { key } = event;
  const step = pageSteps.get(key);
  if (key === 'Enter' && target.dataset.cell === 'date') {
    if (canWriteOrToast(store)) openOverlay({ kind: 'plan', ids: [row.dataset.row ?? ''] });
  } else if (key === 'Escape' && target !== row) row.focus();
  else if (step !== undefined) turnPage(row, step);
  else if (key === 'ArrowRight' || key === 'ArrowLeft') goToCell(row, target, key);
  else return;
  event.preventDefault();
}

/** The focus moves with its row. */
function turnPage(row: HTMLElement, step: 1 | -1): void {
  const inView = Math.floor((row.closest('.page')?.clientHeight ?? 0) / row.offsetHeight);
  const target = neighbour(step * Math.max(1, inView - 1));
  if (target !== undefined) focusRow(target.id);
}

function goToCell(row: HTMLElement, from: HTMLElement, key: 'ArrowRight' | 'ArrowLeft'): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>('.c, [data-cell], .row-menu button')];
  const isForward = (key === 'ArrowRight') === (getComputedStyle(row).direction === 'ltr');
  const next = stops.indexOf(from) + (isForward ? 1 : -1);
  stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus();
}
