import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Outbox } from './outbox.ts';
import { type OutboxRecord, type PlanCap, refusedGroups, textOf } from './outbox-record.ts';
import type { RowKey } from './row-types.ts';

export type Toast = {
  id: number;
  text: string;
  /** Stands behind `text`. When it came later, it is said alone. */
  more: string;
  /** The command that «Undo» takes back, or what it does instead; null: no button. */
  undo: string | (() => void) | null;
};

/** A write that the server did not accept. */
export type Refusal = {
  /** Its place in the outbox. */
  id: number;
  record: OutboxRecord;
  message: string;
  /** What was typed, to copy; null when nothing was. */
  text: string | null;
  requestId: string | null;
};

/** A cap of the plan refused a write: told in a dialog first. */
type PlanLimit = Refusal & { limit: PlanCap };

/** Notes that were changed here and by others: «Keep mine» or «Take theirs». */
export type NotesConflict = {
  row: RowKey;
  title: string;
  theirs: string;
  /** Who wrote them, when it was not this account's owner. */
  by: string | null | undefined;
};

/** What the app has to say to its user. */
export class Notices {
  /** Without what was said of a change that was refused since. */
  readonly toasts: ReadonlySignal<readonly Toast[]>;
  readonly refusals: ReadonlySignal<readonly Refusal[]>;
  readonly planLimit: ReadonlySignal<PlanLimit | null>;
  readonly notesConflicts: ReadonlySignal<readonly NotesConflict[]>;
  readonly #refused: ReadonlySignal<readonly OutboxRecord[]>;
  /** Their dialog was closed; they stay among the refusals. */
  readonly #closedLimits = signal<ReadonlySet<number>>(new Set());
  readonly #toasts = signal<readonly Toast[]>([]);
  #lastId = 0;

  constructor({ records, refused }: Pick<Outbox, 'records' | 'refused'>) {
    this.#refused = refused;
    const isRefused = ({ undo }: Toast) => refused.value.some(({ command }) => command === undo);
    this.toasts = computed(() => this.#toasts.value.filter((toast) => !isRefused(toast)));
    this.notesConflicts = computed(() => records.value.flatMap(notesConflictOf));
    const all = computed(() => refusedGroups(refused.value).flatMap(refusalOf));
    const limits = computed(() => all.value.flatMap(limitOf));
    this.planLimit = computed(() => limits.value.find(({ id }) => !this.#closedLimits.value.has(id)) ?? null);
    this.refusals = computed(() => all.value.filter(({ id }) => id !== this.planLimit.value?.id));
  }

  /** Those of an earlier page are not told in a dialog again. */
  closeLimits(): void {
    this.#closedLimits.value = new Set(this.#refused.value.map(({ n }) => n));
  }

  /** Replaces the toast that is shown. */
  toast(text: string, undo: Toast['undo'] = null, more: string = ''): void {
    this.#lastId += 1;
    this.#toasts.value = [{ id: this.#lastId, text, more, undo }];
  }

  /** Adds to the toast of the command; when it has gone, says both, unless there is something newer. */
  addToToast(text: string, undo: string, more: string, isLast: boolean): void {
    if (this.#toasts.value.length === 0) this.toast(text, isLast ? undo : null, more);
    this.#toasts.value = this.#toasts.value.map((toast) =>
      toast.undo === undo ? { ...toast, more } : toast,
    );
  }

  /** The key for Undo takes back a newer command than the toast names. */
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

function limitOf(refusal: Refusal): PlanLimit[] {
  const { limit } = refusal.record.refused ?? {};
  return limit === undefined ? [] : [{ ...refusal, limit }];
}

/** Of a record that waits until its user has chosen between two versions of the notes. */
function notesConflictOf({ hold, row, title, theirs }: OutboxRecord): NotesConflict[] {
  if (hold !== 'notes') return [];
  return [{ row, title, theirs: theirs?.notes ?? '', by: theirs?.by }];
}
