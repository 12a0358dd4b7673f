import { deleteRow } from '../session.ts';
import type { ChangedRecord } from './change-repository.ts';
import { isDropped, type RecordChange } from './record-change.ts';
import { isChangedSince, type KeptField, laterChange, type Reverted, tooLong } from './revert-fields.ts';
import { revertTask, type TaskSurroundings } from './revert-task.ts';
import type { Undo } from './undo-context.ts';
import { findSurroundings } from './undo-tasks.ts';
import { restoreRow } from './undo-writes.ts';

/**
 * Whether a completed repeat logged a task, which is completed as it is created, or its undo removed it: no
 * other transaction deletes a task. `changes`: without updates.
 */
export function isOccurrenceChange(changes: readonly RecordChange[]): boolean {
  return changes.some(({ change, left, present }) => {
    const task = { ...present, ...left };
    return change === 'deleted' || (task.status === 'completed' && task.completed_at === task.created_at);
  });
}

/** The series' columns that must be restorable to remove its occurrence. */
const datesOfSeries: readonly (string | null)[] = [null, 'dueDate', 'deadlineDate', 'recurrence'];

/**
 * Undoes the completion of a repeat, or its undo: both the series and its logged occurrence, or neither. The
 * occurrence is deleted, not trashed: it could be restored next to its series.
 */
export async function undoOccurrence(undo: Undo, records: readonly ChangedRecord[]): Promise<void> {
  const changes = await undo.load(records);
  const surroundings = await findSurroundings(undo, changes);
  const series: Series[] = changes
    .filter(({ change }) => change === 'updated')
    .map((change) => ({ change, reverted: revertTask(change, surroundings) }));
  const occurrences = changes.filter(({ change }) => change !== 'updated');
  const conflict = findConflict(occurrences, series);
  // A repeat from completion may be due on the same day again: then its logged task was the only change.
  const isAlone = series.length === 0;
  if (conflict !== undefined) {
    for (const change of isAlone ? occurrences : series.map((each) => each.change))
      undo.keep(change, conflict);
    return;
  }
  for (const { change, reverted } of series) undo.update(change, reverted);
  // Its series counts for it, unless another change has brought that back already.
  const isCounted = series.some(({ reverted }) => Object.keys(reverted.changes).length > 0);
  for (const occurrence of occurrences) {
    const isDone = moveOccurrence(undo, occurrence, surroundings);
    if (isDone && !isCounted) undo.count(1);
  }
}

/** Deletes the logged task, or restores it. Returns false if that was done already. */
function moveOccurrence(
  { session, renderings }: Undo,
  { change, id, present, before }: RecordChange,
  { sections }: TaskSurroundings,
): boolean {
  if ((change === 'created') === (present === null)) return false;
  const values = sections.has(before.section_id) ? before : { ...before, section_id: null };
  if (change === 'created') deleteRow(session, 'Task', id);
  else restoreRow(session, 'task', id, values, renderings);
  return true;
}

type Series = { change: RecordChange; reverted: Reverted };

function findConflict(
  occurrences: readonly RecordChange[],
  series: readonly Series[],
): KeptField | undefined {
  if (occurrences.some(isWorkedOn)) return { field: null, reason: laterChange.logged };
  if (occurrences.some(({ before }) => Object.values(before).some(isDropped))) return tooLong;
  return series.flatMap(({ reverted }) => reverted.kept).find(({ field }) => datesOfSeries.includes(field));
}

const isWorkedOn = (occurrence: RecordChange): boolean =>
  occurrence.change === 'created' && occurrence.present !== null && isChangedSince(occurrence);
