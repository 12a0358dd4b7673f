import { invalidField } from '#shared/errors/errors.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import type { TaskView } from '../tasks/task-views.ts';
import type { FindInput } from './task-search.ts';

/** What all tasks that match a filter have in common. */
type Common = Partial<Record<'state' | 'date' | 'place' | 'day', string>>;

const open: Common = { state: 'open tasks' };
const closed: Common = { state: 'closed tasks' };
const dated: Common = { date: 'tasks with a date' };
const outside: Common = { ...open, date: 'tasks without a date', place: 'tasks outside of projects' };
const until: Common = { day: 'days up to today' };
const later: Common = { day: 'days after today' };

const ofViews: Readonly<Record<TaskView, Common>> = {
  inbox: outside,
  someday: outside,
  today: { ...open, ...dated, ...until },
  upcoming: { ...open, ...dated, ...later },
  anytime: open,
  logbook: closed,
  trash: {},
  all: {},
};

/** How to find those tasks instead. */
const instead: Readonly<Record<keyof Common, string>> = {
  state: 'Closed tasks: view=logbook, or status with closedFrom and closedTo, without view.',
  date: 'Tasks with a date are on their day: leave out the view.',
  place: 'For all open tasks of a project leave out the view.',
  day: 'Leave out the view.',
};

const inProject: Common = { place: 'tasks of projects' };

function commonOf(input: FindInput, today: CalendarDate): [filter: keyof FindInput, common: Common][] {
  const { view, status, plannedFrom = '', plannedTo = '' } = input;
  const ofAll: [keyof FindInput, Common][] = [
    ['view', ofViews[view ?? 'all']],
    ['status', status === 'open' ? open : closed],
    ['overdue', { ...open, ...dated }],
    ['repeats', open],
    ['closedFrom', closed],
    ['closedTo', closed],
    ['project', inProject],
    ['area', inProject],
    ['section', inProject],
    ['plannedFrom', { ...dated, ...(plannedFrom > today && later) }],
    ['plannedTo', { ...dated, ...(plannedTo <= today && until) }],
    ['deadlineFrom', dated],
    ['deadlineTo', dated],
  ];
  return ofAll.filter(([filter]) => input[filter] !== undefined && input[filter] !== false);
}

/**
 * An empty list of contradictory filters would be taken for a result. Throws validation_error for two filters
 * that no task can match, with a hint how to find the tasks.
 */
export function requireConsistent(input: FindInput, today: CalendarDate): void {
  for (const range of ['planned', 'deadline', 'closed'] as const) {
    const [from, to] = [input[`${range}From`], input[`${range}To`]];
    if (from !== undefined && to !== undefined && from > to)
      throw invalidField(
        `${range}From`,
        `${range}From ${from} is after ${range}To ${to}: no day is between.`,
      );
  }
  const seen = new Map<string, { filter: keyof FindInput; what: string }>();
  for (const [filter, common] of commonOf(input, today)) {
    for (const [kind, what] of Object.entries(common)) {
      const other = seen.get(kind);
      if (other === undefined) seen.set(kind, { filter, what });
      else if (other.what !== what) {
        const [one, two] = [other.filter, filter].map((name) => `${name}=${input[name]}`);
        const contradiction = `${one} has ${other.what} alone, ${two} ${what}: no task is both.`;
        throw invalidField(filter, `${contradiction} ${instead[kind as keyof Common]}`);
      }
    }
  }
}

/** «What did I do today?»: `view=today` with a closed status selects the tasks closed today. */
export function closedToday(input: FindInput, today: CalendarDate): FindInput | undefined {
  const { view, status, closedFrom, closedTo } = input;
  const isAsked = view === 'today' && (status === 'completed' || status === 'cancelled');
  if (!isAsked || (closedFrom ?? closedTo) !== undefined) return undefined;
  return { ...input, view: undefined, closedFrom: today, closedTo: today };
}
