import { type AccountState, kinds, type TaskState } from './account-state.ts';
import type { Operation } from './operation.ts';

/*
 * Random operations are made before it is known what an account holds: an id such as «task?3» becomes one of its tasks
 * when its turn comes. Plain data, so that a failing history shrinks and prints.
 */

/** Of as many choices as there are, one means something that does not exist. */
export const greatestChoice = 16;

/** As `projectId` of an operation on a section: the project that the section is in. */
export const owner = 'owner?';

/** Tasks that chance alone would rarely choose. */
const rareTasks: Record<string, (task: TaskState) => boolean> = {
  trashed: ({ trash }) => trash !== null,
  closed: ({ status }) => status !== 'open',
  repeating: ({ status, recurrence, trash }) => status === 'open' && recurrence !== null && trash === null,
  divided: ({ sectionId }) => sectionId !== null,
};

const choicePattern = new RegExp(`^(${[...kinds, ...Object.keys(rareTasks)].join('|')})\\?(\\d+)$`);

/** The operation with its choices made among what there is now. */
export function chooseIds(state: AccountState, wanted: Operation): Operation {
  const chosen: Operation = JSON.parse(JSON.stringify(wanted), (_, value) =>
    typeof value === 'string' ? choose(state, value) : value,
  );
  if (!('projectId' in chosen) || chosen.projectId !== owner) return chosen;
  const sectionId = 'id' in chosen ? chosen.id : '';
  return { ...chosen, projectId: state.section[sectionId]?.projectId ?? 'missing' };
}

function choose(state: AccountState, text: string): string {
  const [, name = '', number] = choicePattern.exec(text) ?? [];
  if (number === undefined) return text;
  const ids = idsOf(state, name);
  const index = Number(number);
  return (index === greatestChoice ? undefined : ids[index % ids.length]) ?? 'missing';
}

function idsOf(state: AccountState, name: string): string[] {
  const kind = kinds.find((known) => known === name);
  if (kind !== undefined) return Object.keys(state[kind]);
  const tasks = Object.values(state.task).filter((task) => rareTasks[name]?.(task));
  return tasks.map(({ id }) => id);
}
