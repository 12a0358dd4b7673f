import { type CalendarDate, daysBetween, fromPlainDate } from '#shared/time/calendar-date.ts';

export const frequencies = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export type Frequency = (typeof frequencies)[number];

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
export type Weekday = (typeof weekdays)[number];

/** `interval` is at least 1. `weekdays` belong to weekly rules alone; empty means that none were given. */
export type RecurrenceRule = {
  frequency: Frequency;
  interval: number;
  weekdays: readonly Weekday[];
  fromCompletion: boolean;
};

/**
 * The dates of a live repeating task. `anchor` is where its series starts; every member is calculated from it.
 */
export type RepeatingDates = {
  dueDate: CalendarDate | null;
  deadlineDate: CalendarDate | null;
  anchor: CalendarDate;
};

/** The members that a caller names; null takes one back to its default. */
export type RecurrencePatch = {
  frequency?: Frequency | undefined;
  interval?: number | null | undefined;
  weekdays?: readonly Weekday[] | null | undefined;
  fromCompletion?: boolean | null | undefined;
};

/**
 * Fills in the defaults and puts the weekdays in order. Weekdays that were not given stay empty: they follow
 * the anchor, so that moving a weekly task to another day takes its series along.
 */
export function normaliseRule(input: {
  frequency: Frequency;
  interval?: number;
  weekdays?: readonly Weekday[];
  fromCompletion?: boolean;
}): RecurrenceRule {
  return {
    frequency: input.frequency,
    interval: input.interval ?? 1,
    weekdays: weekdays.filter((weekday) => input.weekdays?.includes(weekday)),
    fromCompletion: input.fromCompletion ?? false,
  };
}

/**
 * What `patch` makes of `kept`, by RFC 7396. Weekdays that are not sent go with the weekly frequency. Whether that is
 * a rule has yet to be checked: without `kept` the frequency may be missing, and weekdays may have come to another one.
 */
export function mergeRule(kept: RecurrenceRule | null, patch: RecurrencePatch) {
  const { frequency = kept?.frequency } = patch;
  const { interval = kept?.interval, fromCompletion = kept?.fromCompletion } = patch;
  const { weekdays: days = frequency === 'weekly' ? kept?.weekdays : [] } = patch;
  return {
    frequency,
    interval: interval ?? 1,
    weekdays: days ?? [],
    fromCompletion: fromCompletion ?? false,
  };
}

/** The weekdays to show: those of a weekly rule, which are its anchor's when none were given; else none. */
export function effectiveWeekdays(rule: RecurrenceRule, anchor: CalendarDate): readonly Weekday[] {
  if (rule.frequency !== 'weekly' || rule.weekdays.length > 0) return rule.weekdays;
  const { dayOfWeek } = Temporal.PlainDate.from(anchor);
  return weekdays.slice(dayOfWeek - 1, dayOfWeek);
}

/**
 * Whether `patch`, which makes `merged` of `kept`, leaves it as it is. A rule without weekdays is shown with its
 * anchor's, so whoever sends back what was shown must change nothing: `anchor` is the one it was shown with, that is
 * the one before the request. A rule is shown with its frequency; who sends weekdays without it means these.
 */
export function isUnchanged(
  kept: RecurrenceRule,
  merged: RecurrenceRule,
  patch: RecurrencePatch,
  anchor: CalendarDate,
): boolean {
  const shown = { ...kept, weekdays: effectiveWeekdays(kept, anchor) };
  return sameRule(kept, merged) || (patch.frequency !== undefined && sameRule(shown, merged));
}

function sameRule(one: RecurrenceRule, other: RecurrenceRule): boolean {
  return (
    one.frequency === other.frequency &&
    one.interval === other.interval &&
    one.fromCompletion === other.fromCompletion &&
    one.weekdays.join() === other.weekdays.join()
  );
}

/** The anchor of a series whose rule is set, or whose dueDate is changed, on the day `setOn`. */
export function anchorFor(
  dates: { dueDate: CalendarDate | null; deadlineDate: CalendarDate | null },
  setOn: CalendarDate,
): CalendarDate {
  return dates.dueDate ?? dates.deadlineDate ?? setOn;
}

/**
 * First date of the series anchored at `anchor` strictly after `after`; undefined when that is later than
 * the year 9999. The anchor itself is a member unless the rule lists other weekdays only.
 */
export function nextOccurrence(
  rule: RecurrenceRule,
  anchor: CalendarDate,
  after: CalendarDate,
): CalendarDate | undefined {
  const start = Temporal.PlainDate.from(anchor);
  const earliest = after < anchor ? start : Temporal.PlainDate.from(after).add({ days: 1 });
  return fromPlainDate(firstMember(rule, start, earliest));
}

function firstMember(
  rule: RecurrenceRule,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  switch (rule.frequency) {
    case 'daily':
      return firstOfDaySeries(rule.interval, anchor, earliest);
    case 'weekly':
      return firstOfWeekSeries(rule.interval, listedDays(rule, anchor), anchor, earliest);
    case 'monthly':
      return firstOfMonthSeries(rule.interval, anchor, earliest);
    case 'yearly':
      return firstOfMonthSeries(12 * rule.interval, anchor, earliest);
  }
}

function listedDays(rule: RecurrenceRule, anchor: Temporal.PlainDate): readonly number[] {
  if (rule.weekdays.length === 0) return [anchor.dayOfWeek];
  return rule.weekdays.map((weekday) => weekdays.indexOf(weekday) + 1);
}

/**
 * The dates of the live task after one occurrence was completed on the day `completedOn`. By rule, missed
 * dates are skipped; from completion, the series starts anew at `completedOn`. The deadline keeps its distance
 * from dueDate; without dueDate the deadline itself repeats; without either the task gets a dueDate.
 * Undefined when a date leaves the years 0001-9999: the series has ended and the completed occurrence was
 * its last.
 */
export function rollDates(
  rule: RecurrenceRule,
  dates: RepeatingDates,
  completedOn: CalendarDate,
): RepeatingDates | undefined {
  const { dueDate, deadlineDate } = dates;
  const anchor = rule.fromCompletion ? completedOn : dates.anchor;
  const next = nextOccurrence(rule, anchor, dateToPass(rule, dates, completedOn));
  if (next === undefined) return undefined;
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

// The three kinds of series, as arithmetic on civil dates. Each function returns the first member on or after `earliest`,
// which is never before the anchor, in one step from the anchor: from member to member, a day clamped in a short month
// would be carried into the long ones.

function firstOfDaySeries(
  interval: number,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  const steps = Math.ceil(daysApart(anchor, earliest) / interval);
  return anchor.add({ days: steps * interval });
}

/**
 * Every listed day (ISO numbers, Monday 1) of a counted week, then on by `interval` weeks. The week of the
 * anchor, from its Monday, is the first that counts; its days before the anchor do not.
 */
function firstOfWeekSeries(
  interval: number,
  listedDays: readonly number[],
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  const firstMonday = mondayOf(anchor);
  const weeksPassed = daysApart(firstMonday, mondayOf(earliest)) / 7;
  const weeksIntoInterval = weeksPassed % interval;
  const laterThisWeek = listedDays.filter((day) => day >= earliest.dayOfWeek);
  if (weeksIntoInterval === 0 && laterThisWeek.length > 0) {
    return earliest.add({ days: Math.min(...laterThisWeek) - earliest.dayOfWeek });
  }
  const nextCountedWeek = weeksPassed - weeksIntoInterval + interval;
  return firstMonday.add({ days: 7 * nextCountedWeek + Math.min(...listedDays) - 1 });
}

/** `add` clamps a day that the month lacks to the month's last one (SKIP=BACKWARD of RFC 7529 §4.1). */
function firstOfMonthSeries(
  interval: number,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  const monthsPassed = 12 * (earliest.year - anchor.year) + earliest.month - anchor.month;
  const steps = Math.floor(monthsPassed / interval);
  const candidate = anchor.add({ months: steps * interval });
  if (Temporal.PlainDate.compare(candidate, earliest) >= 0) return candidate;
  return anchor.add({ months: (steps + 1) * interval });
}

function mondayOf(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.subtract({ days: date.dayOfWeek - 1 });
}

function daysApart(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: 'day' }).days;
}
