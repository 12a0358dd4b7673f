import type { ListName } from '#tests/support/api-types.ts';
import type { TaskFields } from '#tests/support/factories.ts';
import type { AccountState, Kind } from './account-state.ts';
import type { Destination, Operation, RulePatch, TaskTransition } from './operation.ts';

/*
 * Random operations, as they can be said before it is known what an account holds: «the third task», which becomes
 * one of the tasks there are when its turn comes. Plain data, so that a failing history shrinks and prints.
 */

export type Choice = number;
export const greatestChoice = 16;
export type PlaceWish = { list?: ListName; project?: Choice; section?: Choice | null };
export type TaskWish = Pick<
  TaskFields,
  'dueDate' | 'deadlineDate' | 'reminderTime' | 'recurrence' | 'checklist' | 'description'
>;

type PatchWish = Omit<TaskWish, 'recurrence'> & {
  title?: string | null;
  project?: Choice;
  recurrence?: RulePatch | null;
};

export type Intention =
  | { do: 'create task'; title: string; fields: TaskWish; place: PlaceWish }
  | { do: 'patch task'; task: Choice; patch: PatchWish }
  | { do: 'move task'; task: Choice; place: PlaceWish }
  | { do: TaskTransition; task: Choice }
  | { do: 'create project'; title: string; area?: Choice; deadlineDate?: string | null }
  | {
      do: 'patch project';
      project: Choice;
      patch: { title?: string; description?: string | null; deadlineDate?: string | null };
      area?: Choice | null;
    }
  | { do: 'complete project'; project: Choice; completeChildTasks: boolean | undefined }
  | { do: 'uncomplete project' | 'trash project'; project: Choice }
  | { do: 'create section'; project: Choice; title: string }
  | { do: 'patch section'; section: Choice; patch: { title?: string; position?: number } }
  | { do: 'delete section'; section: Choice; elsewhere?: Choice }
  | { do: 'create area'; title: string }
  | { do: 'patch area'; area: Choice; patch: { title?: string } }
  | { do: 'delete area'; area: Choice }
  | { do: 'change account'; plan?: 'free' | 'premium'; timezone?: string };

/** Says an intention in the names of what there is now. */
export function operationOf(state: AccountState, intention: Intention): Operation {
  const chosen = (kind: Kind, wish: Choice) => choose(state, kind, wish);
  switch (intention.do) {
    case 'create task': {
      const { title, fields, place } = intention;
      return { do: intention.do, fields: { title, ...fields, ...(placeFor(state, place) as TaskFields) } };
    }
    case 'patch task': {
      const { project, ...rest } = intention.patch;
      const misplaced = project === undefined ? {} : { projectId: chosen('project', project) };
      return { do: intention.do, id: chosen('task', intention.task), patch: { ...rest, ...misplaced } };
    }
    case 'move task':
      return {
        do: intention.do,
        id: chosen('task', intention.task),
        destination: placeFor(state, intention.place),
      };
    case 'create project': {
      const { title, area, deadlineDate } = intention;
      const areaId = area === undefined ? {} : { areaId: chosen('area', area) };
      return { do: intention.do, fields: { title, ...areaId, ...(deadlineDate && { deadlineDate }) } };
    }
    case 'patch project': {
      const { area } = intention;
      const areaId = area === undefined ? {} : { areaId: area === null ? null : chosen('area', area) };
      const id = chosen('project', intention.project);
      return { do: intention.do, id, patch: { ...intention.patch, ...areaId } };
    }
    default:
      return otherOperationOf(state, intention);
  }
}

type OtherIntention = Exclude<
  Intention,
  { do: 'create task' | 'patch task' | 'move task' | 'create project' | 'patch project' }
>;

function otherOperationOf(state: AccountState, intention: OtherIntention): Operation {
  switch (intention.do) {
    case 'complete project': {
      const { completeChildTasks } = intention;
      return { do: intention.do, id: choose(state, 'project', intention.project), completeChildTasks };
    }
    case 'uncomplete project':
    case 'trash project':
      return { do: intention.do, id: choose(state, 'project', intention.project) };
    case 'create section':
      return {
        do: intention.do,
        projectId: choose(state, 'project', intention.project),
        title: intention.title,
      };
    case 'patch section': {
      const id = choose(state, 'section', intention.section);
      return { do: intention.do, id, projectId: ownerOf(state, id), patch: intention.patch };
    }
    case 'delete section': {
      const id = choose(state, 'section', intention.section);
      const { elsewhere } = intention;
      const projectId = elsewhere === undefined ? ownerOf(state, id) : choose(state, 'project', elsewhere);
      return { do: intention.do, id, projectId };
    }
    case 'create area':
    case 'change account':
      return intention;
    case 'patch area':
      return { do: intention.do, id: choose(state, 'area', intention.area), patch: intention.patch };
    case 'delete area':
      return { do: intention.do, id: choose(state, 'area', intention.area) };
    default:
      return { do: intention.do, id: choose(state, 'task', intention.task) };
  }
}

/** Of as many choices as there are, one means something that never was. */
function choose(state: AccountState, kind: Kind, wish: Choice): string {
  const ids = Object.keys(state[kind]);
  return (wish === greatestChoice ? undefined : ids[wish % ids.length]) ?? 'missing';
}

function ownerOf(state: AccountState, sectionId: string): string {
  return state.section[sectionId]?.projectId ?? 'missing';
}

function placeFor(state: AccountState, { list, project, section }: PlaceWish): Destination {
  return {
    ...(list && { list }),
    ...(project !== undefined && { projectId: choose(state, 'project', project) }),
    ...(section !== undefined && { sectionId: section === null ? null : choose(state, 'section', section) }),
  };
}
