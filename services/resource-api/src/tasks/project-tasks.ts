import type { WriteSession } from '../session.ts';
import { changeRows } from '../sync/set-based-change.ts';

const remaining = "project_id = ? and status = 'open' and trashed_at is null";

/** Closes a project's remaining open tasks with it, on the project's own date. Repeating ones end without rolling. */
export async function closeProjectTasks(
  session: WriteSession,
  projectId: string,
  status: 'completed' | 'cancelled',
): Promise<void> {
  await changeRows(session, {
    entity: 'task',
    set: `status = ?, ${status}_at = ?, recurrence = null, recurrence_anchor = null`,
    setParameters: [status, session.changedAt],
    where: remaining,
    whereParameters: [projectId],
  });
}

/** Open tasks go to the Trash with their project; completed and cancelled ones stay in the logbook. */
export async function trashProjectTasks(session: WriteSession, projectId: string): Promise<void> {
  await changeRows(session, {
    entity: 'task',
    set: 'trashed_at = ?, is_trashed_with_project = true',
    setParameters: [session.changedAt],
    where: remaining,
    whereParameters: [projectId],
  });
}

/** Brings back the tasks that went to the Trash with the project. */
export async function restoreProjectTasks(session: WriteSession, projectId: string): Promise<void> {
  await changeRows(session, {
    entity: 'task',
    set: 'trashed_at = null, is_trashed_with_project = false',
    where: 'project_id = ? and is_trashed_with_project',
    whereParameters: [projectId],
  });
}

/** The tasks of a section that goes away fall back to its project's root, those in the Trash included. */
export async function clearSection(session: WriteSession, sectionId: string): Promise<void> {
  await changeRows(session, {
    entity: 'task',
    set: 'section_id = null',
    where: 'project_id is not null and section_id = ?',
    whereParameters: [sectionId],
  });
}
