import { atUtc, daysBetween } from './civil-date.ts';

const inEnglish = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const dayAndMonth = inEnglish({ day: 'numeric', month: 'short' });
const shortWeekday = inEnglish({ weekday: 'short' });
const longWeekday = inEnglish({ weekday: 'long' });
const longDay = inEnglish({ day: 'numeric', month: 'long' });
const longMonth = inEnglish({ month: 'long' });
const monthAndYear = inEnglish({ month: 'long', year: 'numeric' });

/** In the column of a month: «Mon 30»; without its month where the heading says it. */
export function formatColumnDay(date: string, isWithinMonth: boolean): string {
  const day = atUtc(date);
  return isWithinMonth ? `${shortWeekday.format(day)} ${day.getUTCDate()}` : dayAndMonth.format(day);
}

/** «Monday 23 November». */
export function formatFullDay(date: string): string {
  return `${longWeekday.format(atUtc(date))} ${longDay.format(atUtc(date))}`;
}

/** «Thursday», «Tomorrow». */
export function formatWeekday(date: string, today: string): string {
  return daysBetween(today, date) === 1 ? 'Tomorrow' : longWeekday.format(atUtc(date));
}

export function formatMonth(date: string, today: string): string {
  return (isSameYear(date, today) ? longMonth : monthAndYear).format(atUtc(date));
}

const isSameYear = (date: string, today: string) => date.slice(0, 4) === today.slice(0, 4);
