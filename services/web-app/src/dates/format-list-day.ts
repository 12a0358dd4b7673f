import { atUtc, daysBetween } from './civil-date.ts';

const inEnglish = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const dayAndMonth = inEnglish({ day: 'numeric', month: 'short' });
const withYear = inEnglish({ day: 'numeric', month: 'short', year: 'numeric' });
const shortWeekday = inEnglish({ weekday: 'short' });
const longWeekday = inEnglish({ weekday: 'long' });
const longDay = inEnglish({ day: 'numeric', month: 'long' });
const longMonth = inEnglish({ month: 'long' });
const monthAndYear = inEnglish({ month: 'long', year: 'numeric' });

const near = new Map([
  [-1, 'Yesterday'],
  [0, 'Today'],
  [1, 'Tomorrow'],
]);

/** Of a row: «Today», «Thu 26 Nov», in another year «3 Dec 2027». */
export function formatRowDay(date: string, today: string): string {
  const word = near.get(daysBetween(today, date));
  if (word !== undefined) return word;
  const day = atUtc(date);
  return isSameYear(date, today)
    ? `${shortWeekday.format(day)} ${dayAndMonth.format(day)}`
    : withYear.format(day);
}

/** In the column of a month: «Mon 30»; without its month where the heading says it. */
export function formatColumnDay(date: string, isWithinMonth: boolean): string {
  const day = atUtc(date);
  return isWithinMonth ? `${shortWeekday.format(day)} ${day.getUTCDate()}` : dayAndMonth.format(day);
}

/** «Monday 23 November». */
export function formatFullDay(date: string): string {
  return `${longWeekday.format(atUtc(date))} ${longDay.format(atUtc(date))}`;
}

/** «23 December», in another year with the year. */
export function formatLongDay(date: string, today: string): string {
  return isSameYear(date, today)
    ? longDay.format(atUtc(date))
    : `${longDay.format(atUtc(date))} ${date.slice(0, 4)}`;
}

/** «Thursday», «Tomorrow». */
export function formatWeekday(date: string, today: string): string {
  return daysBetween(today, date) === 1 ? 'Tomorrow' : longWeekday.format(atUtc(date));
}

export function formatMonth(date: string, today: string): string {
  return (isSameYear(date, today) ? longMonth : monthAndYear).format(atUtc(date));
}

const isSameYear = (date: string, today: string) => date.slice(0, 4) === today.slice(0, 4);
