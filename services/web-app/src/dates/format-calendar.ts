import { daysBetween } from './civil-date.ts';
import { inYear, longDay, longWeekday, shortDay, shortWeekday } from './format-day.ts';

/** «November», in another year with it. */
export const formatMonth = inYear({ month: 'long' });

/** «Tue 24 Nov», in another year with it. */
export function formatDate(date: string, today: string): string {
  return `${shortWeekday(date)} ${shortDay(date, today)}`;
}

/** «Thu 26 November». */
export function formatLongDate(date: string, today: string): string {
  return `${shortWeekday(date)} ${longDay(date, today)}`;
}

/** «Thursday», «Tomorrow». */
export function formatWeekday(date: string, today: string): string {
  return daysBetween(today, date) === 1 ? 'Tomorrow' : longWeekday(date);
}
