import { randomUUID } from 'node:crypto';
import { invalidState } from '#shared/errors/errors.ts';
import type { WriteSession } from '../session.ts';
import { untick } from './checklist.ts';
import { type RecurrenceRule, rollDates } from './recurrence.ts';
import { findProjectState } from './task-destination.ts';
import { type Task, TaskEntity } from './task-entity.ts';
import { outsideProjects, requireTask } from './task-service.ts';

/**
 * Completes the task. A repeating one logs this occurrence as a task of its own and rolls to the next.
 * Every transition throws not_found, and invalid_state for a contradiction or a task in the Trash.
 */
export async function completeTask(session: WriteSession, id: string): Promise<Task> {
  const task = await requireTaskOutsideTrash(session, id);
  if (task.status === 'cancelled')
    throw invalidState('A cancelled task can not be completed; uncancel it first.');
  if (task.status === 'completed') return task;
  if (!task.recurrence || !rollToNext(session, task, task.recurrence)) close(session, task, 'completed');
  return task;
}

export async function cancelTask(session: WriteSession, id: string): Promise<Task> {
  const task = await requireTaskOutsideTrash(session, id);
  if (task.status === 'completed')
    throw invalidState('A completed task can not be cancelled; uncomplete it first.');
  if (task.status === 'open') close(session, task, 'cancelled');
  return task;
}

export function uncompleteTask(session: WriteSession, id: string): Promise<Task> {
  return reopenTask(session, id, 'completed');
}

export function uncancelTask(session: WriteSession, id: string): Promise<Task> {
  return reopenTask(session, id, 'cancelled');
}

/** Moves the task to the Trash; nothing changes when it is there. */
export async function trashTask(session: WriteSession, id: string): Promise<void> {
  const task = await requireTask(session, id);
  task.trashedAt ??= session.changedAt;
}

/**
 * Takes the task out of the Trash, back to where it was. When its project is in the Trash (it went there with it, or
 * the project followed), or an open task's project was closed meanwhile, it is detached: to Someday when dated, else to
 * the inbox.
 */
export async function restoreTask(session: WriteSession, id: string): Promise<Task> {
  const task = await requireTask(session, id);
  if (!task.trashedAt) return task;
  if (await mustDetach(session, task)) {
    session.em.assign(task, outsideProjects({ kind: 'list', list: undefined }, task));
    task.rank = session.topRank();
  }
  task.trashedAt = null;
  task.isTrashedWithProject = false;
  return task;
}

async function mustDetach({ em, account }: WriteSession, task: Task): Promise<boolean> {
  if (!task.projectId) return false;
  const project = await findProjectState(em, account.id, task.projectId);
  const isClosed = project?.status !== 'active';
  return project?.isTrashed !== false || (task.status === 'open' && isClosed);
}

async function requireTaskOutsideTrash(session: WriteSession, id: string): Promise<Task> {
  const task = await requireTask(session, id);
  if (task.trashedAt) throw invalidState('The task is in the Trash; restore it first.');
  return task;
}

async function reopenTask(session: WriteSession, id: string, from: 'completed' | 'cancelled'): Promise<Task> {
  const task = await requireTaskOutsideTrash(session, id);
  if (task.status === 'open') return task;
  if (task.status !== from) throw invalidState(`The task is ${task.status}, not ${from}.`);
  if (task.projectId) {
    const project = await findProjectState(session.em, session.account.id, task.projectId);
    const isOpen = project?.status === 'active' && !project.isTrashed;
    if (!isOpen) throw invalidState('The task’s project is closed or in the Trash; move the task first.');
  }
  task.status = 'open';
  task.completedAt = null;
  task.cancelledAt = null;
  return task;
}

function close(session: WriteSession, task: Task, status: 'completed' | 'cancelled'): void {
  task.status = status;
  task.completedAt = status === 'completed' ? session.changedAt : null;
  task.cancelledAt = status === 'cancelled' ? session.changedAt : null;
  task.recurrence = null;
  task.recurrenceAnchor = null;
}

/** False when the calendar has no next date: the series ends with this occurrence. */
function rollToNext(session: WriteSession, task: Task, rule: RecurrenceRule): boolean {
  const { dueDate = null, deadlineDate = null, recurrenceAnchor } = task;
  const anchor = recurrenceAnchor ?? session.today;
  const next = rollDates(rule, { dueDate, deadlineDate, anchor }, session.today);
  if (next === undefined) return false;
  logOccurrence(session, task);
  task.dueDate = next.dueDate;
  task.deadlineDate = next.deadlineDate;
  task.recurrenceAnchor = next.anchor;
  task.checklist = untick(task.checklist);
  if (task.list === 'inbox') {
    task.list = 'someday';
    task.rank = session.topRank();
  }
  return true;
}

function logOccurrence(session: WriteSession, task: Task): void {
  const occurrence = session.em.create(TaskEntity, {
    accountId: task.accountId,
    id: randomUUID(),
    title: task.title,
    description: task.description ?? null,
    descriptionHtml: task.descriptionHtml,
    rendererVersion: task.rendererVersion,
    status: 'completed',
    list: task.list,
    projectId: task.projectId ?? null,
    sectionId: task.sectionId ?? null,
    dueDate: task.dueDate ?? null,
    deadlineDate: task.deadlineDate ?? null,
    reminderTime: task.reminderTime ?? null,
    recurrence: null,
    recurrenceAnchor: null,
    checklist: task.checklist,
    rank: task.rank,
    trashedAt: null,
    isTrashedWithProject: false,
    completedAt: session.changedAt,
    cancelledAt: null,
    createdAt: session.changedAt,
    updatedAt: session.changedAt,
  });
  session.em.persist(occurrence);
}
