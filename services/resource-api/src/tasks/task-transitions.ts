import { randomUUID } from 'node:crypto';
import { invalidState } from '#shared/errors/errors.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { insertRow, updateRow, type WriteSession } from '../session.ts';
import { untick } from './checklist.ts';
import { type RecurrenceRule, type RepeatingDates, rollDates, seriesDatesOf } from './recurrence.ts';
import { noSeries, type Task, viewDate } from './task-entity.ts';
import { outsideProjects } from './task-placement.ts';
import { closedNow, findEndedSeries, findProjectState } from './task-repository.ts';
import { getTask } from './task-service.ts';

/** Of a repeating task, the day of the occurrence that is meant; not given: the present one. */
type Occurrence = CalendarDate | null | undefined;

/**
 * Completes the task. A repeating one logs the occurrence as a separate task and moves to the next. Every
 * transition throws not_found, and invalid_state for a contradiction or a task in the Trash.
 */
export async function completeTask(session: WriteSession, id: string, meant?: Occurrence): Promise<Task> {
  const task = await requireTaskOutsideTrash(session, id);
  if (task.status === 'cancelled')
    throw invalidState('A cancelled task can not be completed; uncancel it first.');
  if (task.status === 'completed') return task;
  requireOccurrence(task, meant);
  const next = task.recurrence && nextDates(session, task, task.recurrence);
  if (!next) return close(session, task, 'completed');
  logOccurrence(session, task);
  return roll(session, task, next);
}

/** Logs nothing. Skipping the last occurrence cancels the task. */
export async function skipOccurrence(session: WriteSession, id: string, meant?: Occurrence): Promise<Task> {
  const task = await requireTaskOutsideTrash(session, id);
  if (task.status !== 'open' || !task.recurrence)
    throw invalidState('Only an open task that repeats has an occurrence to skip.');
  requireOccurrence(task, meant);
  const next = nextDates(session, task, task.recurrence, skippedDay(task, task.recurrence));
  return next ? roll(session, task, next) : close(session, task, 'cancelled');
}

export async function cancelTask(session: WriteSession, id: string): Promise<Task> {
  const task = await requireTaskOutsideTrash(session, id);
  if (task.status === 'completed')
    throw invalidState('A completed task can not be cancelled; uncomplete it first.');
  return task.status === 'open' ? close(session, task, 'cancelled') : task;
}

/**
 * Reopens a task that was closed in the way `from`. Without `from` in either way, and it repeats again, where
 * the history still has how.
 */
export async function reopenTask(
  session: WriteSession,
  id: string,
  from?: 'completed' | 'cancelled',
): Promise<Task> {
  const task = await requireTaskOutsideTrash(session, id);
  if (task.status === 'open') return task;
  if (from !== undefined && task.status !== from)
    throw invalidState(`The task is ${task.status}, not ${from}.`);
  const series = from === undefined && !task.recurrence ? await findEndedSeries(session, id) : {};
  const project = task.projectId === null ? undefined : await findProjectState(session, task.projectId);
  if (task.projectId !== null && (project?.status !== 'active' || project.isTrashed))
    throw invalidState(
      'The task’s project is closed or in the Trash; bring that back, or move the task first.',
    );
  return updateRow(session, 'Task', task, {
    status: 'open',
    completedAt: null,
    cancelledAt: null,
    ...series,
  });
}

/** Moves the task to the Trash. Idempotent. */
export async function trashTask(session: WriteSession, id: string): Promise<void> {
  const task = await getTask(session, id);
  updateRow(session, 'Task', task, { trashedAt: task.trashedAt ?? session.changedAt });
}

/**
 * Restores the task to its former place. If its project is in the Trash, or an open task's project was closed
 * meanwhile, it is detached: to Someday if dated, else to the inbox.
 */
export async function restoreTask(session: WriteSession, id: string): Promise<Task> {
  const task = await getTask(session, id);
  if (!task.trashedAt) return task;
  const detached = (await mustDetach(session, task)) && {
    ...outsideProjects({ kind: 'list', list: undefined }, task),
    rank: session.topRank(),
  };
  return updateRow(session, 'Task', task, { trashedAt: null, isTrashedWithProject: false, ...detached });
}

async function mustDetach(session: WriteSession, task: Task): Promise<boolean> {
  if (!task.projectId) return false;
  const project = await findProjectState(session, task.projectId);
  const isClosed = project?.status !== 'active';
  return project?.isTrashed !== false || (task.status === 'open' && isClosed);
}

async function requireTaskOutsideTrash(session: WriteSession, id: string): Promise<Task> {
  const task = await getTask(session, id);
  if (task.trashedAt) throw invalidState('The task is in the Trash; restore it first.');
  return task;
}

const waysToLeaveOut =
  'One to come can be skipped or moved once it is the task’s date; ' +
  'to leave it out now, end the repeat the day before it (until) ' +
  'and add a second task that repeats from the date after it.';

function requireOccurrence(task: Task, meant: Occurrence): void {
  const present = viewDate(task);
  if (!task.recurrence || meant === undefined || meant === present) return;
  const [isOn, isMeant] = [present, meant].map((day) => (day === null ? 'without a day' : `on ${day}`));
  const isLater = present !== null && meant !== null && meant > present;
  const wayOut = isLater ? ` ${waysToLeaveOut}` : '';
  throw invalidState(
    `The task is ${isOn} now, not ${isMeant}: ` +
      `that occurrence was completed, skipped or moved, or is still to come.${wayOut}`,
  );
}

function close(session: WriteSession, task: Task, status: 'completed' | 'cancelled'): Task {
  return updateRow(session, 'Task', task, closedNow(session, status));
}

/** After today, and after `passed`. Undefined if the series ends with this occurrence. */
function nextDates(
  { today }: WriteSession,
  task: Task,
  rule: RecurrenceRule,
  passed: CalendarDate | null = null,
): RepeatingDates | undefined {
  const dates = { ...seriesDatesOf(task), anchor: task.recurrenceAnchor ?? today };
  return rollDates(rule, dates, passed === null || passed < today ? today : passed);
}

/** What is counted from completion has no date in a series, only its own: that one is passed. */
function skippedDay(task: Task, { fromCompletion }: RecurrenceRule): CalendarDate | null {
  if (!fromCompletion) return null;
  return seriesDatesOf(task).dueDate === null ? task.deadlineDate : task.dueDate;
}

function logOccurrence(session: WriteSession, task: Task): void {
  insertRow(session, 'Task', {
    ...task,
    id: randomUUID(),
    status: 'completed',
    ...noSeries,
    completedAt: session.changedAt,
    createdAt: session.changedAt,
    updatedAt: session.changedAt,
  });
}

function roll(session: WriteSession, task: Task, next: RepeatingDates): Task {
  const { dueDate, deadlineDate, anchor } = next;
  return updateRow(session, 'Task', task, {
    dueDate,
    deadlineDate,
    ...(dueDate === null && { reminderTime: null }),
    dayRank: null,
    recurrenceAnchor: anchor,
    seriesDueDate: dueDate,
    seriesDeadlineDate: deadlineDate,
    checklist: untick(task.checklist),
    ...(task.list === 'inbox' && { list: 'someday', rank: session.topRank() }),
  });
}
