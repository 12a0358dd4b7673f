import { atUtc, daysBetween } from './civil-date.ts';

const inEnglish = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const weekdayName = inEnglish({ weekday: 'long' });
const dayAndMonth = inEnglish({ day: 'numeric', month: 'short' });
const withYear = inEnglish({ day: 'numeric', month: 'short', year: 'numeric' });

const near = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
]);

/** «today», «tomorrow», «yesterday», the weekday within six days, else «3 Dec», in another year «3 Dec 2027». */
export function formatDay(date: string, today: string): string {
  const days = daysBetween(today, date);
  const word = near.get(days);
  if (word !== undefined) return word;
  if (days > 0 && days <= 6) return weekdayName.format(atUtc(date));
  return (date.slice(0, 4) === today.slice(0, 4) ? dayAndMonth : withYear).format(atUtc(date));
}
