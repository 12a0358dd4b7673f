import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { invalidField, invalidState, notFound } from '#shared/errors/errors.ts';
import { findArea } from '../areas/area-repository.ts';
import { type CursorCodec, openPage } from '../http/cursor.ts';
import { type Page, pageSize } from '../http/page.ts';
import { changedNotes, notesColumns, type Rendering } from '../notes/notes-renderer.ts';
import { requireDeadlineAllowed, requireRoomForProject } from '../plans/plan-policy.ts';
import { insertRow, requireVersion, type Session, updateRow, type WriteSession } from '../session.ts';
import { wayToOpen } from '../tasks/task-placement.ts';
import {
  closeProjectTasks,
  countOpenTasksBeside,
  restoreProjectTasks,
  trashProjectTasks,
} from '../tasks/task-repository.ts';
import type { ProjectWithSections } from './project-entity.ts';
import { countLiveProjects, findProject, findProjectPage } from './project-repository.ts';
import type { projectCreateBody, projectListQuery, projectPatchBody } from './project-schema.ts';

export function listProjects(
  session: Session,
  cursors: CursorCodec,
  query: InferType<typeof projectListQuery>,
): Promise<Page<ProjectWithSections>> {
  const { status, limit, cursor } = query;
  const areaId = query.areaId?.toLowerCase();
  const { after, seal } = openPage(cursors, session, ['projects', areaId, status], cursor);
  return findProjectPage(session, { areaId, status }, pageSize(limit), after, seal);
}

/** Throws not_found, also for a project in the Trash. */
export async function getProject(session: Session, id: string): Promise<ProjectWithSections> {
  const found = await findProject(session, id);
  if (found === undefined || found.project.trashedAt) throw notFound();
  return found;
}

/**
 * Adds a project at the end. `rendering` is of the notes. Throws validation_error on `areaId`,
 * premium_required and project_limit_reached.
 */
export async function createProject(
  session: WriteSession,
  body: InferType<typeof projectCreateBody>,
  rendering: Rendering,
): Promise<ProjectWithSections> {
  const { account, changedAt } = session;
  const areaId = body.areaId ? await requireArea(session, body.areaId) : null;
  const deadlineDate = body.deadlineDate ?? null;
  requireDeadlineAllowed(account.plan, null, deadlineDate);
  await requireRoom(session);
  const project = insertRow(session, 'Project', {
    accountId: account.id,
    id: randomUUID(),
    areaId,
    title: body.title,
    ...notesColumns(body.description, rendering),
    status: 'active',
    deadlineDate,
    rank: session.bottomRank(),
    trashedAt: null,
    completedAt: null,
    cancelledAt: null,
    createdAt: changedAt,
    updatedAt: changedAt,
  });
  return { project, sections: [] };
}

/**
 * Applies a merge patch. `rendering` is of the patch's notes. Throws not_found, validation_error on `status`
 * (a closed project) or `areaId`, and premium_required; version_changed for another `updatedAt` than the
 * known one.
 */
export async function patchProject(
  session: WriteSession,
  id: string,
  patch: InferType<typeof projectPatchBody>,
  rendering: Rendering,
  knownUpdatedAt?: string,
): Promise<ProjectWithSections> {
  const { project, sections } = await getProject(session, id);
  requireVersion(project, knownUpdatedAt);
  const { status } = project;
  if (status !== 'active')
    throw invalidField('status', `A ${status} project can't be patched${wayToOpen(status)}`);
  const { title = project.title, deadlineDate = project.deadlineDate } = patch;
  const areaId = patch.areaId ? await requireArea(session, patch.areaId) : patch.areaId;
  requireDeadlineAllowed(session.account.plan, project.deadlineDate, patch.deadlineDate);
  const notes = changedNotes(project.description, patch.description, rendering);
  const changes = { title, deadlineDate, ...notes, ...(areaId !== undefined && { areaId }) };
  return { project: updateRow(session, 'Project', project, changes), sections };
}

/**
 * Closes an active project and its open tasks, on the same date. A completed one is unchanged. Throws
 * not_found, and invalid_state for a cancelled project, or if tasks are open that are not among `asked`.
 */
export async function completeProject(
  session: WriteSession,
  id: string,
  childStatus: 'completed' | 'cancelled',
  asked?: readonly string[],
): Promise<ProjectWithSections> {
  const { project, sections } = await getProject(session, id);
  if (project.status === 'cancelled') throw invalidState('A cancelled project can’t be completed.');
  if (project.status === 'completed') return { project, sections };
  const others = asked === undefined ? 0 : await countOpenTasksBeside(session, id, asked);
  if (others > 0) {
    const tasks = others === 1 ? '1 open task has' : `${others} open tasks have`;
    throw invalidState(`The project stays open: ${tasks} come into it meanwhile.`);
  }
  const completed = updateRow(session, 'Project', project, {
    status: 'completed',
    completedAt: session.changedAt,
  });
  await closeProjectTasks(session, id, childStatus);
  return { project: completed, sections };
}

/**
 * Reopens a completed project; tasks closed with it stay closed. An active one is unchanged. Throws
 * not_found, project_limit_reached, and invalid_state for a cancelled project.
 */
export async function uncompleteProject(session: WriteSession, id: string): Promise<ProjectWithSections> {
  const { project, sections } = await getProject(session, id);
  if (project.status === 'cancelled') throw invalidState('A cancelled project can’t be made active.');
  if (project.status === 'completed') await requireRoom(session);
  return {
    project: updateRow(session, 'Project', project, { status: 'active', completedAt: null }),
    sections,
  };
}

/** Moves a project and its open tasks to the Trash; its sections stay. Throws not_found. */
export async function trashProject(session: WriteSession, id: string): Promise<void> {
  const { project } = await getProject(session, id);
  updateRow(session, 'Project', project, { trashedAt: session.changedAt });
  await trashProjectTasks(session, id);
}

/**
 * Restores a project from the Trash, with the tasks trashed with it. One that is not in the Trash is
 * unchanged. Throws not_found, and project_limit_reached for an active project.
 */
export async function restoreProject(session: WriteSession, id: string): Promise<ProjectWithSections> {
  const found = await findProject(session, id);
  if (found === undefined) throw notFound();
  const { project, sections } = found;
  if (!project.trashedAt) return found;
  if (project.status === 'active') await requireRoom(session);
  const restored = updateRow(session, 'Project', project, { trashedAt: null });
  await restoreProjectTasks(session, id);
  return { project: restored, sections };
}

/** Throws project_limit_reached if the plan allows no further live project. */
export function requireRoom(session: WriteSession): Promise<void> {
  return requireRoomForProject(session.account.plan, () => countLiveProjects(session));
}

async function requireArea(session: WriteSession, areaId: string): Promise<string> {
  const area = await findArea(session, areaId);
  if (area === undefined) throw invalidField('areaId', 'areaId names no area of this account');
  return area.id;
}
