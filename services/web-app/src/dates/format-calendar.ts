import { plural } from '../words/plural.ts';
import { daysBetween } from './civil-date.ts';
import { formatDistance, inYear, longDay, longWeekday, shortWeekday } from './format-day.ts';

/** «November», in another year with it. */
export const formatMonth = inYear({ month: 'long' });

/** «Thu 26 November». */
export function formatLongDate(date: string, today: string): string {
  return `${shortWeekday(date)} ${longDay(date, today)}`;
}

/** «in 3 days», «today», «2 days late». */
export function formatDueDistance(date: string, today: string): string {
  const days = daysBetween(date, today);
  return days > 0 ? plural(days, { one: '# day late', other: '# days late' }) : formatDistance(date, today);
}

/** «Thursday», «Tomorrow». */
export function formatWeekday(date: string, today: string): string {
  return daysBetween(today, date) === 1 ? 'Tomorrow' : longWeekday(date);
}
