import { type AccountState, type Kind, kinds } from './account-state.ts';
import { type Answer, type Operation, Refusal } from './operation.ts';
import {
  completeProject,
  createProject,
  patchProject,
  trashProject,
  uncompleteProject,
} from './project-rules.ts';
import {
  createArea,
  createSection,
  deleteArea,
  deleteSection,
  patchArea,
  patchSection,
} from './section-area-rules.ts';
import { createTask, moveTask, patchTask } from './task-rules.ts';
import { passTask } from './task-transition-rules.ts';

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
