import {
  type AccountState,
  type Kind,
  kinds,
  newResource,
  type SectionState,
  sectionsOf,
} from './account-state.ts';
import {
  type Answer,
  invalidState,
  notFound,
  type Operation,
  planLimit,
  Refusal,
  type SectionPatch,
} from './operation.ts';
import {
  completeProject,
  createProject,
  patchProject,
  requireProject,
  trashProject,
  uncompleteProject,
} from './project-rules.ts';
import { createTask, moveTask, patchTask } from './task-rules.ts';
import { passTask } from './task-transition-rules.ts';

/*
 * What the interface says of one account, said once more as plain functions over plain data, so that the
 * service and the model can disagree. No line of it is the service's.
 */

export type Change = { kind: Kind; id: string; change: 'created' | 'updated' | 'deleted' };

type Applied = {
  state: AccountState;
  answer: Answer;
  /** What the operation changed, which is what the feed tells of it; nothing when it changed nothing. */
  changes: Change[];
};

/** Leaves `state` as it is. `today` is the account's civil date. */
export function applyOperation(state: AccountState, operation: Operation, today: string): Applied {
  const draft = structuredClone(state);
  draft.tick += 1;
  try {
    const answer = perform(draft, operation, today);
    const changes = kinds.flatMap((kind) => stampChanges(kind, state, draft));
    // A request that changes nothing is no write.
    if (changes.length === 0) draft.tick = state.tick;
    return { state: draft, answer, changes };
  } catch (error) {
    if (error instanceof Refusal) return { state, answer: error.answer, changes: [] };
    throw error;
  }
}

function perform(draft: AccountState, operation: Operation, today: string): Answer {
  switch (operation.do) {
    case 'create task':
      return createTask(draft, operation.body, today);
    case 'patch task':
      return patchTask(draft, operation.id, operation.body, today);
    case 'move task':
      return moveTask(draft, operation.id, operation.body);
    case 'create project':
      return createProject(draft, operation.body);
    case 'patch project':
      return patchProject(draft, operation.id, operation.body);
    case 'complete project':
      return completeProject(draft, operation.id, operation.body);
    case 'uncomplete project':
      return uncompleteProject(draft, operation.id);
    case 'trash project':
      return trashProject(draft, operation.id);
    case 'create section':
      return createSection(draft, operation.projectId, operation.body);
    case 'patch section':
      return patchSection(draft, operation.projectId, operation.id, operation.body);
    case 'delete section':
      return deleteSection(draft, operation.projectId, operation.id);
    case 'create area':
      return createArea(draft, operation.body);
    case 'patch area':
      return patchArea(draft, operation.id, operation.body);
    case 'delete area':
      return deleteArea(draft, operation.id);
    case 'change account':
      draft.plan = operation.plan ?? draft.plan;
      draft.timezone = operation.timezone ?? draft.timezone;
      return { status: 200 };
    default:
      return passTask(draft, operation.do, operation.id, today);
  }
}

/** Whatever differs from before carries the stamp of this write. */
function stampChanges(kind: Kind, before: AccountState, draft: AccountState): Change[] {
  const changed = Object.values(draft[kind]).flatMap((resource): Change[] => {
    const earlier = before[kind][resource.id];
    if (earlier === undefined) return [{ kind, id: resource.id, change: 'created' }];
    if (JSON.stringify(earlier) === JSON.stringify(resource)) return [];
    resource.updatedAt = draft.tick;
    return [{ kind, id: resource.id, change: 'updated' }];
  });
  const gone = Object.keys(before[kind]).filter((id) => draft[kind][id] === undefined);
  return [...changed, ...gone.map((id): Change => ({ kind, id, change: 'deleted' }))];
}

/* The sections of a project, and the areas that group projects. */

const freeAreas = 2;

function createSection(draft: AccountState, projectId: string, { title }: { title: string }): Answer {
  if (requireProject(draft, projectId).status !== 'active') throw invalidState();
  const section = newResource(draft, 'section', title);
  draft.section[section.id] = { ...section, projectId, position: sectionsOf(draft, projectId).length };
  return { status: 201, shows: { kind: 'section', id: section.id } };
}

function patchSection(
  draft: AccountState,
  projectId: string,
  id: string,
  { title, position }: SectionPatch,
): Answer {
  const section = requireSection(draft, projectId, id);
  section.title = title ?? section.title;
  if (position !== undefined) {
    const others = sectionsOf(draft, projectId).filter((other) => other !== section);
    number(others.toSpliced(position, 0, section));
  }
  return { status: 200, shows: { kind: 'section', id } };
}

/** Its tasks fall back to the root of the project. */
function deleteSection(draft: AccountState, projectId: string, id: string): Answer {
  requireSection(draft, projectId, id);
  delete draft.section[id];
  number(sectionsOf(draft, projectId));
  for (const task of Object.values(draft.task)) if (task.sectionId === id) task.sectionId = null;
  return { status: 204 };
}

function number(sections: readonly SectionState[]): void {
  for (const [position, section] of sections.entries()) section.position = position;
}

function requireSection(state: AccountState, projectId: string, id: string): SectionState {
  const project = requireProject(state, projectId);
  const section = state.section[id];
  if (section?.projectId !== projectId) throw notFound();
  if (project.status !== 'active') throw invalidState();
  return section;
}

function createArea(draft: AccountState, { title }: { title: string }): Answer {
  const isFull = Object.keys(draft.area).length >= freeAreas;
  if (draft.plan === 'free' && isFull) throw planLimit('area_limit_reached');
  const area = newResource(draft, 'area', title);
  draft.area[area.id] = area;
  return { status: 201, shows: { kind: 'area', id: area.id } };
}

function patchArea(draft: AccountState, id: string, { title }: { title?: string }): Answer {
  const area = draft.area[id];
  if (area === undefined) throw notFound();
  area.title = title ?? area.title;
  return { status: 200, shows: { kind: 'area', id } };
}

/** Its projects stay, without a group. */
function deleteArea(draft: AccountState, id: string): Answer {
  if (draft.area[id] === undefined) throw notFound();
  delete draft.area[id];
  for (const project of Object.values(draft.project)) if (project.areaId === id) project.areaId = null;
  return { status: 204 };
}
