import type { Recurrence, Weekday } from '#tests/support/api-types.ts';
import type { RuleState, TaskState } from './account-state.ts';
import type { RulePatch } from './operation.ts';

/* The dates of a repeating task, found by asking of one day after the other whether the rule names it. */

const dayMilliseconds = 86_400_000;

/** Monday first, as weeks begin. */
export const weekdays: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMilliseconds;
}

export function dateOf(day: number): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10);
}

/** 1970-01-01 was a Thursday. */
function weekday(day: number): number {
  return (day + 3) % 7;
}

/** The civil date in a time zone, by the names that Intl prints. */
export function dateIn(timezone: string, instant: Date): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  return format.format(instant);
}

/** A rule as it is kept: every key there, weekdays in the order of the week. */
export function wholeRule(sent: Pick<Recurrence, 'frequency'> & Partial<Recurrence>): RuleState {
  const { frequency, interval = 1, fromCompletion = false } = sent;
  return { frequency, interval, weekdays: inOrder(sent.weekdays ?? []), fromCompletion };
}

/**
 * The rule that a patch makes of another, by RFC 7396; undefined where it names no frequency and there is none to keep.
 * A rule that is sent back whole, as it is shown, is the rule that is kept.
 */
export function patchedRule(kept: RuleState | null, patch: RulePatch, anchor: string): RuleState | undefined {
  const frequency = patch.frequency ?? kept?.frequency;
  if (frequency === undefined) return undefined;
  const merged: Record<string, unknown> = { ...kept, ...patch, frequency };
  if (frequency !== 'weekly' && patch.weekdays === undefined) merged.weekdays = null;
  const present = Object.entries(merged).filter(([, value]) => value !== null);
  const whole = wholeRule({ frequency, ...(Object.fromEntries(present) as Partial<Recurrence>) });
  const isAsShown = kept && patch.frequency && patch.weekdays && isSameRule(kept, whole, anchor);
  return isAsShown ? kept : whole;
}

function inOrder(names: readonly Weekday[]): Weekday[] {
  return weekdays.filter((name) => names.includes(name));
}

/** What clients are shown: the weekday of the anchor where a weekly rule names none. */
export function shownRule(rule: RuleState, anchor: string): RuleState {
  const isByAnchor = rule.frequency === 'weekly' && rule.weekdays.length === 0;
  return isByAnchor ? { ...rule, weekdays: weekdays.slice(weekday(dayNumber(anchor))).slice(0, 1) } : rule;
}

function isSameRule(one: RuleState, other: RuleState, anchor: string): boolean {
  const shown = (rule: RuleState) => JSON.stringify(shownRule(rule, anchor));
  return shown(one) === shown(other);
}

function names(rule: RuleState, anchor: string, day: number): boolean {
  const start = dayNumber(anchor);
  if (day < start) return false;
  const [first, asked] = [new Date(start * dayMilliseconds), new Date(day * dayMilliseconds)];
  const years = asked.getUTCFullYear() - first.getUTCFullYear();
  const months = 12 * years + asked.getUTCMonth() - first.getUTCMonth();
  const lastOfMonth = new Date(Date.UTC(asked.getUTCFullYear(), asked.getUTCMonth() + 1, 0)).getUTCDate();
  const isItsDay = asked.getUTCDate() === Math.min(first.getUTCDate(), lastOfMonth);
  switch (rule.frequency) {
    case 'daily':
      return (day - start) % rule.interval === 0;
    case 'weekly': {
      const weeks = (day - weekday(day) - (start - weekday(start))) / 7;
      const isListed = shownRule(rule, anchor).weekdays.some((name) => weekdays[weekday(day)] === name);
      return isListed && weeks % rule.interval === 0;
    }
    case 'monthly':
      return isItsDay && months % rule.interval === 0;
    case 'yearly':
      return isItsDay && months % 12 === 0 && years % rule.interval === 0;
  }
}

/** The first date of the series after a date. */
function nextDate(rule: RuleState, anchor: string, after: string): string {
  let day = dayNumber(after) + 1;
  while (!names(rule, anchor, day)) day += 1;
  return dateOf(day);
}

/** What the series has for the live occurrence; one without dates takes those of the task. */
export function seriesOf({ series, dueDate, deadlineDate }: TaskState): TaskState['series'] {
  return series.dueDate === null && series.deadlineDate === null ? { dueDate, deadlineDate } : series;
}

type Dates = Pick<TaskState, 'dueDate' | 'deadlineDate' | 'anchor'>;

/** The dates after a completion on the day `completedOn`. */
export function rolled(rule: RuleState, dates: TaskState, completedOn: string): Dates {
  const { dueDate, deadlineDate } = seriesOf(dates);
  const anchor = rule.fromCompletion ? completedOn : (dates.anchor ?? completedOn);
  const present = dueDate ?? deadlineDate ?? completedOn;
  const after = rule.fromCompletion || present < completedOn ? completedOn : present;
  const next = nextDate(rule, anchor, after);
  if (dueDate === null && deadlineDate !== null) return { anchor, dueDate: null, deadlineDate: next };
  const distance = dueDate && deadlineDate ? dayNumber(deadlineDate) - dayNumber(dueDate) : undefined;
  return {
    anchor,
    dueDate: next,
    deadlineDate: distance === undefined ? null : dateOf(dayNumber(next) + distance),
  };
}
