import type { InferType } from 'yup';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import { endOfDay, startOfDay } from '#shared/time/calendar-date.ts';
import { calendarDate, closedObject, enumeration, flag, integer, text } from '#shared/validation/fields.ts';
import type { Page } from '../http/page.ts';
import type { Session } from '../session.ts';
import { type ListedTask, taskStatuses } from '../tasks/task-entity.ts';
import { findSectionProject } from '../tasks/task-repository.ts';
import { countChosenTasks, readTaskPage } from '../tasks/task-service.ts';
import {
  type Bind,
  byClosing,
  byUpdate,
  hasNoDate,
  overdueCondition,
  type TaskSorting,
  taskSortings,
  taskViews,
} from '../tasks/task-views.ts';
import { stepPath, taskHasWord, wordPatterns } from '../text-search.ts';
import type { ToolCall } from './tool.ts';
import { areaName, cursorOfPage, projectName, sectionName, since } from './tools/tool-fields.ts';

export const maximumPage = 100;
export const usualPage = 30;
/** Each word is a condition on every task. */
const maximumWords = 8;
/** A longer list is counted up to this number. */
export const maximumCount = 10_000;

export const findInput = closedObject({
  view: enumeration(taskViews).meta({
    description:
      'A list of the app: today (overdue included), upcoming (later days), ' +
      'inbox, someday, anytime, logbook (closed), trash; all: everything.',
  }),
  project: projectName(),
  area: areaName(),
  section: sectionName(),
  text: text(200).meta({
    description: `Words that must all occur in title, notes or steps; at most ${maximumWords}.`,
  }),
  plannedFrom: calendarDate().meta({
    description: 'Planned that day or later, YYYY-MM-DD; without a plan the deadline counts.',
  }),
  plannedTo: calendarDate().meta({ description: 'Planned that day or earlier.' }),
  deadlineFrom: calendarDate().meta({ description: 'Deadline that day or later, whatever is planned.' }),
  deadlineTo: calendarDate().meta({ description: 'Deadline that day or earlier.' }),
  closedFrom: calendarDate().meta({ description: 'Completed or cancelled that day or later.' }),
  closedTo: calendarDate().meta({ description: 'Completed or cancelled that day or earlier.' }),
  overdue: flag().meta({ description: 'Open, planned or due before today.' }),
  repeats: flag().meta({ description: 'Only what repeats.' }),
  changedSince: since('Created, changed, closed or trashed since then; oldest change first.'),
  changedBefore: since('Last changed before then, longest ago first: what lies untouched.'),
  status: enumeration(taskStatuses).meta({ description: 'open unless another filter says otherwise.' }),
  sort: enumeration(Object.keys(taskSortings) as TaskSorting[]).meta({
    description: 'Instead of the view’s order. date: planned day, soonest first.',
  }),
  limit: integer(1, maximumPage).meta({ description: `1 to ${maximumPage}; ${usualPage} unless given.` }),
  cursor: cursorOfPage(),
});

export type FindInput = InferType<typeof findInput>;

/** Ids are lower-case UUIDs, days those of the account's timezone. */
export type TaskSearch = Omit<
  FindInput,
  'project' | 'area' | 'section' | 'changedSince' | 'changedBefore' | 'limit' | 'cursor'
> & {
  projectId?: string | undefined;
  areaId?: string | undefined;
  sectionId?: string | undefined;
  changedSince?: Date | undefined;
  changedBefore?: Date | undefined;
};

/**
 * One page of what the search finds. Throws not_found for an unknown project, area or section,
 * validation_error on `cursor` and `text`.
 */
export async function searchTasks(
  { context, session }: ToolCall,
  search: TaskSearch,
  size: number,
  cursor: string | undefined,
): Promise<Page<ListedTask>> {
  const { sectionId, projectId } = search;
  const list = ['assistant', JSON.stringify(search, Object.keys(search).toSorted())];
  if (sectionId !== undefined) {
    const owner = await findSectionProject(session, sectionId);
    if (owner === undefined || owner !== (projectId ?? owner)) throw notFound();
  }
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
