import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpTexts, queryTexts } from '#shared/database/query-rows.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { jsonBytes, notesBytes, withinPageBytes } from '../database/page-texts.ts';
import { type Page, takePage } from '../http/page.ts';
import type { PresentableTask } from './present-task.ts';
import { type Task, TaskEntity, type TaskStatus } from './task-entity.ts';
import {
  goesOn,
  lacksTexts,
  listedTaskColumns,
  readTaskTexts,
  shortTaskColumns,
  sortText,
  type TaskTexts,
  taskColumns,
} from './task-texts.ts';
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
 * One page of a list; undefined when the project or the area it is restricted to is not there. Each key of `after`
 * belongs to a column of the list's sort order. One statement, and another for a page that holds long texts.
 */
export async function findTaskPage(
  em: EntityManager,
  filter: TaskFilter,
  size: number,
  after: readonly string[] | undefined,
  seal: (key: readonly string[]) => string,
): Promise<Page<PresentableTask> | undefined> {
  const order = sortOrderOf(filter);
  const sealLast = (last: TaskTexts): string => seal(order.keys.map(({ column }) => sortText(last, column)));
  const rows = await readRows(em, filter, pageQuery(shortTaskColumns, filter, order, size, after));
  if (!rows?.some(lacksTexts)) return rows && takePage(rows, size, readTaskTexts, sealLast);
  const whole = pageQuery(listedTaskColumns, filter, order, size, after);
  const sql = withinPageBytes(whole.sql, orderText(order), `${notesBytes} + ${jsonBytes('checklist')}`);
  const measured = await readRows(em, filter, { ...whole, sql });
  return measured && takePage(measured, size, readTaskTexts, sealLast, goesOn(measured.at(-1)));
}

/** The rows of `page`; undefined when what `filter` restricts it to is not there. */
async function readRows(
  em: EntityManager,
  filter: TaskFilter,
  page: Condition,
): Promise<TaskTexts[] | undefined> {
  const container = containerCondition(filter);
  const { sql, parameters } = container === undefined ? page : withinContainer(container, page);
  const rows = await queryTexts<TaskTexts | NoTask>(em, sql, parameters);
  if (container !== undefined && rows[0]?.at(-1) === 'f') return undefined;
  return rows.filter((row) => row[0] !== null);
}

function pageQuery(
  columns: string,
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
  return {
    sql: `select ${columns} from tasks.task
      where ${conditions.map((condition) => `(${condition.sql})`).join(' and ')}
      order by ${orderText(order)} limit ?`,
    parameters: [...conditions.flatMap((condition) => condition.parameters), size + 1],
  };
}

function orderText({ keys, direction }: SortOrder): string {
  return keys.map(({ column }) => `${column} ${direction}`).join(', ');
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
