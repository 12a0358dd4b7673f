import { fieldOf, isDropped, type RecordChange, type Values } from './record-change.ts';

export type KeptField = { field: string | null; reason: string };

export const tooLong: KeptField = { field: null, reason: 'What it was before was too long to be kept.' };
/** Columns to write, and fields that are not restored. */
export type Reverted = { changes: Values; kept: KeptField[] };

/** Columns that are restored together, by the first of them. */
const units: Readonly<Record<string, readonly string[]>> = {
  status: ['completed_at', 'cancelled_at'],
  trashed_at: ['is_trashed_with_project'],
  list: ['project_id', 'section_id'],
  recurrence: ['recurrence_anchor', 'series_due_date'],
  deadline_date: ['series_deadline_date'],
};
/** Without a new rule the series goes where its date went, by completing or skipping. */
const unitsOfRoll: typeof units = {
  ...units,
  recurrence: [],
  due_date: ['recurrence_anchor', 'series_due_date'],
};

/** The fields of an updated record to be restored. Rules may exclude some of them. */
export type Revert = {
  /** The resulting record, without its texts. */
  result(): Values;
  /** Whether one of the columns, or another of their unit, is restored. */
  has(column: string): boolean;
  /** Excludes the columns of a unit. */
  keep(column: string, reason: string): void;
  /** Writes another value than the old one; `reason` is shown to users. */
  replace(column: string, value: unknown, reason?: string): void;
  reverted(): Reverted;
};

/** Why a change is kept although its old value could be restored. */
export const laterChange = {
  own: 'It was changed since.',
  logged: 'Its logged task was changed since.',
};

/** Positions do not count as changes of a record. */
const places = ['rank', 'day_rank', 'position'];

/** Restores each unit whose columns still have the values that the change wrote. */
export function startRevert({ before, changedSince, alreadyBack, present }: RecordChange): Revert {
  const kept: KeptField[] = [];
  const wanted = new Map<string, Record<string, unknown>>();
  const others = 'series_due_date' in before && !('recurrence' in before) ? unitsOfRoll : units;
  const unitOf = (column: string) =>
    Object.keys(others).find((leader) => others[leader]?.includes(column)) ?? column;
  const columnsOf = (unit: string) => [unit, ...(others[unit] ?? [])];
  for (const unit of new Set(Object.keys(before).map(unitOf))) {
    const columns = columnsOf(unit).filter((column) => column in before);
    if (columns.every((column) => alreadyBack.includes(column))) continue;
    const values = columns.map((column) => [column, before[column]]);
    if (columnsOf(unit).some((column) => changedSince.includes(column)))
      kept.push({ field: fieldOf(unit), reason: laterChange.own });
    else if (columns.some((column) => isDropped(before[column])))
      kept.push({ ...tooLong, field: fieldOf(unit) });
    else wanted.set(unit, Object.fromEntries(values));
  }
  const changes = (): Values => Object.assign({}, ...wanted.values());
  return {
    result: () => ({ ...present, ...changes() }),
    has: (column) => wanted.has(unitOf(column)),
    keep(column, reason) {
      if (wanted.delete(unitOf(column))) kept.push({ field: fieldOf(unitOf(column)), reason });
    },
    replace(column, value, reason) {
      const unit = unitOf(column);
      if (reason !== undefined) kept.push({ field: fieldOf(column), reason });
      wanted.set(unit, { ...wanted.get(unit), [column]: value });
    },
    reverted() {
      // A rank belongs to its list; a change of ranks alone is not an action of a user.
      const isAlone = [...wanted.keys()].every((unit) => places.includes(unit));
      if (kept.some(({ field }) => field === 'list' || isAlone))
        for (const place of places) wanted.delete(place);
      return { changes: changes(), kept };
    },
  };
}

/** Whether the record was edited since its creation; positions do not count. */
export function isChangedSince({ changedSince }: RecordChange): boolean {
  return changedSince.some((column) => !places.includes(column));
}
