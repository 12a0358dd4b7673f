import { openMenu } from '../menu/menu-state.ts';
import { openOverlay } from '../overlays/overlay.ts';
import type { Store } from '../store/store.ts';
import { screenWords } from '../words/screen-words.ts';

function rowOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
}

/** The row of a task in which it happened; not that of a project. */
export function taskRowOf(event: Event): HTMLElement | null {
  const row = rowOf(event);
  return row?.dataset.entity === 'project' ? null : row;
}

/** Menus and keys of rows: they reach the body before the keys of the page are read. */
export function followRowEvents(store: Store): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  document.body.addEventListener('contextmenu', (event) => openRowMenu(store, event), { signal });
  document.body.addEventListener('keydown', pressInRow, { signal });
  return () => ending.abort();
}

/** The second button of the mouse, or the menu key. */
function openRowMenu(store: Store, event: MouseEvent): void {
  const row = rowOf(event);
  const task = store.rows.tasks.find(row?.dataset.row ?? '');
  if (row === null || task === undefined || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  // A long touch drags the row.
  if (event instanceof PointerEvent && event.pointerType === 'touch') return;
  row.focus();
  const isByKey = event.clientX === 0 && event.clientY === 0;
  const point = isByKey ? null : { x: event.clientX, y: event.clientY };
  openMenu({ label: screenWords.actionsFor(task.title), items: { taskId: task.id }, anchor: row, point });
}

/** ← and → reach the box, the title, the dates and the menu of a row, and Escape leaves them; ↵ on the dates plans. */
function pressInRow(event: KeyboardEvent): void {
  const row = rowOf(event);
  const { target } = event;
  if (row === null || !(target instanceof HTMLElement) || target instanceof HTMLInputElement) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key === 'Enter' && target.dataset.cell === 'date') {
    openOverlay({ kind: 'plan', ids: [row.dataset.row ?? ''] });
    event.preventDefault();
    return;
  }
  if (event.key === 'Escape' && target !== row) {
    row.focus();
    event.preventDefault();
    return;
  }
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
  const stops = [row, ...row.querySelectorAll<HTMLElement>('.c, [data-cell], .row-menu button')];
  const isForward = (event.key === 'ArrowRight') === (getComputedStyle(row).direction === 'ltr');
  const next = stops.indexOf(target) + (isForward ? 1 : -1);
  stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus();
  event.preventDefault();
}
