import { type ActivityPage, type AppEntity, appApiPath } from '#shared/app/app-protocol.ts';
import type { AnsweredRecord } from './answered-record.ts';
import type { OutboxRecord, RecordDraft } from './outbox-record.ts';
import { type RowChange, type RowKey, setFields } from './row-types.ts';
import { keyText, type Rows } from './rows.ts';

const stepsKept = 20;

/** One command of this tab. */
export type UndoStep = {
  command: string;
  label: string;
  /** What the rows showed before. */
  inverse: RowChange[];
  records: OutboxRecord[];
  /** Stamps by record, once its end is known; null: it was taken back or refused. */
  ended: Map<number, readonly string[] | null>;
};

/** The last commands of this tab, and what the server has called their transactions. */
export class UndoLog {
  readonly #steps: UndoStep[] = [];
  /** Taken out while answers to their records were still to come. */
  readonly #taken = new Set<UndoStep>();
  readonly #waiting = new Map<number, () => void>();

  add(step: Omit<UndoStep, 'ended'>): void {
    this.#steps.push({ ...step, ended: new Map() });
    this.#steps.splice(0, this.#steps.length - stepsKept);
  }

  /** The last step, or the one of the command; it is taken out. */
  take(command?: string): UndoStep | undefined {
    const place = command === undefined ? -1 : this.#steps.findIndex((step) => step.command === command);
    if (command !== undefined && place === -1) return undefined;
    const [step] = this.#steps.splice(place, 1);
    if (step !== undefined) this.#taken.add(step);
    return step;
  }

  find(command: string): UndoStep | undefined {
    return this.#steps.find((step) => step.command === command);
  }

  isLast(command: string): boolean {
    return this.#steps.at(-1)?.command === command;
  }

  noteAnswer({ n, stamps }: AnsweredRecord): void {
    this.#noteEnd(n, stamps);
  }

  /** They have left the outbox: without an answer before, they have changed nothing. */
  noteRemoved(places: readonly number[]): void {
    for (const n of places) this.#noteEnd(n, null);
  }

  #noteEnd(n: number, stamps: readonly string[] | null): void {
    const steps = [...this.#steps, ...this.#taken];
    const step = steps.find(({ records }) => records.some((record) => record.n === n));
    if (step === undefined || step.ended.has(n)) return;
    step.ended.set(n, stamps);
    this.#waiting.get(n)?.();
    this.#waiting.delete(n);
  }

  /** Resolves when the ends of all records of a step that was taken out are known. */
  async ends(step: UndoStep): Promise<void> {
    const waits = step.records
      .filter(({ n }) => !step.ended.has(n))
      .map(({ n }) => new Promise<void>((resolve) => this.#waiting.set(n, resolve)));
    await Promise.all(waits);
    this.#taken.delete(step);
  }
}

/** Changes that show the rows as they are now, before the drafts. */
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

/** What was made goes to the Trash, where there is one. */
function goneOf(entity: AppEntity, id: string): RowChange {
  if (entity === 'task') return { entity, id, set: { inTrash: true } };
  return entity === 'project' ? { entity, id, set: { inTrash: true } } : { entity, id, gone: true };
}

/** The stamp of a deletion: its answer has no row. */
export async function findDeletionStamp(
  read: (path: string) => Promise<ActivityPage>,
  { entity, id }: RowKey,
): Promise<string[]> {
  const { entries } = await read(`${appApiPath}/activity?entity=${entity}&id=${id}`);
  const own = entries.filter(({ actor }) => actor.kind === 'browser');
  const changes = own.flatMap((entry) => entry.changes).filter((change) => change.id === id);
  const deletions = changes.filter(
    ({ change, fields }) => change === 'deleted' || fields.some(({ field }) => field === 'inTrash'),
  );
  const newest = deletions
    .map(({ stamp }) => stamp)
    .sort()
    .at(-1);
  return newest === undefined ? [] : [newest];
}
