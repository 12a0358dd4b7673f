import { deleteRow } from '../session.ts';
import { clearSection } from '../tasks/task-repository.ts';
import type { ChangedRecord } from './change-repository.ts';
import type { RecordChange } from './record-change.ts';
import { isChangedSince, startRevert } from './revert-fields.ts';
import { isGone, whyClosed } from './revert-task.ts';
import { bringBack, changedSince, type Undo } from './undo-context.ts';
import { findPlacedSections, findProjectStates, isInUse } from './undo-repository.ts';
import { updateRows } from './undo-writes.ts';

/**
 * Restores deleted sections before `between` restores their tasks, and removes new ones after it. Sections of
 * a new project are trashed with it.
 */
export async function undoSections(
  undo: Undo,
  records: readonly ChangedRecord[],
  newProjects: readonly ChangedRecord[],
  between: () => Promise<void>,
): Promise<void> {
  const changes = await undo.load(records);
  const projectIds = new Set(changes.map(projectOf));
  for (const { id } of newProjects) projectIds.delete(id);
  const projects = await findProjectStates(undo.session, [...projectIds]);
  const allowed = changes.filter((change) => {
    const project = projects.get(projectOf(change));
    if (project === undefined) return false;
    const reason = whyClosed(project);
    if (reason === undefined) return true;
    undo.keep(change, { field: null, reason });
    return false;
  });
  for (const change of allowed) {
    if (change.change === 'deleted' && change.present === null) bringBack(undo, change);
    if (change.change === 'updated') renameBack(undo, change);
  }
  await between();
  for (const change of allowed.filter((each) => each.change === 'created')) await removeNew(undo, change);
  for (const id of new Set(allowed.map(projectOf))) await restoreOrder(undo, String(id), allowed);
}

const projectOf = ({ before, present }: RecordChange): unknown => (present ?? before).project_id;

/** Its position is restored together with the others'. */
function renameBack(undo: Undo, change: RecordChange): void {
  const { position: _place, ...before } = change.before;
  if (change.present === null) undo.keep(change, isGone);
  else undo.update(change, startRevert({ ...change, before }).reverted());
}

/** Sections are deleted, not trashed. Its trashed tasks move to the project's root, as on deletion. */
async function removeNew(undo: Undo, change: RecordChange): Promise<void> {
  const { session } = undo;
  if (change.present === null) return;
  if (isChangedSince(change)) return undo.keep(change, changedSince);
  if (await isInUse(session, 'section', change.id))
    return undo.keep(change, { field: null, reason: 'It has tasks.' });
  await clearSection(session, String(projectOf(change)), change.id);
  deleteRow(session, 'Section', change.id);
  undo.count(1);
}

/**
 * Sections that were not moved since return to their old position; the others keep their order around them.
 * Positions are from 0 without gaps.
 */
async function restoreOrder(undo: Undo, projectId: string, changes: readonly RecordChange[]): Promise<void> {
  const { session, renderings } = undo;
  const wanted = new Map<string, number>();
  for (const { id, before, changedSince: moved } of changes) {
    if (typeof before.position === 'number' && !moved.includes('position')) wanted.set(id, before.position);
  }
  const sections = await findPlacedSections(session, projectId);
  const placeOf = ({ id, position }: (typeof sections)[number]) => wanted.get(id) ?? position;
  const inOrder = sections.toSorted((one, other) => placeOf(one) - placeOf(other));
  const [first] = wanted.keys();
  const misplaced = inOrder
    .map(({ id, position: former }, position) => ({ id, former, position }))
    .filter(({ former, position }) => former !== position)
    .toSorted((one, other) => Number(other.id === first) - Number(one.id === first));
  for (const { id, position } of misplaced) {
    updateRows(session, 'section', [id], { position }, renderings);
    if (wanted.has(id)) undo.count(1);
  }
}
