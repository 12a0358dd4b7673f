import type { Queryable } from '#shared/database/database.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { columnsOf } from '../database/entity-rows.ts';
import { shortChecklist, shortNotes, taskBytes, withinPageBytes } from '../database/page-size-limit.ts';
import { type Page, takePage } from '../http/page.ts';
import { type ListedTask, listedColumns, type TaskStatus, viewDate } from './task-entity.ts';
import {
  type Bind,
  type SortColumn,
  type SortOrder,
  sortOrderOf,
  type TaskView,
  viewCondition,
} from './task-views.ts';

export type TaskFilter = {
  accountId: string;
  today: CalendarDate;
  logbookSince: Date | null;
  view: TaskView | undefined;
  projectId: string | undefined;
  /** A trashed project is not missing, and in its area. */
  isTrashedProjectToo?: boolean;
  areaId: string | undefined;
  status: TaskStatus | undefined;
  updatedSince: Date | undefined;
  /** Conditions beyond the interface's filters. */
  further?: (bind: Bind, today: CalendarDate) => readonly string[];
  /** Another order than that of the list. */
  order?: SortOrder | undefined;
};

const columns = columnsOf(listedColumns);
/** Long texts are selected as null; the HTML and the checklist are never null otherwise. */
const shortColumns = columnsOf(listedColumns, (column) => {
  if (column === 'checklist') return shortChecklist;
  return column === 'description' || column === 'description_html' ? shortNotes(column) : column;
});

const isWhole = ({ descriptionHtml, checklist }: ListedTask): boolean =>
  descriptionHtml !== null && checklist !== null;

/**
 * One page of a list; undefined if its project or area does not exist. `after` has a key for each column of
 * the list's order. One statement, and another for a page with long texts.
 */
export async function findTaskPage(
  db: Queryable,
  filter: TaskFilter,
  size: number,
  after: readonly string[] | undefined,
  seal: (key: readonly string[]) => string,
): Promise<Page<ListedTask> | undefined> {
  const order = sortOrderOf(filter);
  const by = orderText(order);
  const sealLast = (last: ListedTask): string =>
    seal(order.keys.map(({ column }) => String(sortValues[column](last))));
  const read = (select: (from: string) => string, name?: string) =>
    readPage(db, filter, select, { order, size, after, name });

  const short = await read((from) => `select ${shortColumns} ${from}`, nameOf(filter, after));
  if (short === undefined || short.every(isWhole)) return short && takePage(short, size, sealLast);
  const measured = await read((from) => {
    const page = withinPageBytes(`select * ${from}`, by, taskBytes);
    return `select ${columns}, has_more as "hasMore" from (${page}) task order by ${by}`;
  });
  return measured && takePage(measured, size, sealLast, measured.at(-1)?.hasMore);
}

/**
 * Names of prepared statements, for lists without further filters: their best plan does not depend on the
 * values.
 */
function nameOf(filter: TaskFilter, after: readonly string[] | undefined): string | undefined {
  const { view = 'default', projectId, areaId, status, further, order, updatedSince } = filter;
  if (projectId ?? areaId ?? status ?? further ?? order) return undefined;
  return ['task-page', view, updatedSince && 'since', after && 'after'].filter(Boolean).join('-');
}

type PageOptions = {
  order: SortOrder;
  size: number;
  after: readonly string[] | undefined;
  name: string | undefined;
};

/** Returns the rows; undefined if the filter's project or area does not exist. */
async function readPage(
  db: Queryable,
  filter: TaskFilter,
  select: (from: string) => string,
  { order, size, after, name }: PageOptions,
): Promise<(ListedTask & { hasMore?: boolean })[] | undefined> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const container = containerCondition(filter, bind);
  const conditions = [
    ...taskConditions(filter, bind),
    ...(after === undefined ? [] : [keysetCondition(order, after, bind)]),
  ];
  const page = select(`from tasks.task where ${allOf(conditions)}
    order by ${orderText(order)} limit ${bind(size + 1)}`);
  const text = container === undefined ? page : withinContainer(container, page);
  const { rows } = await db.query<ListedTask & { isFound?: boolean; hasMore?: boolean }>({
    text,
    values,
    ...(name !== undefined && { name }),
  });
  if (rows[0]?.isFound === false) return undefined;
  return rows.filter(({ id }) => id !== null);
}

/** How many tasks the filter finds; `most` stands for more. */
export async function countTaskPage(db: Queryable, filter: TaskFilter, most: number): Promise<number> {
  const values: unknown[] = [];
  const conditions = taskConditions(filter, (value) => `$${values.push(value)}`);
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int from (
      select from tasks.task where ${allOf(conditions)} limit ${most}) task`,
    values,
  });
  return rows[0]?.count ?? 0;
}

function taskConditions(filter: TaskFilter, bind: Bind): string[] {
  const { accountId, view, today, logbookSince, further } = filter;
  return [
    `account_id = ${bind(accountId)}`,
    viewCondition(view, today, logbookSince, bind),
    ...filterConditions(filter, bind),
    ...(further?.(bind, today) ?? []),
  ];
}

const allOf = (conditions: readonly string[]): string =>
  conditions.map((condition) => `(${condition})`).join(' and ');

const sortValues: Record<SortColumn, (task: ListedTask) => string | number | null> = {
  rank: ({ rank }) => rank,
  view_date: viewDate,
  "coalesce(view_date, 'infinity')": (task) => viewDate(task) ?? 'infinity',
  "coalesce(deadline_date, 'infinity')": ({ deadlineDate }) => deadlineDate ?? 'infinity',
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  closed_at: ({ completedAt, cancelledAt }) => completedAt ?? cancelledAt,
  trashed_at: ({ trashedAt }) => trashedAt,
  id: ({ id }) => id,
};

function orderText({ keys, direction }: SortOrder): string {
  return keys.map(({ column }) => `${column} ${direction}`).join(', ');
}

function filterConditions(filter: TaskFilter, bind: Bind): string[] {
  const { accountId, projectId, isTrashedProjectToo, areaId, status, updatedSince } = filter;
  const conditions: string[] = [];
  if (projectId !== undefined) conditions.push(`project_id = ${bind(projectId)}`);
  if (status !== undefined) conditions.push(`status = ${bind(status)}`);
  if (updatedSince !== undefined) conditions.push(`updated_at >= ${bind(updatedSince)}`);
  if (areaId !== undefined)
    conditions.push(`project_id in (select project.id from tasks.project
      where project.account_id = ${bind(accountId)} and project.area_id = ${bind(areaId)}
        ${isTrashedProjectToo ? '' : 'and project.trashed_at is null'})`);
  return conditions;
}

/** A row comparison requires one direction for all keys, as every order here has. */
function keysetCondition({ keys, direction }: SortOrder, after: readonly string[], bind: Bind): string {
  const names = keys.map(({ column }) => column).join(', ');
  const values = keys.map(({ type }, index) => `${bind(after[index])}::${type}`).join(', ');
  return `(${names}) ${direction === 'asc' ? '>' : '<'} (${values})`;
}

function containerCondition(
  { accountId, projectId, isTrashedProjectToo, areaId }: TaskFilter,
  bind: Bind,
): string | undefined {
  const parts: string[] = [];
  if (projectId !== undefined)
    parts.push(`exists (select from tasks.project
      where account_id = ${bind(accountId)} and id = ${bind(projectId)}
        ${isTrashedProjectToo ? '' : 'and trashed_at is null'})`);
  if (areaId !== undefined)
    parts.push(
      `exists (select from tasks.area where account_id = ${bind(accountId)} and id = ${bind(areaId)})`,
    );
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Distinguishes a missing project from an empty one: the statement always returns a first row. */
function withinContainer(container: string, page: string): string {
  return `select page.*, container.found as "isFound" from (select ${container} as found) container
    left join lateral (${page}) page on container.found`;
}
