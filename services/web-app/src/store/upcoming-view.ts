import { addDays } from '../dates/civil-date.ts';
import { startOfMonth } from '../dates/start-of-month.ts';
import { byDayOrder, viewDate } from './order.ts';
import { type DueProject, ids, select, type ViewInput } from './views.ts';

/** Tasks, and projects by their deadlines. */
type UpcomingRows = { ids: string[]; projects: string[] };
export type UpcomingGroup =
  | ({ kind: 'day'; date: string } & UpcomingRows)
  /** Days in a row without a row. */
  | { kind: 'emptyDays'; from: string; to: string }
  | ({ kind: 'restOfMonth'; from: string } & UpcomingRows)
  | ({ kind: 'month'; month: string } & UpcomingRows)
  | ({ kind: 'later'; from: string } & UpcomingRows);
/** The rows from a day up to another, exclusive. */
type Within = (from: string, end: string) => UpcomingRows;

export function viewUpcoming(input: ViewInput, deadlines: readonly DueProject[]): UpcomingGroup[] {
  const tasks = select(input, (task) => (viewDate(task) ?? '') > input.today).sort(
    (a, b) => (viewDate(a) ?? '').localeCompare(viewDate(b) ?? '') || byDayOrder(a, b),
  );
  const within: Within = (from, end) => {
    const isIn = (date: string) => date >= from && date < end;
    return {
      ids: ids(tasks.filter((task) => isIn(viewDate(task) ?? ''))),
      projects: ids(deadlines.filter(({ date }) => isIn(date))),
    };
  };
  const groups: UpcomingGroup[] = [];
  for (let day = 1; day <= 7; day += 1) addDay(groups, addDays(input.today, day), within);
  return [...groups, ...monthGroups(within, addDays(input.today, 8))];
}

const isEmpty = (rows: UpcomingRows) => rows.ids.length + rows.projects.length === 0;

function addDay(groups: UpcomingGroup[], date: string, within: Within): void {
  const rows = within(date, addDays(date, 1));
  const last = groups.at(-1);
  if (!isEmpty(rows)) groups.push({ kind: 'day', date, ...rows });
  else if (last?.kind === 'emptyDays') last.to = date;
  else groups.push({ kind: 'emptyDays', from: date, to: date });
}

/** The rest of the month, five months, and later; empty groups are omitted. */
function monthGroups(within: Within, from: string): UpcomingGroup[] {
  const groups: Exclude<UpcomingGroup, { kind: 'emptyDays' }>[] = [];
  const restEnd = startOfMonth(from, 1);
  groups.push({ kind: 'restOfMonth', from, ...within(from, restEnd) });
  for (let count = 0; count < 5; count += 1) {
    const start = startOfMonth(restEnd, count);
    groups.push({ kind: 'month', month: start.slice(0, 7), ...within(start, startOfMonth(start, 1)) });
  }
  const later = startOfMonth(restEnd, 5);
  groups.push({ kind: 'later', from: later, ...within(later, '9999-99-99') });
  return groups.filter((group) => !isEmpty(group));
}
