import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { invalidField, invalidState, notFound } from '#shared/errors/errors.ts';
import type { Rendering } from '../notes/notes-renderer.ts';
import { requireDeadlineAllowed } from '../plans/plan-policy.ts';
import type { WriteSession } from '../session.ts';
import { replaceChecklist } from './checklist.ts';
import { anchorFor, normaliseRule } from './recurrence.ts';
import { findProjectPlace, requireOpenProject } from './task-destination.ts';
import { type Task, TaskEntity } from './task-entity.ts';
import {
  type Destination,
  listFor,
  type Placement,
  readDestination,
  requireDateForReminder,
} from './task-placement.ts';
import { loadTask } from './task-repository.ts';
import type { taskCreateBody, taskMoveBody } from './task-schema.ts';

/**
 * Puts a new task on top of its list. Throws validation_error, not_found (project or section),
 * premium_required (deadline) and invalid_state (closed project).
 */
export async function createTask(
  session: WriteSession,
  body: InferType<typeof taskCreateBody>,
  rendering: Rendering,
): Promise<Task> {
  const dueDate = body.dueDate ?? null;
  const deadlineDate = body.deadlineDate ?? null;
  const reminderTime = body.reminderTime ?? null;
  const rule = body.recurrence ? normaliseRule(body.recurrence) : null;
  requireDateForReminder(dueDate, reminderTime);
  const destination = readDestination(body);
  const place = destination.kind === 'project' ? await findProjectPlace(session, destination) : undefined;
  requireDeadlineAllowed(session.account.plan, null, deadlineDate);
  if (place) requireOpenProject(place);

  const task = session.em.create(TaskEntity, {
    ...(place?.placement ?? outsideProjects(destination, { dueDate, deadlineDate })),
    accountId: session.account.id,
    id: randomUUID(),
    title: body.title,
    description: body.description || null,
    descriptionHtml: rendering.html,
    rendererVersion: rendering.version,
    status: 'open',
    dueDate,
    deadlineDate,
    reminderTime,
    recurrence: rule,
    recurrenceAnchor: rule && anchorFor({ dueDate, deadlineDate }, session.today),
    checklist: replaceChecklist([], body.checklist ?? []),
    rank: session.topRank(),
    trashedAt: null,
    isTrashedWithProject: false,
    completedAt: null,
    cancelledAt: null,
    createdAt: session.changedAt,
    updatedAt: session.changedAt,
  });
  session.em.persist(task);
  return task;
}

/**
 * Files the task elsewhere, on top. The same destination again brings it to the top.
 * Throws validation_error, not_found (task, project or section) and invalid_state (trashed task, closed project).
 */
export async function moveTask(
  session: WriteSession,
  id: string,
  body: InferType<typeof taskMoveBody>,
): Promise<Task> {
  const wanted = readDestination(body);
  const task = await requireTask(session, id);
  const destination =
    body.sectionId === null && body.list === undefined ? rootOfProject(task, wanted) : wanted;
  const place = destination.kind === 'project' ? await findProjectPlace(session, destination) : undefined;
  if (task.trashedAt) throw invalidState('A task in the Trash can not be moved; restore it first.');
  if (place) requireOpenProject(place);
  session.em.assign(task, place?.placement ?? outsideProjects(destination, task));
  task.rank = session.topRank();
  return task;
}

/** Throws not_found: the account has no such task, in the Trash or out of it. */
export async function requireTask(session: WriteSession, id: string): Promise<Task> {
  const task = await loadTask(session.em, session.account.id, id);
  if (task === null) throw notFound();
  return task;
}

/** `{"sectionId": null}` by itself: the root of the project the task is in. */
function rootOfProject(task: Task, wanted: Destination): Destination {
  if (wanted.kind === 'project') return wanted;
  if (!task.projectId) {
    throw invalidField('sectionId', 'sectionId null needs a projectId: the task is in no project');
  }
  return { kind: 'project', projectId: task.projectId, sectionId: undefined };
}

export function outsideProjects(
  destination: Destination,
  dates: { dueDate?: string | null; deadlineDate?: string | null },
): Placement {
  const wanted = destination.kind === 'list' ? destination.list : undefined;
  const { dueDate = null, deadlineDate = null } = dates;
  return { list: listFor(wanted, { dueDate, deadlineDate }), projectId: null, sectionId: null };
}
