import { atFirstUse } from '../words/at-first-use.ts';
import { plural } from '../words/plural.ts';
import { atUtc, daysBetween } from './civil-date.ts';

type Options = Intl.DateTimeFormatOptions;

function inEnglish(options: Options): (date: string) => string {
  const format = atFirstUse(() => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }));
  return (date) => format().format(atUtc(date));
}

/** With the year, unless it is that of `today`. */
export function inYear(options: Options): (date: string, today: string | null) => string {
  const ofThisYear = inEnglish(options);
  const ofAnyYear = inEnglish({ ...options, year: 'numeric' });
  return (date, today) => (date.slice(0, 4) === today?.slice(0, 4) ? ofThisYear : ofAnyYear)(date);
}

export const shortWeekday = inEnglish({ weekday: 'short' });
export const longWeekday = inEnglish({ weekday: 'long' });
/** «3 Dec». */
export const shortDay = inYear({ day: 'numeric', month: 'short' });
/** «3 December». */
export const longDay = inYear({ day: 'numeric', month: 'long' });

const relative = atFirstUse(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));

/** «in 3 days», «today», «2 days ago». */
export function formatDistance(date: string, today: string): string {
  return relative().format(daysBetween(today, date), 'day');
}

/** «in 3 days», «today», «2 days late». */
export function formatDueDistance(date: string, today: string): string {
  const days = daysBetween(date, today);
  return days > 0 ? plural(days, { one: '# day late', other: '# days late' }) : formatDistance(date, today);
}

/** «today», «tomorrow», «yesterday», the weekday within six days, else «3 Dec» or «3 Dec 2027». */
export function formatDay(date: string, today: string): string {
  const days = daysBetween(today, date);
  if (Math.abs(days) <= 1) return formatDistance(date, today);
  return days > 0 && days <= 6 ? longWeekday(date) : shortDay(date, today);
}
