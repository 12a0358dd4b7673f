import type { RecordDraft } from './outbox-record.ts';
import type { RowTable } from './row-table.ts';
import type { TaskRow } from './row-types.ts';
import { draftPosition } from './task-drafts.ts';

/** Positions the open tasks in the given order after `after`; `build`: drafts required before each. */
export function draftChain(
  tasks: Pick<RowTable<TaskRow>, 'shown'>,
  chained: readonly TaskRow[],
  after: string | null,
  scope: 'list' | 'day',
  build: (task: TaskRow) => RecordDraft[] = () => [],
): RecordDraft[] {
  const shown = new Map(tasks.shown);
  let previous = after;
  return chained.flatMap((task) => {
    const first = build(task);
    const moved = applyDrafts(shown, task, first);
    // A closed one has no place.
    if (moved.status !== 'open') return first;
    const position = draftPosition({ shown }, moved, previous, scope);
    applyDrafts(shown, moved, [position]);
    previous = task.id;
    return [...first, position];
  });
}

/** Applies the drafts to the shown rows; returns the resulting task. */
function applyDrafts(shown: Map<string, TaskRow>, task: TaskRow, drafts: readonly RecordDraft[]): TaskRow {
  shown.set(task.id, task);
  for (const change of drafts.flatMap(({ changes }) => changes)) {
    const row = shown.get(change.id);
    if (row !== undefined && change.entity === 'task' && 'set' in change)
      shown.set(change.id, { ...row, ...change.set });
  }
  return shown.get(task.id) ?? task;
}
