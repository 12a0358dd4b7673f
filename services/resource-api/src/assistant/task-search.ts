import type { Queryable } from '#shared/database/database.ts';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import { addDays, startOfDay } from '#shared/time/calendar-date.ts';
import type { Page } from '../http/page.ts';
import type { Session } from '../session.ts';
import { readSettled } from '../sync/account-feed.ts';
import type { ListedTask, TaskStatus } from '../tasks/task-entity.ts';
import { findTaskPage } from '../tasks/task-page.ts';
import {
  type Bind,
  byClosing,
  logbookStart,
  type TaskSorting,
  type TaskView,
  taskSortings,
} from '../tasks/task-views.ts';
import { wordPatterns } from '../text-search.ts';
import type { ToolCall } from './tool.ts';

/** Each is a condition on every task. */
export const maximumWords = 8;

/** Ids are lower-case UUIDs, dates calendar dates, days those of the account's timezone. */
export type TaskSearch = {
  view?: TaskView | undefined;
  projectId?: string | undefined;
  areaId?: string | undefined;
  sectionId?: string | undefined;
  status?: TaskStatus | undefined;
  text?: string | undefined;
  plannedFrom?: string | undefined;
  plannedTo?: string | undefined;
  closedFrom?: string | undefined;
  closedTo?: string | undefined;
  overdue?: boolean | undefined;
  changedSince?: Date | undefined;
  sort?: TaskSorting | undefined;
};

/**
 * One page of what the search finds. Throws not_found for an unknown project, area or section, validation_error on
 * `cursor` and `text`.
 */
export async function searchTasks(
  { context, session }: Pick<ToolCall, 'context' | 'session'>,
  search: TaskSearch,
  size: number,
  cursor: string | undefined,
): Promise<Page<ListedTask>> {
  const { db, account } = session;
  const { view, projectId, areaId, sectionId, status, changedSince, sort } = search;
  const scope = [account.id, 'assistant', JSON.stringify(search, Object.keys(search).toSorted())];
  const after = cursor === undefined ? undefined : context.cursors.open(scope, cursor);
  const today = after?.today ?? session.today;
  const filter = {
    accountId: account.id,
    today,
    logbookSince: logbookStart(today, account),
    view,
    projectId,
    areaId,
    status,
    updatedSince: changedSince,
    order: sort === undefined ? usualOrder(search) : taskSortings[sort],
    further: furtherConditions(search, today, account.timezone),
  };
  if (sectionId !== undefined) await requireSection(session, sectionId, projectId);
  const seal = (key: readonly string[]): string => context.cursors.seal(scope, { today, key });
  const read = (from: Queryable) => findTaskPage(from, filter, size, after?.key, seal);
  const page =
    changedSince === undefined
      ? await read(db)
      : await readSettled(context.database, account.id, context.accountQueue, read);
  if (page === undefined) throw notFound();
  return page;
}

/** Undefined: that of the view. */
function usualOrder({ view, plannedFrom, plannedTo, closedFrom, closedTo, overdue }: TaskSearch) {
  if (view !== undefined) return undefined;
  if ((closedFrom ?? closedTo) !== undefined) return byClosing;
  return (plannedFrom ?? plannedTo ?? overdue) === undefined ? undefined : taskSortings.date;
}

async function requireSection(
  { db, account }: Session,
  id: string,
  projectId: string | undefined,
): Promise<void> {
  const { rowCount } = await db.query({
    text: `select from tasks.section
     join tasks.project on project.account_id = section.account_id and project.id = section.project_id
     where section.account_id = $1 and section.id = $2 and project.trashed_at is null
       and ($3::uuid is null or project.id = $3)`,
    values: [account.id, id, projectId ?? null],
  });
  if (rowCount === 0) throw notFound();
}

function furtherConditions(
  { view, sectionId, text, plannedFrom, plannedTo, closedFrom, closedTo, overdue }: TaskSearch,
  today: string,
  timezone: string,
): (bind: Bind) => string[] {
  const patterns = patternsOf(text);
  return (bind) => {
    const instant = (date: string): string => `${bind(startOfDay(date, timezone))}::timestamptz`;
    return [
      // As in the app: a task with a date is somewhere on its day.
      ...(view === 'someday' ? ['view_date is null'] : []),
      ...(sectionId === undefined ? [] : [`section_id = ${bind(sectionId)}`]),
      ...(plannedFrom === undefined ? [] : [`view_date >= ${bind(plannedFrom)}::date`]),
      ...(plannedTo === undefined ? [] : [`view_date <= ${bind(plannedTo)}::date`]),
      ...(closedFrom === undefined ? [] : [`closed_at >= ${instant(closedFrom)}`]),
      ...(closedTo === undefined ? [] : [`closed_at < ${instant(addDays(closedTo, 1))}`]),
      ...(overdue ? [`status = 'open' and least(due_date, deadline_date) < ${bind(today)}::date`] : []),
      ...patterns.map(bind).map((pattern) => `title ~ ${pattern} or description ~ ${pattern}`),
    ];
  };
}

/** Throws validation_error for too many words. */
export function patternsOf(text = ''): string[] {
  const patterns = wordPatterns(text);
  if (patterns.length > maximumWords)
    throw invalidField('text', `text must have at most ${maximumWords} words`);
  return patterns;
}
