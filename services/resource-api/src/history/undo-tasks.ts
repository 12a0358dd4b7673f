import type { ChangedRecord } from './change-repository.ts';
import type { RecordChange, Values } from './record-change.ts';
import { isChangedSince, type Reverted } from './revert-fields.ts';
import { revertTask, type TaskSurroundings } from './revert-task.ts';
import { changedSince, type Undo } from './undo-context.ts';
import { findIds, findProjectStates } from './undo-repository.ts';
import { updateRows } from './undo-writes.ts';

/** Tasks that are loaded, checked and written together. */
const tasksAtOnce = 500;

export async function undoTasks(undo: Undo, records: readonly ChangedRecord[]): Promise<void> {
  for (let first = 0; first < records.length; first += tasksAtOnce) {
    if (first > 0) undo.session.renew();
    const changes = await undo.load(records.slice(first, first + tasksAtOnce));
    const surroundings = await findSurroundings(undo, changes);
    writeTogether(
      undo,
      changes.map((change) => ({ change, reverted: revert(undo, change, surroundings) })),
    );
  }
}

function revert({ session }: Undo, change: RecordChange, surroundings: TaskSurroundings): Reverted {
  if (change.change === 'updated') return revertTask(change, surroundings);
  // A created task is trashed unless it was edited since.
  const { present } = change;
  if (present === null || present.trashed_at !== null) return { changes: {}, kept: [] };
  if (isChangedSince(change)) return { changes: {}, kept: [changedSince] };
  return { changes: { trashed_at: session.changedAt }, kept: [] };
}

export async function findSurroundings(
  { session }: Undo,
  changes: readonly RecordChange[],
): Promise<TaskSurroundings> {
  const ids = (column: string) => [
    ...new Set(changes.flatMap(({ before, present }) => [before[column], present?.[column]]).filter(Boolean)),
  ];
  return {
    plan: session.account.plan,
    projects: await findProjectStates(session, ids('project_id')),
    sections: await findIds(session, 'section', ids('section_id')),
  };
}

/**
 * One statement for all tasks that get the same values, since a project may have thousands. The first task
 * has its own statement, so that it stays the first change.
 */
function writeTogether(undo: Undo, all: readonly { change: RecordChange; reverted: Reverted }[]): void {
  const groups = new Map<string, { changes: Values; ids: string[] }>();
  for (const [index, { change, reverted }] of all.entries()) {
    for (const kept of reverted.kept) undo.keep(change, kept);
    const { changes } = reverted;
    if (Object.keys(changes).length === 0) continue;
    const key = JSON.stringify([index === 0, changes]);
    const group = groups.get(key) ?? { changes, ids: [] };
    groups.set(key, group);
    group.ids.push(change.id);
  }
  for (const { changes, ids } of groups.values()) {
    updateRows(undo.session, 'task', ids, changes, undo.renderings);
    undo.count(ids.length);
  }
}
