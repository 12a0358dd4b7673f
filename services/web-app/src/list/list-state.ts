import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { announce } from '../live/announce.tsx';
import type { TaskBeside } from '../store/task-drafts.ts';
import { listWords } from '../words/list-words.ts';
import type { ListGroup, RowRef } from './list-group.ts';

type ShownList = {
  groups: readonly ListGroup[];
  rows: readonly RowRef[];
  /** Scrolls to the row and gives it the focus. */
  reveal(id: string): void;
};

const shown = signal<ShownList | null>(null);
export const shownList: ReadonlySignal<ShownList | null> = shown;

/** The row that keys act on. It has the list's tab stop. */
export const cursor = signal<string | null>(null);
/** Ids of tasks. */
const selection = signal<ReadonlySet<string>>(new Set());
export const selected: ReadonlySignal<ReadonlySet<string>> = selection;
/** The row whose title is being edited. */
export const renaming = signal<string | null>(null);
/** The task whose notes will be edited when they are shown. */
export const notesAskedFor = signal<string | null>(null);

/** Where ⇧↑ and ⇧↓ started. */
let anchor: string | null = null;
/** The selection at that time, which stays selected. */
let others: readonly string[] = [];

/** Updates cursor and selection when rows get the server's ids; deselects rows that left the list. */
export function showList(list: ShownList, idOf: (id: string) => string): void {
  shown.value = list;
  if (cursor.value !== null) cursor.value = idOf(cursor.value);
  if (selected.value.size === 0) return;
  const present = new Set(list.rows.map(({ id }) => id));
  const kept = [...selected.value].map(idOf).filter((id) => present.has(id));
  if (kept.join() !== [...selected.value].join()) selection.value = new Set(kept);
  if (anchor !== null) anchor = present.has(idOf(anchor)) ? idOf(anchor) : null;
  others = others.map(idOf);
}

/** The screen is closed, so its list no longer receives actions. */
export function hideList(): void {
  batch(() => {
    shown.value = null;
    cursor.value = null;
    renaming.value = null;
    clearSelection();
  });
}

export function clearSelection(): void {
  anchor = null;
  if (selected.value.size > 0) selection.value = new Set();
}

/** Ends the selection at the user's request and announces it. Actions on the tasks announce themselves. */
export function endSelection(): void {
  clearSelection();
  announce(listWords.selectionEnded);
}

export function toggleSelected(id: string): void {
  const next = new Set(selected.value);
  if (!next.delete(id)) next.add(id);
  anchor = id;
  others = [...next];
  selection.value = next;
}

export function selectAll(): void {
  anchor = null;
  selection.value = new Set(taskIds(shown.value?.rows ?? []));
}

/** Selects from the last individually selected row to this one. */
export function selectTo(id: string): void {
  const rows = shown.value?.rows ?? [];
  if (anchor === null) {
    anchor = cursor.value ?? id;
    others = [...selected.value];
  }
  const [from, to] = [place(anchor), place(id)].sort((a, b) => a - b);
  selection.value = new Set([...others, ...taskIds(rows.slice(from, (to ?? 0) + 1))]);
}

function taskIds(rows: readonly RowRef[]): string[] {
  return rows.filter((row) => row.entity === 'task').map((row) => row.id);
}

export function selectedInOrder(): string[] {
  const rows = shown.value?.rows ?? [];
  return rows.flatMap((row) => (selected.value.has(row.id) ? [row.id] : []));
}

/** An action on a selected row applies to the whole selection. */
export function withSelected(id: string): string[] {
  return selected.value.has(id) ? selectedInOrder() : [id];
}

export function cursorRow(): RowRef | undefined {
  return shown.value?.rows.find(({ id }) => id === cursor.value);
}

export function groupOf(id: string): ListGroup | undefined {
  return shown.value?.groups.find((group) => group.rows.some((row) => row.id === id));
}

/** The order in which the present list shows the task. */
export function scopeOf(id: string): TaskBeside['scope'] {
  return groupOf(id)?.place?.kind ?? 'list';
}

function place(id: string): number {
  return shown.value?.rows.findIndex((row) => row.id === id) ?? -1;
}

/** The row `step` rows after the cursor; the first one without a cursor. */
export function neighbour(step: number): RowRef | undefined {
  const rows = shown.value?.rows ?? [];
  const present = cursor.value === null ? -1 : place(cursor.value);
  if (present === -1) return step > 0 ? rows[0] : rows.at(-1);
  return rows[Math.min(Math.max(present + step, 0), rows.length - 1)];
}

/** The nearest remaining row below these, otherwise above. */
export function rowAfter(ids: ReadonlySet<string>): RowRef | undefined {
  const rows = shown.value?.rows ?? [];
  const last = rows.findLastIndex((row) => ids.has(row.id));
  return (
    rows.slice(last + 1).find((row) => !ids.has(row.id)) ??
    rows.slice(0, Math.max(last, 0)).findLast((row) => !ids.has(row.id))
  );
}

/** Moves the focus to the earlier element, the cursor's row, or the screen, so that it is never lost. */
export function returnFocus(opener: Element | null): void {
  const row = cursorRow();
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else if (row !== undefined) focusRow(row.id);
  // There is no earlier element, or the row's list was removed, too.
  if (document.activeElement === document.body) focusScreen();
}

export function isInList(): boolean {
  return document.activeElement?.closest('[role="grid"]') != null;
}

/** Whether a row has the focus, not a heading. */
export function isOnRow(): boolean {
  return document.activeElement?.closest('[data-row]') != null;
}

export function rowElement(box: ParentNode | null, id: string | null): HTMLElement | null {
  return box?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"]`) ?? null;
}

/** On phones, an open task replaces the screen. */
export function focusScreen(): void {
  const screen = document.querySelector<HTMLElement>('main.detail') ?? document.getElementById('main');
  screen?.focus();
}

/** To be called when the focused element was removed; a focus that moved elsewhere stays. */
export function returnFocusSoon(opener: Element | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) returnFocus(opener);
  });
}

export function focusRow(id: string): void {
  cursor.value = id;
  shown.value?.reveal(id);
}
