import type { AppEntity } from '#shared/app/app-protocol.ts';
import type { OutboxRecord, RecordDraft } from './outbox-record.ts';
import { type RowChange, type RowKey, setFields } from './row-types.ts';
import { keyText, type Rows } from './rows.ts';

const stepsKept = 20;

/** One command of this tab. */
export type UndoStep = {
  command: string;
  label: string;
  /** The rows as shown before. */
  inverse: RowChange[];
  records: OutboxRecord[];
  answered: Set<number>;
  /** Undone or discarded records, which changed nothing. */
  dropped: Set<number>;
};

/** The last commands of this tab, and the state of their records. */
export class UndoLog {
  readonly #steps: UndoStep[] = [];

  add(step: Omit<UndoStep, 'answered' | 'dropped'>): void {
    this.#steps.push({ ...step, answered: new Set(), dropped: new Set() });
    this.#steps.splice(0, this.#steps.length - stepsKept);
  }

  last(): UndoStep | undefined {
    return this.#steps.at(-1);
  }

  find(command: string): UndoStep | undefined {
    return this.#steps.find((step) => step.command === command);
  }

  remove(step: UndoStep): void {
    this.#steps.splice(this.#steps.indexOf(step), 1);
  }

  noteAnswer(n: number): void {
    this.#stepOf(n)?.answered.add(n);
  }

  /** They have left the outbox. */
  noteRemoved(places: readonly number[]): void {
    for (const n of places) {
      const step = this.#stepOf(n);
      if (step?.answered.has(n) === false) step.dropped.add(n);
    }
  }

  #stepOf(n: number): UndoStep | undefined {
    return this.#steps.find(({ records }) => records.some((record) => record.n === n));
  }
}

/** Changes that restore the rows as shown before the drafts. */
export function inverseOf(rows: Rows, drafts: readonly RecordDraft[]): RowChange[] {
  const changes = Map.groupBy(
    drafts.flatMap((draft) => draft.changes),
    keyText,
  );
  return [...changes.values()].flatMap((ofRow) => {
    const [first] = ofRow;
    return first === undefined ? [] : inverseOfRow(rows, first, ofRow);
  });
}

function inverseOfRow(rows: Rows, { entity, id }: RowKey, changes: readonly RowChange[]): RowChange[] {
  const shown = rows.table(entity).find(id);
  if (shown === undefined) return [goneOf(entity, id)];
  const isGone = changes.some((change) => 'gone' in change);
  const fields = new Set(changes.flatMap((change) => ('set' in change ? Object.keys(change.set) : [])));
  const kept = Object.entries(shown).filter(([field]) => isGone || fields.has(field));
  return [setFields(entity, id, Object.fromEntries(kept))];
}

/** Created rows are trashed, or deleted if their kind has no Trash. */
function goneOf(entity: AppEntity, id: string): RowChange {
  const hasTrash = entity === 'task' || entity === 'project';
  return hasTrash ? setFields(entity, id, { inTrash: true }) : { entity, id, gone: true };
}
