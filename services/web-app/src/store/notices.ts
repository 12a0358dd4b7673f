import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { OutboxRecord } from './outbox-record.ts';

export type Toast = {
  id: number;
  text: string;
  /** The command that «Undo» takes back; null: no button. */
  undo: string | null;
};

/** A write that the server did not accept: the row shows the server's state again. */
export type Refusal = {
  id: number;
  record: OutboxRecord;
  kind: 'gone' | 'state' | 'invalid' | 'fault';
  /** The server's words. */
  message: string;
  /** What was typed, to copy; null when nothing was. */
  text: string | null;
  requestId: string | null;
};

/** A cap of the plan refused a write. */
export type PlanLimit = {
  limit: 'projects' | 'areas' | 'deadline' | 'storage';
  message: string;
  /** What was to be made. */
  title: string;
  /** Still in the outbox, since other writes build on it: `retryHeld` and `discardHeld` of the store take it. */
  record: number | null;
};

/** Notes that were changed here and by others: «Keep mine» or «Take theirs». */
export type NotesConflict = {
  record: number;
  /** Or the project's id. */
  taskId: string;
  mine: string;
  theirs: string;
  /** Who wrote them, when it was not this account's owner. */
  by: string | null;
};

/** What the app has to say to its user. */
export class Notices {
  readonly toasts: Signal<readonly Toast[]> = signal([]);
  readonly refusals: Signal<readonly Refusal[]> = signal([]);
  readonly planLimit: Signal<PlanLimit | null> = signal(null);
  readonly notesConflicts: ReadonlySignal<readonly NotesConflict[]>;
  #lastId = 0;

  constructor(notesConflicts: ReadonlySignal<readonly NotesConflict[]>) {
    this.notesConflicts = notesConflicts;
  }

  /** Replaces the toast that is shown. */
  toast(text: string, undo: string | null = null): void {
    this.#lastId += 1;
    this.toasts.value = [{ id: this.#lastId, text, undo }];
  }

  dismissToast(id: number): void {
    this.toasts.value = this.toasts.value.filter((toast) => toast.id !== id);
  }

  limit(limit: PlanLimit): void {
    this.planLimit.value = limit;
  }

  refuse(refusal: Omit<Refusal, 'id'>): void {
    this.#lastId += 1;
    this.refusals.value = [...this.refusals.value, { ...refusal, id: this.#lastId }];
  }

  dismissRefusal(id: number): void {
    this.refusals.value = this.refusals.value.filter((refusal) => refusal.id !== id);
  }
}

/** Of a record that waits until its user has chosen between two versions of the notes. */
export function notesConflictOf({ n, hold, row, body, theirs }: OutboxRecord): NotesConflict[] {
  if (hold !== 'notes') return [];
  const mine = typeof body?.description === 'string' ? body.description : '';
  return [{ record: n, taskId: row.id, mine, theirs: theirs?.notes ?? '', by: theirs?.by ?? null }];
}
