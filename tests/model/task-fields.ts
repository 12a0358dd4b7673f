import { type AccountState, isActive, type TaskState } from './account-state.ts';
import { type Destination, invalid, invalidState, notFound, planLimit } from './operation.ts';

/* Where a task may go, and which dates an account may give it. */

type Place = Pick<TaskState, 'list' | 'projectId' | 'sectionId'>;

/** What the body alone decides, before anything is looked up. */
export function checkDestination({ list, projectId, sectionId }: Destination): void {
  const isInProject = projectId !== undefined || typeof sectionId === 'string';
  if (list === 'project' && !isInProject) throw invalid('list');
  if ((list === 'inbox' || list === 'someday') && isInProject) throw invalid('list');
}

/** The place that a destination names; `elsewhere` where it names no project. */
export function placeOf(
  state: AccountState,
  destination: Destination,
  elsewhere: 'inbox' | 'someday',
): Place {
  const { list, projectId, sectionId } = destination;
  if (projectId === undefined && typeof sectionId !== 'string') {
    return { list: list === 'someday' ? 'someday' : elsewhere, projectId: null, sectionId: null };
  }
  const section = typeof sectionId === 'string' ? state.section[sectionId] : undefined;
  const project = state.project[projectId ?? section?.projectId ?? ''];
  if (project === undefined || project.inTrash) throw notFound();
  if (typeof sectionId === 'string') requireSection(state, section?.projectId, project.id);
  return { list: 'project', projectId: project.id, sectionId: section?.id ?? null };
}

function requireSection(state: AccountState, owner: string | undefined, projectId: string): void {
  if (owner === undefined || state.project[owner]?.inTrash) throw notFound();
  if (owner !== projectId) throw invalid('sectionId');
}

/** Nothing new comes into a closed project. */
export function requireOpenPlace(state: AccountState, { projectId }: Place): void {
  const project = projectId === null ? undefined : state.project[projectId];
  if (project && !isActive(project)) throw invalidState();
}

/** Premium sets and changes deadlines; everybody may keep or clear one. */
export function requireDeadlineAllowed(
  state: AccountState,
  wanted: string | null | undefined,
  present: string | null,
): void {
  if (state.plan === 'premium' || wanted === undefined || wanted === null || wanted === present) return;
  throw planLimit('premium_required');
}

export function isDated({ dueDate, deadlineDate }: Pick<TaskState, 'dueDate' | 'deadlineDate'>): boolean {
  return dueDate !== null || deadlineDate !== null;
}

/** A dated task does not stay in the inbox. */
export function leaveInboxWhenDated(task: TaskState, tick: number): void {
  if (task.list === 'inbox' && isDated(task)) Object.assign(task, { list: 'someday', rank: -tick });
}
