import { atUtc, daysBetween } from './civil-date.ts';

const inEnglish = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const weekdayAndDay = inEnglish({ weekday: 'short', day: 'numeric', month: 'short' });
const weekdayAndDayOfYear = inEnglish({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const longDay = inEnglish({ weekday: 'short', day: 'numeric', month: 'long' });
const longDayOfYear = inEnglish({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
const monthOfYear = inEnglish({ month: 'long', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const clean = (text: string) => text.replace(',', '');

/** «Tue 24 Nov», in another year with it. */
export function formatDate(date: string, today: string): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return clean((isThisYear ? weekdayAndDay : weekdayAndDayOfYear).format(atUtc(date)));
}

/** «Thu 26 November». */
export function formatLongDate(date: string, today: string): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return clean((isThisYear ? longDay : longDayOfYear).format(atUtc(date)));
}

/** «in 3 days», «today», «2 days ago». */
export function formatDistance(date: string, today: string): string {
  return relative.format(daysBetween(today, date), 'day');
}

export function formatMonth(date: string): string {
  return monthOfYear.format(atUtc(date));
}
