import { plural } from '../words/plural.ts';
import { daysBetween } from './civil-date.ts';
import { inYear, longDay, longWeekday, shortWeekday } from './format-day.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** «November», in another year with it. */
export const formatMonth = inYear({ month: 'long' });

/** «Thu 26 November». */
export function formatLongDate(date: string, today: string): string {
  return `${shortWeekday(date)} ${longDay(date, today)}`;
}

/** «in 3 days», «today», «2 days ago». */
export function formatDistance(date: string, today: string): string {
  return relative.format(daysBetween(today, date), 'day');
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
