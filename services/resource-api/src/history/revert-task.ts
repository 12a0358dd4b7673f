import { AppError } from '#shared/errors/app-error.ts';
import type { Plan } from '#shared/plans.ts';
import { requireDeadlineAllowed } from '../plans/plan-policy.ts';
import type { ProjectState } from '../tasks/task-repository.ts';
import type { RecordChange, Values } from './record-change.ts';
import { type KeptField, type Revert, type Reverted, startRevert } from './revert-fields.ts';

/** What tasks refer to, at this step of the undo. */
export type TaskSurroundings = {
  plan: Plan;
  projects: ReadonlyMap<unknown, ProjectState>;
  sections: ReadonlySet<unknown>;
};

/** The fields of an updated task to be restored, within the rules of tasks. */
export function revertTask(change: RecordChange, surroundings: TaskSurroundings): Reverted {
  if (change.present === null) return { changes: {}, kept: [isGone] };
  const revert = startRevert(change);
  const isMove = 'list' in change.before || 'project_id' in change.before;
  if (revert.result().trashed_at !== null && !revert.has('trashed_at')) {
    revert.keep('status', inTrash);
    if ('project_id' in change.before) revert.keep('list', inTrash);
  }
  keepDeadline(revert, change.present, surroundings.plan);
  fitSection(revert, isMove, surroundings);
  fitProject(revert, surroundings);
  fitDates(revert);
  return revert.reverted();
}

export const isGone: KeptField = { field: null, reason: 'It was deleted since.' };
const inTrash = 'It is in the Trash.';

/** As for a patch: a plan without deadlines refuses to restore another date. */
export function keepDeadline(revert: Revert, present: Values, plan: Plan): void {
  const { deadline_date: wanted } = revert.result();
  try {
    requireDeadlineAllowed(plan, asDate(present.deadline_date), asDate(wanted));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    revert.keep('deadline_date', error.message);
  }
}

const asDate = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function fitSection(revert: Revert, isMove: boolean, { sections }: TaskSurroundings): void {
  const { section_id: section } = revert.result();
  if (!revert.has('list') || section === null || sections.has(section)) return;
  if (isMove) revert.replace('section_id', null, 'Its section is gone.');
  else revert.keep('list', 'Its section is gone.');
}

/** undefined if the project takes tasks and sections. */
export function whyClosed({ isTrashed, status }: ProjectState): string | undefined {
  if (isTrashed) return 'Its project is in the Trash.';
  return status === 'active' ? undefined : `Its project is ${status}.`;
}

/** An open task outside the Trash can't be in a closed or trashed project. */
function fitProject(revert: Revert, { projects }: TaskSurroundings): void {
  const { status, trashed_at: trashedAt, project_id: projectId } = revert.result();
  const project = projects.get(projectId);
  const isLive = status === 'open' && trashedAt === null;
  const reason = project && whyClosed(project);
  if (isLive && reason !== undefined) {
    for (const column of ['trashed_at', 'status', 'list']) revert.keep(column, reason);
  }
  const after = revert.result();
  if (after.is_trashed_with_project === true && projects.get(after.project_id)?.isTrashed !== true)
    revert.replace('is_trashed_with_project', false);
}

/** A reminder requires a `dueDate`, and a task of the inbox has no date. */
function fitDates(revert: Revert): void {
  fitReminder(revert);
  if (isMisplaced(revert.result()))
    revert.keep('list', 'It has a date now, and no task of the inbox has one.');
  for (const date of ['due_date', 'deadline_date'])
    if (isMisplaced(revert.result())) revert.keep(date, 'It is in the inbox, where no task has a date.');
  fitReminder(revert);
}

const isMisplaced = ({ list, due_date: due, deadline_date: deadline }: Values): boolean =>
  list === 'inbox' && (due !== null || deadline !== null);

function fitReminder(revert: Revert): void {
  const lacksDate = ({ due_date: due, reminder_time: reminder }: Values) => due === null && reminder !== null;
  if (lacksDate(revert.result())) revert.keep('reminder_time', 'It has no date now.');
  if (lacksDate(revert.result())) revert.keep('due_date', 'It has a reminder now.');
}
