import type { ChangedRecord } from './change-repository.ts';
import { isDropped, type RecordChange } from './record-change.ts';
import { isChangedSince } from './revert-fields.ts';
import { revertTask } from './revert-task.ts';
import { bringBack, tooLong, type Undo } from './undo-context.ts';
import { findSurroundings } from './undo-tasks.ts';
import { deleteRow } from './undo-writes.ts';

/**
 * Whether a completed repeat logged a task, or an undo removed it: no other transaction makes a task that is closed, or
 * deletes one. `changes` are those that are not updates.
 */
export function isOccurrenceChange(changes: readonly RecordChange[]): boolean {
  return changes.some(
    ({ change, left, present }) => change === 'deleted' || (left.status ?? present?.status) === 'completed',
  );
}

/** What of the series has to go back for its occurrence to go. */
const datesOfSeries: readonly (string | null)[] = [null, 'dueDate', 'deadlineDate', 'recurrence'];

/**
 * Takes a completed repeat back, or the undo of one: the series and its logged occurrence, or neither. The occurrence is
 * removed, not moved to the Trash: it was never a task of its own, and could be restored as one beside its series.
 */
export async function undoOccurrence(undo: Undo, records: readonly ChangedRecord[]): Promise<void> {
  const changes = await undo.load(records);
  const surroundings = await findSurroundings(undo, changes);
  const series = changes
    .filter(({ change }) => change === 'updated')
    .map((change) => ({ change, reverted: revertTask(change, surroundings) }));
  const occurrences = changes.filter(({ change }) => change !== 'updated');
  const hindrances = [
    ...occurrences
      .filter(isWorkedOn)
      .map(() => ({ field: null, reason: 'Its logged task was changed since.' })),
    ...occurrences.filter(({ before }) => Object.values(before).some(isDropped)).map(() => tooLong),
    ...series.flatMap(({ reverted }) => reverted.kept.filter(({ field }) => datesOfSeries.includes(field))),
  ];
  const [hindrance] = hindrances;
  if (hindrance !== undefined) {
    for (const { change } of series) undo.keep(change, hindrance);
    return;
  }
  for (const { change, reverted } of series) undo.update(change, reverted);
  for (const change of occurrences) {
    if (change.change === 'created' && change.present !== null) deleteRow(undo.session, 'task', change.id);
    if (change.change === 'deleted' && change.present === null) {
      const { section_id: section } = change.before;
      const isInSection = section === null || surroundings.sections.has(section);
      bringBack(undo, isInSection ? change : { ...change, before: { ...change.before, section_id: null } });
    }
  }
}

const isWorkedOn = (occurrence: RecordChange): boolean =>
  occurrence.change === 'created' && occurrence.present !== null && isChangedSince(occurrence);
