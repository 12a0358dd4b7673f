import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { serviceUnavailable } from '#shared/errors/errors.ts';
import { columnsOf } from '../database/entity-rows.ts';
import type { Tables } from '../database/tasks-database.ts';
import type { Session, WriteSession } from '../session.ts';
import { noSeries, type Series, type Task, TaskEntity } from './task-entity.ts';

const columns = columnsOf(TaskEntity);

export async function findTask({ db, account }: Session, id: string): Promise<Task | undefined> {
  const { rows } = await db.query<Task>({
    name: 'find-task',
    text: `select ${columns} from tasks.task where account_id = $1 and id = $2`,
    values: [account.id, id],
  });
  return rows[0];
}

/** The repeat that ended when the task was closed; undefined: there was none, or the history has ended. */
export async function findEndedSeries(
  { db, account }: WriteSession,
  id: string,
): Promise<Series | undefined> {
  const { rows } = await db.query<Series>({
    text: `select before -> 'recurrence' as recurrence, before ->> 'recurrence_anchor' as "recurrenceAnchor",
        before ->> 'series_due_date' as "seriesDueDate",
        before ->> 'series_deadline_date' as "seriesDeadlineDate"
      from tasks.change_history where account_id = $1 and entity_id = $2 and before ->> 'status' is not null
      order by sequence desc limit 1`,
    values: [account.id, id],
  });
  const [ended] = rows;
  return ended?.recurrence && ended.recurrenceAnchor !== null ? ended : undefined;
}

/** Batch size within the statement timeout, even on a slow disk. */
const tasksPerStatement = 500;
/** Below the usual client timeout of 30 seconds. */
const longChangeMilliseconds = 25_000;

type TaskExpressions = ExpressionBuilder<Tables, 'Task'>;

/**
 * Changes all tasks that satisfy `condition`, which must not hold afterwards, without loading them. Throws
 * service_unavailable on a timeout.
 */
async function changeTasks(
  { account, change, changedAt, renew, tables }: WriteSession,
  changes: Partial<Task>,
  condition: (task: TaskExpressions) => Expression<SqlBool>,
): Promise<void> {
  const startedAt = performance.now();
  const some = tables
    .selectFrom('Task')
    .select('id')
    .where('accountId', '=', account.id)
    .where(condition)
    .limit(tasksPerStatement);
  const changeSome = tables
    .updateTable('Task')
    .set({ ...changes, updatedAt: changedAt })
    .where('accountId', '=', account.id)
    // An array is read once, also where statistics do not know yet how many tasks the account has.
    .where((task) => task('id', '=', task.fn.any(sql<string[]>`array(${some})`)));
  while ((await change(changeSome)) === tasksPerStatement) {
    if (performance.now() - startedAt > longChangeMilliseconds)
      throw serviceUnavailable(new Error('a change of very many rows took too long'));
    renew();
  }
}

const remainingIn = (projectId: string) => (task: TaskExpressions) =>
  task.and({ projectId, status: 'open' as const }).and('trashedAt', 'is', null);

/** The values of a task that is closed now. */
export function closedNow({ changedAt }: WriteSession, status: 'completed' | 'cancelled') {
  return {
    status,
    completedAt: status === 'completed' ? changedAt : null,
    cancelledAt: status === 'cancelled' ? changedAt : null,
    ...noSeries,
  };
}

/** Closes a project's open tasks on the project's date. Series end. */
export function closeProjectTasks(
  session: WriteSession,
  projectId: string,
  status: 'completed' | 'cancelled',
): Promise<void> {
  return changeTasks(session, closedNow(session, status), remainingIn(projectId));
}

export async function countOpenTasksBeside(
  { db, account }: WriteSession,
  projectId: string,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await db.query<{ others: number }>({
    text: `select count(*)::integer as others from tasks.task where account_id = $1 and project_id = $2
      and status = 'open' and trashed_at is null and id not in (select unnest($3::uuid[]))`,
    values: [account.id, projectId, ids],
  });
  return rows[0]?.others ?? 0;
}

/** Moves a project's open tasks to the Trash; closed ones stay in the logbook. */
export function trashProjectTasks(session: WriteSession, projectId: string): Promise<void> {
  const changes = { trashedAt: session.changedAt, isTrashedWithProject: true };
  return changeTasks(session, changes, remainingIn(projectId));
}

export function restoreProjectTasks(session: WriteSession, projectId: string): Promise<void> {
  return changeTasks(session, { trashedAt: null, isTrashedWithProject: false }, (task) =>
    task.and({ projectId, isTrashedWithProject: true }),
  );
}

/** Moves a deleted section's tasks, including trashed ones, to the project's root. */
export function clearSection(session: WriteSession, projectId: string, sectionId: string): Promise<void> {
  return changeTasks(session, { sectionId: null }, (task) => task.and({ projectId, sectionId }));
}

type InSection = { projectId: string; sectionId: string };

/** Without those in the Trash. */
export function moveSectionTasks(session: WriteSession, from: InSection, to: InSection): Promise<void> {
  return changeTasks(session, to, (task) => task.and(from).and('trashedAt', 'is', null));
}

export type ProjectState = { status: 'active' | 'completed' | 'cancelled'; isTrashed: boolean };

/** The state of a project, including the Trash; undefined if it does not exist. */
export async function findProjectState(
  { db, account }: Session,
  projectId: string,
): Promise<ProjectState | undefined> {
  const { rows } = await db.query<ProjectState>({
    name: 'find-project-state',
    text: `select status, trashed_at is not null as "isTrashed" from tasks.project
      where account_id = $1 and id = $2`,
    values: [account.id, projectId],
  });
  return rows[0];
}

/** The project of a section; undefined if the project is in the Trash. */
export async function findSectionProject(
  { db, account }: Session,
  sectionId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ projectId: string }>({
    name: 'find-section-project',
    text: `select section.project_id as "projectId" from tasks.section
      join tasks.project on project.account_id = section.account_id and project.id = section.project_id
      where section.account_id = $1 and section.id = $2 and project.trashed_at is null`,
    values: [account.id, sectionId],
  });
  return rows[0]?.projectId;
}
