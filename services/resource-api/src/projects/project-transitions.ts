import { invalidState, notFound } from '#shared/errors/errors.ts';
import type { WriteSession } from '../session.ts';
import { closeProjectTasks, restoreProjectTasks, trashProjectTasks } from '../tasks/project-tasks.ts';
import type { ProjectWithSections } from './present-project.ts';
import { loadProject } from './project-repository.ts';
import { requireProject, requireRoom, withSections } from './project-service.ts';

/**
 * Closes an active project, and its remaining open tasks with it on the same date. A completed one stays as it is.
 * Throws not_found, and invalid_state for a cancelled project.
 */
export async function completeProject(
  session: WriteSession,
  id: string,
  childStatus: 'completed' | 'cancelled',
): Promise<ProjectWithSections> {
  const project = await requireProject(session, id);
  if (project.status === 'cancelled') throw invalidState('A cancelled project can’t be completed.');
  if (project.status === 'active') {
    project.status = 'completed';
    project.completedAt = session.changedAt;
    await closeProjectTasks(session, id, childStatus);
  }
  return withSections(session, project);
}

/**
 * Makes a completed project active again; the tasks that were closed with it stay closed. An active one stays as it is.
 * Throws not_found, project_limit_reached, and invalid_state for a cancelled project.
 */
export async function uncompleteProject(session: WriteSession, id: string): Promise<ProjectWithSections> {
  const project = await requireProject(session, id);
  if (project.status === 'cancelled') throw invalidState('A cancelled project can’t be made active.');
  if (project.status === 'completed') {
    await requireRoom(session);
    project.status = 'active';
    project.completedAt = null;
  }
  return withSections(session, project);
}

/** Moves a project to the Trash, and its open tasks with it; its sections stay its own. Throws not_found. */
export async function trashProject(session: WriteSession, id: string): Promise<void> {
  const project = await requireProject(session, id);
  project.trashedAt = session.changedAt;
  await trashProjectTasks(session, id);
}

/**
 * Takes a project out of the Trash with the tasks that went there with it. One that is not in the Trash stays as it
 * is. Throws not_found, and project_limit_reached for an active project that the plan has no room for.
 */
export async function restoreProject(session: WriteSession, id: string): Promise<ProjectWithSections> {
  const project = await loadProject(session.em, session.account.id, id);
  if (project === null) throw notFound();
  if (project.trashedAt) {
    if (project.status === 'active') await requireRoom(session);
    project.trashedAt = null;
    await restoreProjectTasks(session, id);
  }
  return withSections(session, project);
}
