import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { newTaskFields, type TaskFields } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { invalidField, invalidState, notFound } from '#shared/errors/errors.ts';
import { type CalendarDate, parseInstant } from '#shared/time/calendar-date.ts';
import type { Context } from '../context.ts';
import { openPage } from '../http/cursor.ts';
import { type Page, pageSize } from '../http/page.ts';
import { changedNotes, notesColumns, type Rendering } from '../notes/notes-renderer.ts';
import { requireDeadlineAllowed } from '../plans/plan-policy.ts';
import { insertRow, requireVersion, type Session, updateRow, type WriteSession } from '../session.ts';
import { readSettled } from '../sync/account-feed.ts';
import { replaceChecklist } from './checklist.ts';
import { normaliseRule } from './recurrence.ts';
import { type ListedTask, type Task, viewDate } from './task-entity.ts';
import { countTaskPage, findTaskPage, type TaskFilter } from './task-page.ts';
import {
  type Destination,
  listFor,
  outsideProjects,
  type Placement,
  readDestination,
  requireDateForReminder,
  wayToOpen,
} from './task-placement.ts';
import { findProjectState, findSectionProject, findTask } from './task-repository.ts';
import {
  type TaskPatch,
  type taskCreateBody,
  taskFieldNames,
  type taskListQuery,
  type taskMoveBody,
} from './task-schema.ts';
import { ruleAfter, seriesAfter, startSeries } from './task-series.ts';
import { logbookStart } from './task-views.ts';

/** Includes the Trash. Throws not_found. */
export async function getTask(session: Session, id: string): Promise<Task> {
  const task = await findTask(session, id);
  if (task === undefined) throw notFound();
  return task;
}

/**
 * One page of a task list. The cursor is valid for the same `endpoint`. Throws validation_error on `cursor`,
 * and not_found for a missing project or area.
 */
export function listTasks(
  session: Session,
  context: Context,
  endpoint: 'tasks' | 'project-tasks',
  query: InferType<typeof taskListQuery>,
): Promise<Page<ListedTask>> {
  const { view, status, cursor } = query;
  const projectId = query.projectId?.toLowerCase();
  const areaId = query.areaId?.toLowerCase();
  const updatedSince = query.updatedSince === undefined ? undefined : parseInstant(query.updatedSince);
  const list = [endpoint, view, projectId, areaId, status, updatedSince];
  const filter = { view, projectId, areaId, status, updatedSince };
  const missing = endpoint === 'tasks' ? missingPlace(projectId, areaId) : undefined;
  return readTaskPage(session, context, filter, { list, cursor, size: pageSize(query.limit), missing });
}

/** What a 404 says of ids in the query, at least one of which was given. */
function missingPlace(projectId: string | undefined, areaId: string | undefined): string {
  if (areaId === undefined) return 'No project has this projectId.';
  return projectId === undefined ? 'No area has this areaId.' : 'No such project, or no such area.';
}

type ChosenTasks = Omit<TaskFilter, 'accountId' | 'today' | 'logbookSince'>;

const filterOf = (account: Session['account'], chosen: ChosenTasks, today: CalendarDate): TaskFilter => ({
  ...chosen,
  accountId: account.id,
  today,
  logbookSince: logbookStart(today, account),
});

/** How many tasks `readTaskPage` finds in all pages; `most` stands for more. */
export function countChosenTasks({ db, account, today }: Session, chosen: ChosenTasks, most: number) {
  return countTaskPage(db, filterOf(account, chosen, today), most);
}

/** As listTasks, with what `filter` chooses; the cursor is valid for the same `list`. */
export async function readTaskPage(
  session: Session,
  { cursors, accountQueue, database }: Context,
  chosen: ChosenTasks,
  request: {
    list: readonly unknown[];
    cursor: string | undefined;
    size: number;
    missing?: string | undefined;
  },
): Promise<Page<ListedTask>> {
  const { list, cursor, size, missing } = request;
  const { db, account } = session;
  const { today, after, seal } = openPage(cursors, session, list, cursor);
  const filter = filterOf(account, chosen, today);
  const read = (from: Queryable) => findTaskPage(from, filter, size, after, seal);
  const page =
    chosen.updatedSince === undefined
      ? await read(db)
      : await readSettled(database, account.id, accountQueue, read);
  if (page === undefined) throw notFound(missing);
  return page;
}

/**
 * Creates a task at the top of its list. Throws validation_error, not_found (project or section),
 * premium_required (deadline) and invalid_state (closed project).
 */
export async function createTask(
  session: WriteSession,
  body: InferType<typeof taskCreateBody>,
  rendering: Rendering,
): Promise<Task> {
  const fields = fieldsAfter(body);
  const { dueDate, deadlineDate, reminderTime } = fields;
  const recurrence = body.recurrence ? normaliseRule(body.recurrence) : null;
  requireDateForReminder(dueDate, reminderTime);
  const destination = readDestination(body);
  const place = destination.kind === 'project' ? await findProjectPlace(session, destination) : undefined;
  requireDeadlineAllowed(session.account.plan, null, deadlineDate);
  if (place) requireOpenProject(place);

  return insertRow(session, 'Task', {
    accountId: session.account.id,
    id: randomUUID(),
    title: body.title,
    ...notesColumns(body.description, rendering),
    status: 'open',
    ...(place?.placement ?? outsideProjects(destination, { dueDate, deadlineDate })),
    ...fields,
    ...startSeries(recurrence, { dueDate, deadlineDate }, session.today),
    checklist: replaceChecklist([], body.checklist ?? []),
    rank: session.topRank(),
    dayRank: null,
    trashedAt: null,
    isTrashedWithProject: false,
    completedAt: null,
    cancelledAt: null,
    createdAt: session.changedAt,
    updatedAt: session.changedAt,
  });
}

/**
 * Moves the task to the top of the destination, which may be the same. Throws validation_error, not_found
 * (task, project or section) and invalid_state (trashed task, closed project).
 */
export async function moveTask(
  session: WriteSession,
  id: string,
  body: InferType<typeof taskMoveBody>,
): Promise<Task> {
  const wanted = readDestination(body);
  const task = await getTask(session, id);
  const destination =
    body.sectionId === null && body.list === undefined ? rootOfProject(task, wanted) : wanted;
  const place = destination.kind === 'project' ? await findProjectPlace(session, destination) : undefined;
  if (task.trashedAt) throw invalidState('A task in the Trash can not be moved; restore it first.');
  if (place) requireOpenProject(place);
  const placement = place?.placement ?? outsideProjects(destination, task);
  return updateRow(session, 'Task', task, { ...placement, rank: session.topRank() });
}

/** `{"sectionId": null}` alone: the root of the task's project. */
function rootOfProject(task: Task, wanted: Destination): Destination {
  if (wanted.kind === 'project') return wanted;
  if (!task.projectId) {
    throw invalidField('sectionId', 'sectionId null needs a projectId: the task is in no project');
  }
  return { kind: 'project', projectId: task.projectId, sectionId: undefined };
}

/** A place in an existing project, which may be closed. */
type ProjectPlace = { placement: Placement; projectStatus: string };

/**
 * Looks up a place in a project. Throws not_found for a missing, foreign or trashed project or section, and
 * validation_error on `sectionId` for a section of another project.
 */
async function findProjectPlace(
  session: Session,
  destination: Extract<Destination, { kind: 'project' }>,
): Promise<ProjectPlace> {
  const { sectionId } = destination;
  const owner = sectionId === undefined ? undefined : await findSectionProject(session, sectionId);
  if (sectionId !== undefined && owner === undefined) throw notFound('No section has this sectionId.');
  const projectId = destination.projectId ?? owner;
  const state = projectId === undefined ? undefined : await findProjectState(session, projectId);
  if (projectId === undefined || state === undefined || state.isTrashed)
    throw notFound('No project has this projectId.');
  if (owner !== undefined && owner !== projectId) {
    throw invalidField('sectionId', 'sectionId names a section of another project');
  }
  return {
    placement: { list: 'project', projectId, sectionId: sectionId ?? null },
    projectStatus: state.status,
  };
}

function requireOpenProject({ projectStatus: status }: ProjectPlace): void {
  if (status !== 'active') throw invalidState(`A ${status} project takes no tasks${wayToOpen(status)}.`);
}

/**
 * Applies a merge patch. `rendering` is of the patch's notes. Throws validation_error on `reminderTime` and
 * `recurrence`, not_found and premium_required; version_changed for another `updatedAt` than the known one.
 */
export async function patchTask(
  session: WriteSession,
  id: string,
  patch: TaskPatch,
  rendering: Rendering,
  knownUpdatedAt?: string,
): Promise<Task> {
  // A contradictory patch is invalid even if there is no such task.
  if (patch.dueDate === null) requireDateForReminder(null, patch.reminderTime ?? null);
  const task = await getTask(session, id);
  requireVersion(task, knownUpdatedAt);
  const fields = fieldsAfter(patch, task);
  // Clearing the date clears the reminder, unless the patch sets one.
  if (patch.dueDate === null && patch.reminderTime === undefined) fields.reminderTime = null;
  requireDateForReminder(fields.dueDate, fields.reminderTime);
  const rule = ruleAfter(task, patch.recurrence);
  requireDeadlineAllowed(session.account.plan, task.deadlineDate, patch.deadlineDate ?? null);
  return updateRow(session, 'Task', task, {
    ...(patch.title !== undefined && { title: patch.title }),
    ...changedNotes(task.description, patch.description, rendering),
    ...(patch.checklist !== undefined && {
      checklist: replaceChecklist(task.checklist, patch.checklist ?? []),
    }),
    ...fields,
    ...(viewDate(fields) !== viewDate(task) && { dayRank: null }),
    ...seriesAfter(task, patch, rule, fields, session.today),
    ...(task.list === 'inbox' &&
      listFor('inbox', fields) === 'someday' && { list: 'someday', rank: session.topRank() }),
  });
}

/** As sent, null as in a new task; fields that were not sent stay as they were. */
function fieldsAfter(
  sent: Pick<TaskPatch, keyof TaskFields>,
  present: TaskFields = newTaskFields,
): TaskFields {
  const valueAfter = (name: keyof TaskFields) =>
    sent[name] === undefined ? present[name] : (sent[name] ?? newTaskFields[name]);
  return Object.fromEntries(taskFieldNames.map((name) => [name, valueAfter(name)])) as TaskFields;
}
