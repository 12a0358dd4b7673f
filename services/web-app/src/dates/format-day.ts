import { atUtc, daysBetween } from './civil-date.ts';

type Options = Intl.DateTimeFormatOptions;

function inEnglish(options: Options): (date: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (date) => format.format(atUtc(date));
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

const near = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
]);

/** «today», «tomorrow», «yesterday», the weekday within six days, else «3 Dec», in another year «3 Dec 2027». */
export function formatDay(date: string, today: string): string {
  const days = daysBetween(today, date);
  return near.get(days) ?? (days > 0 && days <= 6 ? longWeekday(date) : shortDay(date, today));
}

/** «Tue 24 Nov», in another year with it. */
export function formatDate(date: string, today: string): string {
  return `${shortWeekday(date)} ${shortDay(date, today)}`;
}
