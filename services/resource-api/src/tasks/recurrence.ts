import { isDeepStrictEqual } from 'node:util';
import { type CalendarDate, daysBetween, fromPlainDate } from '#shared/time/calendar-date.ts';
import {
  firstOfDaySeries,
  firstOfMonthSeries,
  firstOfWeekdaySeries,
  firstOfWeekSeries,
} from './recurrence-series.ts';

export const frequencies = ['daily', 'weekly', 'monthly', 'yearly'] as const;
type Frequency = (typeof frequencies)[number];

/** Monday first, as weeks start on Monday (the default of RFC 5545 §3.3.10). */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
type Weekday = (typeof weekdays)[number];

/** -1: the last one. */
export const weeksOfMonth: readonly number[] = [1, 2, 3, 4, -1];

/**
 * `interval` ≥ 1. `weekdays`: for weekly rules (empty: not given), and for monthly ones with `weekOfMonth`,
 * which have exactly one. `until` is the last possible day.
 */
export type RecurrenceRule = {
  frequency: Frequency;
  interval: number;
  weekdays: readonly Weekday[];
  fromCompletion: boolean;
  weekOfMonth?: number;
  until?: CalendarDate;
};

export type OccurrenceDates = { dueDate: CalendarDate | null; deadlineDate: CalendarDate | null };

/**
 * The series' dates of the live occurrence, even if that was moved. `anchor` is the start of the series;
 * every member is calculated from it.
 */
export type RepeatingDates = OccurrenceDates & { anchor: CalendarDate };

/** The sent members; null restores a default. */
type RecurrencePatch = { frequency?: Frequency | undefined } & {
  [Name in Exclude<keyof RecurrenceRule, 'frequency'>]?: RecurrenceRule[Name] | null | undefined;
};

/** Fills in the defaults and sorts the weekdays. Omitted weekdays stay empty: they follow the anchor. */
export function normaliseRule(
  input: Pick<RecurrenceRule, 'frequency'> & {
    [Name in keyof RecurrenceRule]?: RecurrenceRule[Name] | undefined;
  },
): RecurrenceRule {
  const { weekOfMonth, until } = input;
  return {
    frequency: input.frequency,
    interval: input.interval ?? 1,
    weekdays: weekdays.filter((weekday) => input.weekdays?.includes(weekday)),
    fromCompletion: input.fromCompletion ?? false,
    ...(weekOfMonth !== undefined && { weekOfMonth }),
    ...(until !== undefined && { until }),
  };
}

/**
 * Merges `patch` into `kept` (RFC 7396). Weekdays that are not sent are dropped with their frequency. The
 * result must be validated: the frequency may be missing, and weekdays may not fit it.
 */
export function mergeRule(kept: RecurrenceRule | null, patch: RecurrencePatch) {
  const { frequency = kept?.frequency } = patch;
  const { interval = kept?.interval, fromCompletion = kept?.fromCompletion } = patch;
  const { until = kept?.until } = patch;
  const isWithoutDays = patch.weekdays === null || patch.weekdays?.length === 0;
  const keepsWeek = frequency === 'monthly' && !isWithoutDays;
  const { weekOfMonth = keepsWeek ? kept?.weekOfMonth : undefined } = patch;
  const keepsDays = frequency === 'weekly' || typeof weekOfMonth === 'number';
  const { weekdays: days = keepsDays ? kept?.weekdays : [] } = patch;
  return {
    frequency,
    interval: interval ?? 1,
    weekdays: days ?? [],
    fromCompletion: fromCompletion ?? false,
    ...(typeof weekOfMonth === 'number' && { weekOfMonth }),
    ...(typeof until === 'string' && { until }),
  };
}

/** The weekdays of a response: those of a weekly rule, by default its anchor's; else none. */
export function effectiveWeekdays(rule: RecurrenceRule, anchor: CalendarDate): readonly Weekday[] {
  if (rule.frequency !== 'weekly' || rule.weekdays.length > 0) return rule.weekdays;
  const { dayOfWeek } = Temporal.PlainDate.from(anchor);
  return weekdays.slice(dayOfWeek - 1, dayOfWeek);
}

/**
 * Whether `patch`, which merges `kept` to `merged`, changes nothing. Responses show a rule without weekdays
 * with those of its anchor, and always with its frequency: sending back a response must change nothing.
 * `anchor` is the one before the request.
 */
export function isUnchanged(
  kept: RecurrenceRule,
  merged: RecurrenceRule,
  patch: RecurrencePatch,
  anchor: CalendarDate,
): boolean {
  const shown = { ...kept, weekdays: effectiveWeekdays(kept, anchor) };
  return (
    isDeepStrictEqual(kept, merged) || (patch.frequency !== undefined && isDeepStrictEqual(shown, merged))
  );
}

export function differsOnlyInEnd(one: RecurrenceRule, other: RecurrenceRule): boolean {
  const { until: _one, ...rule } = one;
  const { until: _other, ...otherRule } = other;
  return isDeepStrictEqual(rule, otherRule);
}

/** The anchor of a series whose rule is set on the day `setOn`. */
export function anchorFor(dates: OccurrenceDates, setOn: CalendarDate): CalendarDate {
  return dates.dueDate ?? dates.deadlineDate ?? setOn;
}

/** The series' dates of the live occurrence; by default the task's own. */
export function seriesDatesOf({
  dueDate,
  deadlineDate,
  seriesDueDate,
  seriesDeadlineDate,
}: OccurrenceDates & {
  seriesDueDate: CalendarDate | null;
  seriesDeadlineDate: CalendarDate | null;
}): OccurrenceDates {
  const isRecorded = seriesDueDate !== null || seriesDeadlineDate !== null;
  return isRecorded
    ? { dueDate: seriesDueDate, deadlineDate: seriesDeadlineDate }
    : { dueDate, deadlineDate };
}

/**
 * The series' dates after the dates of an occurrence changed from `own` to `wanted`. Moving a start date or a
 * deadline affects only this occurrence. An added deadline repeats, a cleared one does not; a series by
 * deadlines alone keeps them.
 */
export function seriesDatesAfter(
  series: OccurrenceDates,
  own: OccurrenceDates,
  wanted: OccurrenceDates,
): OccurrenceDates {
  const { dueDate, deadlineDate } = series;
  if (dueDate === null || wanted.deadlineDate === own.deadlineDate) return series;
  if (wanted.deadlineDate === null) return { dueDate, deadlineDate: null };
  if (deadlineDate !== null) return series;
  const days = daysBetween(wanted.dueDate ?? dueDate, wanted.deadlineDate);
  const added = fromPlainDate(Temporal.PlainDate.from(dueDate).add({ days }));
  return { dueDate, deadlineDate: added ?? null };
}

/**
 * The first date of the series strictly after `after`; undefined beyond the year 9999. The anchor is a member
 * unless the rule lists other weekdays.
 */
export function nextOccurrence(
  rule: RecurrenceRule,
  anchor: CalendarDate,
  after: CalendarDate,
): CalendarDate | undefined {
  return firstFrom(rule, anchor, Temporal.PlainDate.from(after).add({ days: 1 }));
}

/** The first date of the series on that day or later. */
export function occurrenceFrom(
  rule: RecurrenceRule,
  anchor: CalendarDate,
  day: CalendarDate,
): CalendarDate | undefined {
  return firstFrom(rule, anchor, Temporal.PlainDate.from(day));
}

function firstFrom(
  rule: RecurrenceRule,
  anchor: CalendarDate,
  day: Temporal.PlainDate,
): CalendarDate | undefined {
  const start = Temporal.PlainDate.from(anchor);
  const isBefore = Temporal.PlainDate.compare(day, start) < 0;
  return fromPlainDate(firstMember(rule, start, isBefore ? start : day));
}

function firstMember(
  rule: RecurrenceRule,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  const days = listedDays(rule, anchor);
  switch (rule.frequency) {
    case 'daily':
      return firstOfDaySeries(rule.interval, anchor, earliest);
    case 'weekly':
      return firstOfWeekSeries(rule.interval, days, anchor, earliest);
    case 'monthly':
      return rule.weekOfMonth === undefined
        ? firstOfMonthSeries(rule.interval, anchor, earliest)
        : firstOfWeekdaySeries(rule.interval, days, rule.weekOfMonth, anchor, earliest);
    case 'yearly':
      return firstOfMonthSeries(12 * rule.interval, anchor, earliest);
  }
}

function listedDays(rule: RecurrenceRule, anchor: Temporal.PlainDate): readonly number[] {
  if (rule.weekdays.length === 0) return [anchor.dayOfWeek];
  return rule.weekdays.map((weekday) => weekdays.indexOf(weekday) + 1);
}

/**
 * The dates of the live task after completing an occurrence on `completedOn`. By rule, missed dates are
 * skipped; from completion, the series restarts at `completedOn`. The deadline keeps its distance from
 * dueDate; without dueDate the deadline repeats; without either the task gets a dueDate. Undefined if the
 * series has ended: after `until`, or beyond the years 0001-9999.
 */
export function rollDates(
  rule: RecurrenceRule,
  dates: RepeatingDates,
  completedOn: CalendarDate,
): RepeatingDates | undefined {
  const { dueDate, deadlineDate } = dates;
  const anchor = rule.fromCompletion ? completedOn : dates.anchor;
  const next = nextOccurrence(rule, anchor, dateToPass(rule, dates, completedOn));
  if (next === undefined || (rule.until !== undefined && next > rule.until)) return undefined;
  if (deadlineDate === null) return { dueDate: next, deadlineDate, anchor };
  if (dueDate === null) return { dueDate, deadlineDate: next, anchor };
  const days = daysBetween(dueDate, deadlineDate);
  const nextDeadline = fromPlainDate(Temporal.PlainDate.from(next).add({ days }));
  return nextDeadline === undefined ? undefined : { dueDate: next, deadlineDate: nextDeadline, anchor };
}

function dateToPass(rule: RecurrenceRule, dates: RepeatingDates, completedOn: CalendarDate): CalendarDate {
  const current = dates.dueDate ?? dates.deadlineDate ?? completedOn;
  return rule.fromCompletion || current < completedOn ? completedOn : current;
}
