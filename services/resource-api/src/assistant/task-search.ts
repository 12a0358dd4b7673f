import { invalidField, notFound } from '#shared/errors/errors.ts';
import { endOfDay, startOfDay } from '#shared/time/calendar-date.ts';
import type { Page } from '../http/page.ts';
import type { Session } from '../session.ts';
import type { ListedTask, TaskStatus } from '../tasks/task-entity.ts';
import { countChosenTasks, readTaskPage } from '../tasks/task-service.ts';
import {
  type Bind,
  byClosing,
  byUpdate,
  hasNoDate,
  overdueCondition,
  type TaskSorting,
  type TaskView,
  taskSortings,
} from '../tasks/task-views.ts';
import { stepPath, taskHasWord, wordPatterns } from '../text-search.ts';
import type { ToolCall } from './tool.ts';

/** Each word is a condition on every task. */
export const maximumWords = 8;
/** A longer list is counted up to this number. */
export const maximumCount = 10_000;

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
  deadlineFrom?: string | undefined;
  deadlineTo?: string | undefined;
  closedFrom?: string | undefined;
  closedTo?: string | undefined;
  overdue?: boolean | undefined;
  repeats?: boolean | undefined;
  changedSince?: Date | undefined;
  changedBefore?: Date | undefined;
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
  const { sectionId, projectId } = search;
  const list = ['assistant', JSON.stringify(search, Object.keys(search).toSorted())];
  if (sectionId !== undefined) await requireSection(session, sectionId, projectId);
  return readTaskPage(session, context, filterFor(session, search), { list, cursor, size });
}

/** How many tasks the search finds in all; `maximumCount` stands for more. */
export function countFound(session: Session, search: TaskSearch): Promise<number> {
  return countChosenTasks(session, filterFor(session, search), maximumCount);
}

function filterFor({ account }: Session, search: TaskSearch) {
  const { view, projectId, areaId, status, changedSince, sort } = search;
  return {
    view,
    projectId,
    isTrashedProjectToo: true,
    areaId,
    status,
    updatedSince: changedSince,
    order: sort === undefined ? usualOrder(search) : taskSortings[sort],
    further: furtherConditions(search, account.timezone),
  };
}

/** undefined: the order of the view, or of changes since a time. */
function usualOrder(search: TaskSearch) {
  if (search.changedBefore !== undefined) return byUpdate;
  const { view = 'all', status = 'open', closedFrom, closedTo } = search;
  if (view !== 'all' || search.changedSince !== undefined) return undefined;
  if (status !== 'open' || (closedFrom ?? closedTo) !== undefined) return byClosing;
  const { plannedFrom, plannedTo, deadlineFrom, deadlineTo, overdue } = search;
  if ((deadlineFrom ?? deadlineTo) !== undefined) return taskSortings.deadline;
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

function furtherConditions(search: TaskSearch, timezone: string): (bind: Bind, today: string) => string[] {
  const { view, sectionId, plannedFrom, plannedTo, deadlineFrom, deadlineTo, closedFrom, closedTo, overdue } =
    search;
  const patterns = patternsOf(search.text);
  return (bind, today) => {
    const instant = (at: Date): string => `${bind(at)}::timestamptz`;
    return [
      ...(view === 'someday' ? [hasNoDate] : []),
      ...(sectionId === undefined ? [] : [`section_id = ${bind(sectionId)}`]),
      ...betweenDays('view_date', plannedFrom, plannedTo, bind),
      ...betweenDays('deadline_date', deadlineFrom, deadlineTo, bind),
      ...(closedFrom === undefined ? [] : [`closed_at >= ${instant(startOfDay(closedFrom, timezone))}`]),
      ...(closedTo === undefined ? [] : [`closed_at < ${instant(endOfDay(closedTo, timezone))}`]),
      ...(search.changedBefore === undefined ? [] : [`updated_at < ${instant(search.changedBefore)}`]),
      ...(search.repeats ? ['recurrence is not null'] : []),
      ...(overdue ? [overdueCondition(today, bind)] : []),
      ...patterns.map((pattern) => taskHasWord(bind(pattern), bind(stepPath(pattern)))),
    ];
  };
}

function betweenDays(column: string, from: string | undefined, to: string | undefined, bind: Bind): string[] {
  return [
    ...(from === undefined ? [] : [`${column} >= ${bind(from)}::date`]),
    ...(to === undefined ? [] : [`${column} <= ${bind(to)}::date`]),
  ];
}

/** Throws validation_error for too many words. */
export function patternsOf(text = ''): string[] {
  const patterns = wordPatterns(text);
  if (patterns.length > maximumWords)
    throw invalidField('text', `text must have at most ${maximumWords} words`);
  return patterns;
}
