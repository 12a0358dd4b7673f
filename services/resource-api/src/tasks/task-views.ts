import { planLimits } from '#shared/plans.ts';
import { addDays, type CalendarDate, startOfDay } from '#shared/time/calendar-date.ts';
import type { Account } from '../auth/principal.ts';

export const taskViews = [
  'inbox',
  'today',
  'upcoming',
  'anytime',
  'someday',
  'logbook',
  'trash',
  'all',
] as const;
export type TaskView = (typeof taskViews)[number];

/** Adds a parameter to the statement; returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The order of a list. No key is null within its list, and `id` makes every order total. */
export type SortOrder = { keys: readonly SortKey[]; direction: 'asc' | 'desc' };
type SortKey = { column: SortColumn; type: 'bigint' | 'date' | 'timestamptz' | 'uuid' };
/** Tasks without the date come last. */
type DateOrLast = `coalesce(${'view_date' | 'deadline_date'}, 'infinity')`;
export type SortColumn =
  | 'rank'
  | 'view_date'
  | DateOrLast
  | 'created_at'
  | 'updated_at'
  | 'closed_at'
  | 'trashed_at'
  | 'id';

export const live = "status = 'open' and trashed_at is null";
const notTrashed = 'trashed_at is null';

/**
 * The SQL condition of a view on the day `today`. Membership is computed, so nothing is written at midnight.
 * `view_date` is the `dueDate`, else the deadline. `logbookSince`: the free plan's window.
 */
export function viewCondition(
  view: TaskView | undefined,
  today: CalendarDate,
  logbookSince: Date | null,
  bind: Bind,
): string {
  const date = (): string => `${bind(today)}::date`;
  switch (view) {
    case undefined:
      return notTrashed;
    case 'all':
      return 'true';
    case 'inbox':
    case 'someday':
      return `${live} and list = ${bind(view)}`;
    case 'today':
      return `${live} and view_date <= ${date()}`;
    case 'upcoming':
      return `${live} and view_date > ${date()}`;
    case 'anytime':
      return `${live} and list <> 'inbox' and (due_date is null or due_date <= ${date()})
        and (list = 'project' or view_date <= ${date()})`;
    case 'logbook': {
      const since = `${bind(logbookSince)}::timestamptz`;
      return `status <> 'open' and ${notTrashed} and (${since} is null or closed_at >= ${since})`;
    }
    case 'trash':
      return 'trashed_at is not null';
  }
}

/** Planned or due before `today`. One that is planned for later can have missed its deadline. */
export function overdueCondition(today: CalendarDate, bind: Bind): string {
  return `${live} and least(due_date, deadline_date) < ${bind(today)}::date`;
}

/** As in the app: a task with a date is on its day, and not in Someday. */
export const hasNoDate = 'view_date is null';

/** The free plan's logbook starts some local days ago (specification §8); null: it shows everything. */
export function logbookStart(today: CalendarDate, { plan, timezone }: Pick<Account, 'plan' | 'timezone'>) {
  const { logbookDays } = planLimits[plan];
  return logbookDays === null ? null : startOfDay(addDays(today, -logbookDays), timezone);
}

const id: SortKey = { column: 'id', type: 'uuid' };
const createdAt: SortKey = { column: 'created_at', type: 'timestamptz' };
const byRank: SortOrder = { keys: [{ column: 'rank', type: 'bigint' }, id], direction: 'asc' };
const byViewDate: SortOrder = {
  keys: [{ column: 'view_date', type: 'date' }, createdAt, id],
  direction: 'asc',
};
const byCreation: SortOrder = { keys: [createdAt, id], direction: 'asc' };
export const byUpdate: SortOrder = {
  keys: [{ column: 'updated_at', type: 'timestamptz' }, id],
  direction: 'asc',
};
export const byClosing: SortOrder = {
  keys: [{ column: 'closed_at', type: 'timestamptz' }, id],
  direction: 'desc',
};
const byTrashing: SortOrder = {
  keys: [{ column: 'trashed_at', type: 'timestamptz' }, id],
  direction: 'desc',
};

/** Orders that any list can be asked for in. */
export const taskSortings = {
  date: { keys: [dateOrLast('view_date'), createdAt, id], direction: 'asc' },
  deadline: { keys: [dateOrLast('deadline_date'), createdAt, id], direction: 'asc' },
  newest: { ...byCreation, direction: 'desc' },
  oldest: byCreation,
  changed: { ...byUpdate, direction: 'desc' },
} satisfies Record<string, SortOrder>;
export type TaskSorting = keyof typeof taskSortings;

function dateOrLast(column: 'view_date' | 'deadline_date'): SortKey {
  return { column: `coalesce(${column}, 'infinity')`, type: 'date' };
}

type ListFilters = {
  order?: SortOrder | undefined;
  view?: TaskView | undefined;
  projectId?: string | undefined;
  updatedSince?: Date | undefined;
};

export function sortOrderOf({ order, view, projectId, updatedSince }: ListFilters): SortOrder {
  if (order !== undefined) return order;
  if (updatedSince !== undefined) return byUpdate;
  switch (view) {
    case 'inbox':
    case 'someday':
      return byRank;
    case 'today':
    case 'upcoming':
      return byViewDate;
    case 'logbook':
      return byClosing;
    case 'trash':
      return byTrashing;
    case 'anytime':
    case 'all':
    case undefined:
      return projectId === undefined ? byCreation : byRank;
  }
}
