import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Outbox } from './outbox.ts';
import { type OutboxRecord, refusedGroups, textOf } from './outbox-record.ts';
import type { RowKey } from './row-types.ts';

export type Toast = {
  id: number;
  text: string;
  /** Appended to `text`. If it arrives later, it is shown alone. */
  more: string;
  /** The command that «Undo» undoes, or another action; null: no button. */
  undo: string | (() => void) | null;
};

/** A write that the server refused. */
export type Refusal = {
  /** Its place in the outbox. */
  id: number;
  record: OutboxRecord;
  message: string;
  /** The typed text, to copy; null if there is none. */
  text: string | null;
  requestId: string | null;
};

/** Conflicting notes: «Keep mine» or «Take theirs». */
export type NotesConflict = {
  row: RowKey;
  title: string;
  theirs: string;
  /** Their actor, unless it was the account's owner. */
  by: string | null | undefined;
};

export class Notices {
  /** Removes the toast of a change that was refused since. */
  readonly toasts: ReadonlySignal<readonly Toast[]>;
  readonly refusals: ReadonlySignal<readonly Refusal[]>;
  /** A write refused by a limit of the plan, shown in a dialog first. */
  readonly planLimit: ReadonlySignal<Refusal | null>;
  readonly notesConflicts: ReadonlySignal<readonly NotesConflict[]>;
  readonly #refused: ReadonlySignal<readonly OutboxRecord[]>;
  /** Limits whose dialog was closed; they remain refusals. */
  readonly #closedLimits = signal<ReadonlySet<number>>(new Set());
  readonly #toasts = signal<readonly Toast[]>([]);
  #lastId = 0;

  constructor({ records, refused }: Pick<Outbox, 'records' | 'refused'>) {
    this.#refused = refused;
    const isRefused = ({ undo }: Toast) => refused.value.some(({ command }) => command === undo);
    this.toasts = computed(() => this.#toasts.value.filter((toast) => !isRefused(toast)));
    this.notesConflicts = computed(() => records.value.flatMap(notesConflictOf));
    const all = computed(() => refusedGroups(refused.value).flatMap(refusalOf));
    const limits = computed(() => all.value.filter(({ record }) => record.refused?.limit !== undefined));
    this.planLimit = computed(() => limits.value.find(({ id }) => !this.#closedLimits.value.has(id)) ?? null);
    this.refusals = computed(() => all.value.filter(({ id }) => id !== this.planLimit.value?.id));
  }

  /** Refusals from before a reload open no dialog again. */
  closeLimits(): void {
    this.#closedLimits.value = new Set(this.#refused.value.map(({ n }) => n));
  }

  /** Replaces the toast that is shown. */
  toast(text: string, undo: Toast['undo'] = null, more: string = ''): void {
    this.#lastId += 1;
    this.#toasts.value = [{ id: this.#lastId, text, more, undo }];
  }

  /** Appends to the command's toast; if that is gone, shows both texts, unless there is a newer toast. */
  addToToast(text: string, undo: string, more: string, isLast: boolean): void {
    if (this.#toasts.value.length === 0) this.toast(text, isLast ? undo : null, more);
    this.#toasts.value = this.#toasts.value.map((toast) =>
      toast.undo === undo ? { ...toast, more } : toast,
    );
  }

  /** The toast names an older command than the undo key would undo. */
  dropUndoToast(): void {
    this.#toasts.value = this.#toasts.value.filter(({ undo }) => undo === null);
  }

  dismissToast(id: number): void {
    this.#toasts.value = this.#toasts.value.filter((toast) => toast.id !== id);
  }
}

function refusalOf(group: readonly OutboxRecord[]): Refusal[] {
  const [record] = group;
  if (record?.refused === undefined) return [];
  const { message, requestId } = record.refused;
  const texts = group.map(textOf).filter((text) => text !== null);
  const text = texts.length === 0 ? null : texts.join('\n\n');
  return [{ id: record.n, record, message, text, requestId }];
}

/** The conflict of a record that waits for the user's choice between two versions of the notes. */
function notesConflictOf({ hold, row, title, theirs }: OutboxRecord): NotesConflict[] {
  if (hold !== 'notes') return [];
  return [{ row, title, theirs: theirs?.notes ?? '', by: theirs?.by }];
}
