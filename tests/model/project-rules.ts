import type { ProjectFields } from '#tests/support/factories.ts';
import { type AccountState, isActive, newResource, openTasksOf, type ProjectState } from './account-state.ts';
import { type Answer, invalid, notFound, planLimit } from './operation.ts';
import { requireDeadlineAllowed } from './task-fields.ts';
import { closeTask } from './task-transition-rules.ts';

/* Projects and what becomes of their tasks. */

const freeProjects = 5;

export function createProject(draft: AccountState, fields: ProjectFields): Answer {
  const { areaId = null, deadlineDate = null, description } = fields;
  requireArea(draft, areaId);
  // Which of two limits is named is nobody's promise: the service names the deadline's.
  requireDeadlineAllowed(draft, deadlineDate, null);
  requireRoom(draft);
  const project = newResource(draft, 'project', fields.title);
  draft.project[project.id] = {
    ...project,
    description: description || null,
    status: 'active',
    areaId,
    deadlineDate,
    inTrash: false,
    completedAt: null,
  };
  return { status: 201, shows: { kind: 'project', id: project.id } };
}

/** The cap counts what is neither closed nor trashed. */
function requireRoom(state: AccountState): void {
  const taken = Object.values(state.project).filter(isActive).length;
  if (state.plan === 'free' && taken >= freeProjects) throw planLimit('project_limit_reached');
}

function requireArea({ area }: AccountState, areaId: string | null | undefined): void {
  if (areaId && area[areaId] === undefined) throw invalid('areaId');
}

export function patchProject(draft: AccountState, id: string, patch: ProjectFields): Answer {
  const project = requireProject(draft, id);
  if (project.status !== 'active') throw invalid('status');
  requireArea(draft, patch.areaId);
  requireDeadlineAllowed(draft, patch.deadlineDate, project.deadlineDate);
  Object.assign(project, patch);
  return { status: 200, shows: { kind: 'project', id } };
}

/** What is still open is closed with the project; repeating tasks do not roll. */
export function completeProject(
  draft: AccountState,
  id: string,
  { completeChildTasks }: { completeChildTasks?: boolean },
): Answer {
  const project = requireProject(draft, id);
  if (project.status === 'active') {
    Object.assign(project, { status: 'completed', completedAt: draft.tick });
    const status = completeChildTasks ? 'completed' : 'cancelled';
    for (const task of openTasksOf(draft, id)) closeTask(task, status, draft.tick);
  }
  return { status: 200, shows: { kind: 'project', id } };
}

/** Its tasks stay as the completion left them. */
export function uncompleteProject(draft: AccountState, id: string): Answer {
  const project = requireProject(draft, id);
  if (project.status !== 'active') {
    requireRoom(draft);
    Object.assign(project, { status: 'active', completedAt: null });
  }
  return { status: 200, shows: { kind: 'project', id } };
}

/** Open tasks go to the Trash with it; closed ones stay in the logbook. */
export function trashProject(draft: AccountState, id: string): Answer {
  requireProject(draft, id).inTrash = true;
  for (const task of openTasksOf(draft, id)) task.trashedAt = draft.tick;
  return { status: 204 };
}

export function requireProject(state: AccountState, id: string): ProjectState {
  const project = state.project[id];
  if (project === undefined || project.inTrash) throw notFound();
  return project;
}
