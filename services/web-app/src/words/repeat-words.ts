import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { shortDay } from '../dates/format-day.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import { capital } from './capital.ts';
import { listOf } from './list-of.ts';
import { plural } from './plural.ts';

const units = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const;
const everyOne = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly', yearly: 'Yearly' } as const;
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** «Monthly on the 24th», «Monthly on the last Friday, until 30 Jun 2027», «3 months after completion». */
export function describeRepeat(recurrence: AppRecurrence, date: string | null): string {
  const { until } = recurrence;
  const rule = describeRule(recurrence, date);
  return until === undefined ? rule : `${rule}, until ${shortDay(until, null)}`;
}

function describeRule(recurrence: AppRecurrence, date: string | null): string {
  const { frequency, interval, fromCompletion } = recurrence;
  const count = plural(interval, { one: `# ${units[frequency]}`, other: `# ${units[frequency]}s` });
  if (fromCompletion) return `${count} after completion`;
  if (isEveryWeekday(recurrence)) return 'Every weekday';
  return `${interval === 1 ? everyOne[frequency] : `Every ${count}`}${describeDay(recurrence, date)}`;
}

function isEveryWeekday({ frequency, interval, weekdays }: AppRecurrence): boolean {
  return frequency === 'weekly' && interval === 1 && weekdays.join() === weekdayNames.slice(0, 5).join();
}

function describeDay({ frequency, weekdays, weekOfMonth }: AppRecurrence, date: string | null): string {
  if (weekOfMonth !== undefined) {
    const week = weekOfMonth === -1 ? 'last' : ordinal(weekOfMonth);
    return ` on the ${week} ${weekdays.map(capital).join()}`;
  }
  if (frequency === 'weekly' && weekdays.length > 0) return ` on ${listOf(weekdays.map(capital))}`;
  if (date === null) return '';
  if (frequency === 'monthly') return ` on the ${ordinal(Number(date.slice(8)))}`;
  return frequency === 'yearly' ? ` on ${shortDay(date, date)}` : '';
}

function ordinal(day: number): string {
  return `${day}${suffixes[ordinals.select(day)] ?? 'th'}`;
}
