import { type ReadonlySignal, signal } from '@preact/signals';
import type { AppEntity } from '#shared/app/app-protocol.ts';
import type { EntryDefaults } from '../quick-add/task-body.ts';
import type { TaskBeside } from '../store/task-drafts.ts';

/**
 * The one dialog over the screen. `<Overlays />` shows it, gives it the focus and returns the focus to the opener.
 * The pickers apply their choice to all of `ids` as one step of undo.
 */
export type Overlay =
  | { kind: 'quick-add'; text?: string; list?: QuickAddList }
  | { kind: 'palette'; text?: string }
  | { kind: 'plan' | 'move' | 'deadline' | 'repeat'; ids: readonly string[]; startsAtReminder?: boolean }
  | { kind: 'projectDeadline' | 'area' | 'completion'; id: string }
  | { kind: 'history'; entity: AppEntity; id: string; title: string }
  | { kind: 'keys' }
  /** A project more than the free plan has; `title` is what was to be added. */
  | { kind: 'limit'; title: string };

/** Where the opener wants the task. Without one the screen is the default. */
export type QuickAddList = EntryDefaults & { below: TaskBeside | null };

const present = signal<Overlay | null>(null);
export const overlay: ReadonlySignal<Overlay | null> = present;

export function openOverlay(next: Overlay): void {
  present.value = next;
}

export function closeOverlay(): void {
  present.value = null;
}
