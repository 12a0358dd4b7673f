import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { nextOccurrence, occurrenceFrom, seriesDatesOf, weekdays } from '../tasks/recurrence.ts';
import { type ListedTask, type Task, viewDate } from '../tasks/task-entity.ts';

export function weekdayOf(date: CalendarDate): string {
  const name = weekdays[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** «Thu 2026-11-26» */
export const withWeekday = (date: CalendarDate): string => `${weekdayOf(date).slice(0, 3)} ${date}`;

/** For a repeating task without a date, or on a date outside its rule: names the rule's next date. */
export function hintOnDay(task: ListedTask): string | undefined {
  const { dueDate, recurrence, recurrenceAnchor } = task;
  if (recurrence === null) return undefined;
  if (viewDate(task) === null) return 'but no day shows it before it has a dueDate (reschedule_tasks)';
  if (dueDate === null) return undefined;
  const next = occurrenceFrom(recurrence, recurrenceAnchor ?? dueDate, dueDate);
  if (next === undefined || next === dueDate) return undefined;
  return `though ${withWeekday(dueDate)} is no day of its repeat, which is next on ${withWeekday(next)}`;
}

/**
 * For a monthly repeat that starts on the last day of a shorter month: it keeps that day number. One that
 * starts on a 31st is on the last day of every month.
 */
export function hintOnLastDay({ recurrence, recurrenceAnchor }: ListedTask): string | undefined {
  if (recurrence?.frequency !== 'monthly' || recurrence.weekOfMonth !== undefined) return undefined;
  const start = recurrenceAnchor === null ? undefined : Temporal.PlainDate.from(recurrenceAnchor);
  if (start === undefined || start.day < start.daysInMonth || start.day === 31) return undefined;
  const earlier = start.subtract({ months: recurrence.interval });
  const fromStart = `starts it at ${earlier.with({ day: 31 })} instead, then skip_occurrence`;
  const how = earlier.daysInMonth === 31 ? `: for that change_tasks ${fromStart}` : '';
  return `on day ${start.day}, not on the last of every month${how}`;
}

/** For an occurrence that was moved past the next date of its series: the dates in between are skipped. */
export function hintOnLeftOut(task: Task): string | undefined {
  const { dueDate, recurrence: rule, recurrenceAnchor } = task;
  const { dueDate: ofSeries } = seriesDatesOf(task);
  if (!rule || rule.fromCompletion || dueDate === null || ofSeries === null) return undefined;
  const next = nextOccurrence(rule, recurrenceAnchor ?? ofSeries, ofSeries);
  if (next === undefined || next >= dueDate || (rule.until !== undefined && next > rule.until))
    return undefined;
  return (
    `and the days of its repeat before that are left out, from ${withWeekday(next)} on, ` +
    'unless this one is done or skipped earlier'
  );
}

/** For a changed deadline: one that is moved is of this date alone, one that is added or cleared of all. */
export function hintOnDeadline(before: Task | undefined, task: Task): string | undefined {
  if (!before?.recurrence) return undefined;
  const { deadlineDate } = seriesDatesOf(task);
  if (deadlineDate !== task.deadlineDate) return 'its deadline on this date alone (on all: with repeat)';
  const isOfAll = deadlineDate !== seriesDatesOf(before).deadlineDate;
  return isOfAll ? 'its deadline on all dates to come' : undefined;
}

/** For a changed reminder, which goes with the planned day: a repeat by deadlines has it once. */
export function hintOnReminder(before: Task | undefined, { reminderTime }: Task): string | undefined {
  if (!before?.recurrence || before.reminderTime === reminderTime) return undefined;
  const { dueDate, deadlineDate } = seriesDatesOf(before);
  const isOnce = dueDate === null && deadlineDate !== null;
  if (reminderTime === null) return isOnce ? undefined : 'without a reminder on all dates to come';
  return `its reminder on ${isOnce ? 'this date alone' : 'all dates to come'}`;
}

/** For a rule that was changed while its occurrence was moved: the series restarts at the moved date. */
export function hintOnNewStart(before: Task | undefined, { recurrenceAnchor }: Task): string | undefined {
  if (!before?.recurrence || before.recurrenceAnchor === recurrenceAnchor) return undefined;
  const { dueDate: ofSeries } = seriesDatesOf(before);
  const { dueDate } = before;
  if (ofSeries === null || dueDate === null || dueDate === ofSeries) return undefined;
  const start = `its repeat starts at ${withWeekday(dueDate)} now`;
  return `and ${start}, where ${withWeekday(ofSeries)} was moved to (elsewhere: dueDate with repeat)`;
}
