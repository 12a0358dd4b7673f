import type { Recurrence, Weekday } from '#tests/support/api-types.ts';
import { dateOf, dayNumber, nextMember, weekdayIndex, weekdays } from '../unit/series-oracle.ts';
import type { TaskState } from './account-state.ts';
import type { RulePatch } from './operation.ts';

/* The rules of repeating tasks, and what becomes of their dates. */

/** A rule as it is kept: every key there, weekdays in the order of the week. */
export function wholeRule(sent: Pick<Recurrence, 'frequency'> & Partial<Recurrence>): Recurrence {
  const { frequency, interval = 1, fromCompletion = false } = sent;
  return { frequency, interval, weekdays: inOrder(sent.weekdays ?? []), fromCompletion };
}

/**
 * The rule that a patch makes of another, by RFC 7396; undefined where it names no frequency and there is
 * none to keep. A rule that is sent back whole, as it is shown, is the rule that is kept.
 */
export function patchedRule(
  kept: Recurrence | null,
  patch: RulePatch,
  anchor: string,
): Recurrence | undefined {
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
export function shownRule(rule: Recurrence, anchor: string): Recurrence {
  const isByAnchor = rule.frequency === 'weekly' && rule.weekdays.length === 0;
  return isByAnchor
    ? { ...rule, weekdays: weekdays.slice(weekdayIndex(dayNumber(anchor))).slice(0, 1) }
    : rule;
}

function isSameRule(one: Recurrence, other: Recurrence, anchor: string): boolean {
  const shown = (rule: Recurrence) => JSON.stringify(shownRule(rule, anchor));
  return shown(one) === shown(other);
}

/** What the series has for the live occurrence; one without dates takes those of the task. */
export function seriesOf({ series, dueDate, deadlineDate }: TaskState): TaskState['series'] {
  return series.dueDate === null && series.deadlineDate === null ? { dueDate, deadlineDate } : series;
}

type Dates = Pick<TaskState, 'dueDate' | 'deadlineDate' | 'anchor'>;

/** The dates after a completion on the day `completedOn`. */
export function rolled(rule: Recurrence, dates: TaskState, completedOn: string): Dates {
  const { dueDate, deadlineDate } = seriesOf(dates);
  const anchor = rule.fromCompletion ? completedOn : (dates.anchor ?? completedOn);
  const present = dueDate ?? deadlineDate ?? completedOn;
  const after = rule.fromCompletion || present < completedOn ? completedOn : present;
  const next = nextMember(rule, anchor, after);
  if (dueDate === null && deadlineDate !== null) return { anchor, dueDate: null, deadlineDate: next };
  const distance = dueDate && deadlineDate ? dayNumber(deadlineDate) - dayNumber(dueDate) : undefined;
  return {
    anchor,
    dueDate: next,
    deadlineDate: distance === undefined ? null : dateOf(dayNumber(next) + distance),
  };
}
