import {
  type AccountState,
  type AreaState,
  type Kind,
  kinds,
  nextId,
  type SectionState,
  sectionsOf,
} from './account-state.ts';
import {
  type Answer,
  invalid,
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

/* The sections of a project, and the areas that group projects. */

const freeAreas = 2;

function createSection(draft: AccountState, projectId: string, title: string): Answer {
  if (!title.trim()) throw invalid('title');
  if (requireProject(draft, projectId).status !== 'active') throw invalidState();
  const id = nextId(draft, 'section');
  const position = sectionsOf(draft, projectId).length;
  draft.section[id] = { id, projectId, title, position, createdAt: draft.tick, updatedAt: draft.tick };
  return { status: 201, shows: { kind: 'section', id } };
}

function patchSection(draft: AccountState, projectId: string, id: string, patch: SectionPatch): Answer {
  if (patch.title !== undefined && !patch.title.trim()) throw invalid('title');
  const section = requireSection(draft, projectId, id);
  if (patch.title !== undefined) section.title = patch.title;
  if (patch.position !== undefined) {
    const others = sectionsOf(draft, projectId).filter((other) => other.id !== id);
    number(others.toSpliced(patch.position, 0, section));
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
  sections.forEach((section, position) => {
    section.position = position;
  });
}

function requireSection(state: AccountState, projectId: string, id: string): SectionState {
  const project = requireProject(state, projectId);
  const section = state.section[id];
  if (section?.projectId !== projectId) throw notFound();
  if (project.status !== 'active') throw invalidState();
  return section;
}

function createArea(draft: AccountState, title: string): Answer {
  if (!title.trim()) throw invalid('title');
  const isFull = Object.keys(draft.area).length >= freeAreas;
  if (draft.plan === 'free' && isFull) throw planLimit('area_limit_reached');
  const id = nextId(draft, 'area');
  draft.area[id] = { id, title, createdAt: draft.tick, updatedAt: draft.tick };
  return { status: 201, shows: { kind: 'area', id } };
}

function patchArea(draft: AccountState, id: string, { title }: { title?: string }): Answer {
  if (title !== undefined && !title.trim()) throw invalid('title');
  const area = requireArea(draft, id);
  if (title !== undefined) area.title = title;
  return { status: 200, shows: { kind: 'area', id } };
}

/** Its projects stay, without a group. */
function deleteArea(draft: AccountState, id: string): Answer {
  requireArea(draft, id);
  delete draft.area[id];
  for (const project of Object.values(draft.project)) if (project.areaId === id) project.areaId = null;
  return { status: 204 };
}

function requireArea(state: AccountState, id: string): AreaState {
  const area = state.area[id];
  if (area === undefined) throw notFound();
  return area;
}

/*
 * What the interface says of one account, said once more as plain functions over plain data, so that the service and
 * the model can disagree. No line of it is the service's.
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
      return createTask(draft, operation.fields, today);
    case 'patch task':
      return patchTask(draft, operation.id, operation.patch, today);
    case 'move task':
      return moveTask(draft, operation.id, operation.destination);
    case 'create project':
      return createProject(draft, operation.fields);
    case 'patch project':
      return patchProject(draft, operation.id, operation.patch);
    case 'complete project':
      return completeProject(draft, operation.id, operation.completeChildTasks);
    case 'uncomplete project':
      return uncompleteProject(draft, operation.id);
    case 'trash project':
      return trashProject(draft, operation.id);
    case 'create section':
      return createSection(draft, operation.projectId, operation.title);
    case 'patch section':
      return patchSection(draft, operation.projectId, operation.id, operation.patch);
    case 'delete section':
      return deleteSection(draft, operation.projectId, operation.id);
    case 'create area':
      return createArea(draft, operation.title);
    case 'patch area':
      return patchArea(draft, operation.id, operation.patch);
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
