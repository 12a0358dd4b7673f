import type { Recurrence, Weekday } from '#tests/support/api-types.ts';

/* The dates of a repeating task, found by asking for each day whether the rule names it: by Date alone. */

type Rule = Pick<Recurrence, 'frequency' | 'interval'> & {
  weekdays: readonly Weekday[];
  weekOfMonth?: number | undefined;
};

/** Monday first, as weeks begin. */
export const weekdays: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

const dayMilliseconds = 86_400_000;

export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMilliseconds;
}

export function dateOf(day: number): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10);
}

/** 1970-01-01 was a Thursday. */
export function weekdayIndex(day: number): number {
  return (day + 3) % 7;
}

/** Whether the rule names a day of the series that starts with the anchor. */
export function isMember(rule: Rule, anchor: string, date: string): boolean {
  const [start, day] = [dayNumber(anchor), dayNumber(date)];
  if (day < start) return false;
  const [first, asked] = [new Date(start * dayMilliseconds), new Date(day * dayMilliseconds)];
  const months =
    12 * (asked.getUTCFullYear() - first.getUTCFullYear()) + asked.getUTCMonth() - first.getUTCMonth();
  const isItsDay = asked.getUTCDate() === Math.min(first.getUTCDate(), lastDayOfMonth(asked));
  switch (rule.frequency) {
    case 'daily':
      return (day - start) % rule.interval === 0;
    case 'weekly': {
      const listed = rule.weekdays.map((name) => weekdays.indexOf(name));
      const days = listed.length > 0 ? listed : [weekdayIndex(start)];
      const weeks = (day - weekdayIndex(day) - (start - weekdayIndex(start))) / 7;
      return days.includes(weekdayIndex(day)) && weeks % rule.interval === 0;
    }
    case 'monthly':
      return (
        (rule.weekOfMonth === undefined ? isItsDay : isInWeek(rule.weekOfMonth, rule.weekdays, asked)) &&
        months % rule.interval === 0
      );
    case 'yearly':
      return isItsDay && months % 12 === 0 && (months / 12) % rule.interval === 0;
  }
}

/** Counts weeks from the month's first day, or back from its last one. */
function isInWeek(week: number, [weekday]: readonly Weekday[], day: Date): boolean {
  const daysLeft = lastDayOfMonth(day) - day.getUTCDate();
  const isIt = week === -1 ? daysLeft < 7 : Math.ceil(day.getUTCDate() / 7) === week;
  return isIt && weekdays[weekdayIndex(day.getTime() / dayMilliseconds)] === weekday;
}

function lastDayOfMonth(day: Date): number {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
}

/** The first date of the series after a date. */
export function nextMember(rule: Rule, anchor: string, after: string): string {
  let day = dayNumber(after) + 1;
  while (!isMember(rule, anchor, dateOf(day))) day += 1;
  return dateOf(day);
}
