import type { ActivityChange, ActivityEntry, FieldChange } from '#shared/app/app-protocol.ts';
import { fieldOf, type HistoryChange, isDropped, type OccurrenceChange } from './record-change.ts';

/** The order of a change's fields; columns that are not named follow. */
const fieldOrder = [
  'title',
  'status',
  'trashed_at',
  'list',
  'project_id',
  'section_id',
  'area_id',
  'due_date',
  'reminder_time',
  'deadline_date',
  'recurrence',
  'description',
  'checklist',
];
/** Derived from other columns, or not visible to clients. */
const hiddenColumns = [
  'completed_at',
  'cancelled_at',
  'recurrence_anchor',
  'series_due_date',
  'series_deadline_date',
  'is_trashed_with_project',
  'created_at',
];

/** A change with its public fields. `occurrence`: the logged occurrence that the same transaction created. */
export function presentChange(
  change: HistoryChange,
  occurrence: OccurrenceChange | undefined,
): ActivityChange {
  const { stamp, entity, id, title, isUndone, isPartlyUndone } = change;
  const kind = occurrence?.id === id ? 'updated' : change.change;
  const fields = fieldsOf(change);
  const [before, after] = occurrence?.change === 'created' ? ['open', 'completed'] : ['completed', 'open'];
  if (occurrence !== undefined) fields.unshift({ field: 'status', before, after });
  else if (isSkip(change)) fields.unshift({ field: 'status', before: 'open', after: 'skipped' });
  return { stamp, entity, id, title, change: kind, fields, isUndone, isPartlyUndone };
}

/**
 * A skip advances the series without a logged occurrence. A date sent with a rule restarts the series, and a
 * moved deadline keeps the dueDate.
 */
function isSkip({ actor, before, after }: HistoryChange): boolean {
  const start = after.recurrence_anchor;
  const isDueKept = typeof after.due_date === 'string' && before?.due_date === undefined;
  return (
    actor.isUndo !== true &&
    ['series_due_date', ...(isDueKept ? [] : ['series_deadline_date'])].some((column) => {
      const [from, to] = [before?.[column], after[column]];
      return typeof from === 'string' && typeof to === 'string' && from < to && to !== start;
    })
  );
}

function fieldsOf({ change, before, after }: HistoryChange): FieldChange[] {
  if (change !== 'updated' || before === null) return [];
  const placeOf = (column: string): number => fieldOrder.indexOf(column) + 1 || fieldOrder.length + 1;
  return Object.keys(before)
    .filter((column) => !hiddenColumns.includes(column))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((column) => ({
      field: fieldOf(column),
      before: shownValue(column, before[column]),
      after: shownValue(column, after[column]),
    }));
}

function shownValue(column: string, value: unknown): unknown {
  if (column === 'trashed_at') return value !== null;
  return isDropped(value) ? undefined : value;
}

const entryMilliseconds = 120_000;

/** `day`: the day of a dated task after the change. */
export type Attributed = { change: ActivityChange; day: unknown } & Pick<
  HistoryChange,
  'actor' | 'isRedo' | 'sectionOf'
>;

type ListedEntry = Omit<ActivityEntry, 'leftOut'>;

/**
 * Groups changes, newest first, into entries of one actor within two minutes. Each undo is an entry, and the
 * next change starts another. Changes by others in between do not end an entry.
 */
export function groupByActor(changes: readonly Attributed[]): ListedEntry[] {
  const entries: ListedEntry[] = [];
  const open = new Map<string, ListedEntry>();
  for (const { change, actor, isRedo } of changes) {
    const { stamp } = change;
    const { kind, id, name, isUndo = false } = actor;
    const key = `${kind} ${id} ${isUndo} ${isRedo}`;
    let entry = open.get(key);
    if (isUndo) open.clear();
    if (entry === undefined || !isWithinEntry(entry.to, stamp)) {
      entry = { actor: { kind, id, name }, from: stamp, to: stamp, stamps: [], isUndo, isRedo, changes: [] };
      entries.push(entry);
    }
    open.set(key, entry);
    entry.from = stamp;
    if (entry.stamps.at(-1) !== stamp) entry.stamps.push(stamp);
    entry.changes.push(change);
  }
  for (const entry of entries) entry.changes.reverse();
  return entries;
}

/** Whether a change can belong to the entry whose newest change is `newest`. */
export function isWithinEntry(newest: string, stamp: string): boolean {
  return Date.parse(newest) - Date.parse(stamp) <= entryMilliseconds;
}
