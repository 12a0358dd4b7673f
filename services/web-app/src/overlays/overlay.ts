import { type ReadonlySignal, signal } from '@preact/signals';
import type { EntryDefaults } from '../quick-add/task-body.ts';
import type { TaskBeside } from '../store/task-drafts.ts';

/** The dialog over the screen. Pickers apply their choice to all `ids` as one step of undo. */
export type Overlay =
  | { kind: 'quick-add'; text?: string; list?: QuickAddList }
  | { kind: 'palette'; text?: string }
  | { kind: 'plan' | 'move' | 'deadline' | 'repeat'; ids: readonly string[]; startsAtReminder?: boolean }
  | { kind: 'projectDeadline' | 'area' | 'completion'; id: string }
  | { kind: 'history'; id: string; title: string }
  | { kind: 'keys' }
  /** The free plan's limit of projects was reached; `title`: of the new project. */
  | { kind: 'limit'; title: string };

/** The destination; by default the screen's. */
export type QuickAddList = EntryDefaults & { below: TaskBeside | null };

const present = signal<Overlay | null>(null);
export const overlay: ReadonlySignal<Overlay | null> = present;

export function openOverlay(next: Overlay): void {
  present.value = next;
}

export function closeOverlay(): void {
  present.value = null;
}
