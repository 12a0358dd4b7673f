import type { AppEntity } from '#shared/app/app-protocol.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { countAreas } from '../areas/area-repository.ts';
import { requireRoomForArea } from '../plans/plan-policy.ts';
import { ungroupProjects } from '../projects/project-repository.ts';
import { requireRoom } from '../projects/project-service.ts';
import { deleteRow, type WriteSession } from '../session.ts';
import { type ChangedRecord, findChangedRecords } from './change-repository.ts';
import type { RecordChange } from './record-change.ts';
import { isChangedSince, startRevert } from './revert-fields.ts';
import { isLive, revertProject } from './revert-project.ts';
import { bringBack, changedSince, startUndo, type Undo, type Undone } from './undo-context.ts';
import { isOccurrenceChange, undoOccurrence } from './undo-occurrence.ts';
import { findIds, hasOtherOpenTasks, isInUse } from './undo-repository.ts';
import { undoSections } from './undo-sections.ts';
import { undoTasks } from './undo-tasks.ts';
import type { Renderings } from './undo-writes.ts';

/**
 * Undoes the transaction with `stamp`, as far as its changes are still in effect. Referenced records are
 * restored first and removed last. Rules, plan and states apply as to any change; fields that are kept are
 * listed with the reason.
 */
export async function undoTransaction(
  session: WriteSession,
  stamp: string,
  renderings: Renderings,
): Promise<Undone> {
  const records = await findChangedRecords(session, stamp);
  const of = (entity: AppEntity, ...kinds: RecordChange['change'][]) =>
    records.filter((record) => record.entity === entity && kinds.includes(record.change));
  const { undo, undone } = startUndo(session, stamp, renderings);
  const tasks = of('task', 'created', 'updated', 'deleted');
  const made = tasks.filter(({ change }) => change !== 'updated');
  // Completing a repeat logs one task.
  if (made.length === 1 && isOccurrenceChange(await undo.load(made))) {
    await undoOccurrence(undo, tasks);
    return undone();
  }
  await undoAreas(undo, of('area', 'deleted', 'updated'));
  await undoProjects(undo, of('project', 'updated'));
  const sections = of('section', 'created', 'updated', 'deleted');
  const projects = of('project', 'created');
  // Loaded now, since changes of this undo may push them out of the history.
  const newProjects = await undo.load(projects);
  const newAreas = await undo.load(of('area', 'created'));
  await undoSections(undo, sections, projects, () => undoTasks(undo, tasks));
  for (const change of newProjects) await trashNewProject(undo, change);
  for (const change of newAreas) await removeNewArea(undo, change);
  return undone();
}

async function undoAreas(undo: Undo, records: readonly ChangedRecord[]): Promise<void> {
  const { session } = undo;
  for (const change of await undo.load(records)) {
    if (change.change === 'updated') undo.update(change, startRevert(change).reverted());
    else if (change.present === null) {
      const refusal = await refusalOf(requireRoomForArea(session.account.plan, () => countAreas(session)));
      if (refusal === undefined) bringBack(undo, change);
      else undo.keep(change, { field: null, reason: refusal });
    }
  }
}

async function undoProjects(undo: Undo, records: readonly ChangedRecord[]): Promise<void> {
  const { session } = undo;
  const changes = await undo.load(records);
  const formerAreas = changes.flatMap(({ before }) => before.area_id ?? []);
  const areaIds = await findIds(session, 'area', formerAreas);
  for (const change of changes) {
    const { present, before } = change;
    const changesState = 'status' in before || 'trashed_at' in before;
    const isWithoutRoom = changesState && present !== null && !isLive(present);
    const reverted = revertProject(change, {
      plan: session.account.plan,
      areaIds,
      hasOtherTasks: changesState && (await hasOtherOpenTasks(session, change.id, undo.stamp)),
      noRoom: isWithoutRoom ? await refusalOf(requireRoom(session)) : undefined,
    });
    undo.update(change, reverted);
  }
}

async function refusalOf(check: Promise<void>): Promise<string | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** A project with later work by others is not trashed. */
async function trashNewProject(undo: Undo, change: RecordChange): Promise<void> {
  const { session } = undo;
  if (change.present === null || change.present.trashed_at !== null) return;
  if (isChangedSince(change)) return undo.keep(change, changedSince);
  if (await hasOtherOpenTasks(session, change.id, undo.stamp))
    return undo.keep(change, { field: null, reason: 'It has tasks.' });
  undo.update(change, { changes: { trashed_at: session.changedAt }, kept: [] });
}

/** Areas are deleted, not trashed. Its trashed projects become ungrouped, as on deletion. */
async function removeNewArea(undo: Undo, change: RecordChange): Promise<void> {
  const { session } = undo;
  if (change.present === null) return;
  if (isChangedSince(change)) return undo.keep(change, changedSince);
  if (await isInUse(session, 'area', change.id))
    return undo.keep(change, { field: null, reason: 'It has projects.' });
  ungroupProjects(session, change.id);
  deleteRow(session, 'Area', change.id);
  undo.count(1);
}
