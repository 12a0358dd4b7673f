import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpTexts, queryTexts } from '#shared/database/query-rows.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { type Page, takePage } from '../http/page.ts';
import type { PresentableTask } from './present-task.ts';
import { type Task, TaskEntity, type TaskStatus } from './task-entity.ts';
import { listedTaskColumns, readTaskTexts, sortText, type TaskTexts, taskColumns } from './task-texts.ts';
import { type Condition, type SortOrder, sortOrderOf, type TaskView, viewCondition } from './task-views.ts';

export type TaskFilter = {
  accountId: string;
  today: CalendarDate;
  logbookSince: Date | null;
  view: TaskView | undefined;
  projectId: string | undefined;
  areaId: string | undefined;
  status: TaskStatus | undefined;
  updatedSince: Date | undefined;
  /** Conditions beyond the interface's filters. */
  further?: readonly Condition[];
};

export async function findTask(
  em: EntityManager,
  accountId: string,
  id: string,
): Promise<PresentableTask | undefined> {
  const sql = `select ${taskColumns} from tasks.task where account_id = ? and id = ?`;
  const [row] = await lookUpTexts<TaskTexts>(em, sql, [accountId, id]);
  return row && readTaskTexts(row);
}

/** The task as an entity of the open write; null when the account has none of this id. */
export function loadTask(em: EntityManager, accountId: string, id: string): Promise<Task | null> {
  return em.findOne(TaskEntity, { accountId, id });
}

/**
 * One page of a list in one statement; undefined when the project or the area it is restricted to is not there.
 * Each key of `after` belongs to a column of the list's sort order.
 */
export async function findTaskPage(
  em: EntityManager,
  filter: TaskFilter,
  size: number,
  after: readonly string[] | undefined,
  seal: (key: readonly string[]) => string,
): Promise<Page<PresentableTask> | undefined> {
  const order = sortOrderOf(filter);
  const page = pageQuery(filter, order, size, after);
  const container = containerCondition(filter);
  const { sql, parameters } = container === undefined ? page : withinContainer(container, page);
  const rows = await queryTexts<TaskTexts | NoTask>(em, sql, parameters);
  if (container !== undefined && rows[0]?.at(-1) === 'f') return undefined;
  return takePage(
    rows.filter((row) => row[0] !== null),
    size,
    readTaskTexts,
    (last) => seal(order.keys.map(({ column }) => sortText(last, column))),
  );
}

function pageQuery(
  filter: TaskFilter,
  order: SortOrder,
  size: number,
  after: readonly string[] | undefined,
): Condition {
  const conditions = [
    { sql: 'account_id = ?', parameters: [filter.accountId] },
    viewCondition(filter.view, filter.today, filter.logbookSince),
    ...filterConditions(filter),
    ...(filter.further ?? []),
    ...(after === undefined ? [] : [keysetCondition(order, after)]),
  ];
  const keys = order.keys.map(({ column }) => column);
  return {
    sql: `select ${listedTaskColumns} from tasks.task
      where ${conditions.map((condition) => `(${condition.sql})`).join(' and ')}
      order by ${keys.map((key) => `${key} ${order.direction}`).join(', ')} limit ?`,
    parameters: [...conditions.flatMap((condition) => condition.parameters), size + 1],
  };
}

function filterConditions({ accountId, projectId, areaId, status, updatedSince }: TaskFilter): Condition[] {
  const conditions: Condition[] = [];
  if (projectId !== undefined) conditions.push({ sql: 'project_id = ?', parameters: [projectId] });
  if (status !== undefined) conditions.push({ sql: 'status = ?', parameters: [status] });
  if (updatedSince !== undefined) conditions.push({ sql: 'updated_at >= ?', parameters: [updatedSince] });
  if (areaId !== undefined) {
    conditions.push({
      sql: `project_id in (select project.id from tasks.project
              where project.account_id = ? and project.area_id = ? and project.trashed_at is null)`,
      parameters: [accountId, areaId],
    });
  }
  return conditions;
}

/** A row comparison needs one direction for all keys; every order here has one. */
function keysetCondition({ keys, direction }: SortOrder, after: readonly string[]): Condition {
  const names = keys.map(({ column }) => column).join(', ');
  const values = keys.map(({ type }) => `?::${type}`).join(', ');
  return { sql: `(${names}) ${direction === 'asc' ? '>' : '<'} (${values})`, parameters: after };
}

function containerCondition({ accountId, projectId, areaId }: TaskFilter): Condition | undefined {
  const parts: Condition[] = [];
  if (projectId !== undefined) {
    parts.push({
      sql: 'exists (select from tasks.project where account_id = ? and id = ? and trashed_at is null)',
      parameters: [accountId, projectId],
    });
  }
  if (areaId !== undefined) {
    parts.push({
      sql: 'exists (select from tasks.area where account_id = ? and id = ?)',
      parameters: [accountId, areaId],
    });
  }
  if (parts.length === 0) return undefined;
  return {
    sql: parts.map(({ sql }) => sql).join(' and '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** The row that tells whether the container is there, when it holds no task. */
type NoTask = readonly [id: null, ...rest: (string | null)[]];

/**
 * Tells «no such project» from «no such task» in the same statement: there is always a first row. Its last column says
 * whether the container is there.
 */
function withinContainer(container: Condition, page: Condition): Condition {
  return {
    sql: `select page.*, container.found from (select ${container.sql} as found) container
      left join lateral (${page.sql}) page on container.found`,
    parameters: [...container.parameters, ...page.parameters],
  };
}
