import fc from 'fast-check';
import {
  frequencies,
  normaliseRule,
  type RecurrenceRule,
  weekdays,
  weeksOfMonth,
} from '#resource-api/tasks/recurrence.ts';
import { addDays, type CalendarDate } from '#shared/time/calendar-date.ts';

fc.configureGlobal({ includeErrorInReport: true });

/** Rules with intervals from 1 to `maximumInterval`, small ones more often. */
export function rules(maximumInterval: number): fc.Arbitrary<RecurrenceRule> {
  const interval = fc.oneof(
    fc.integer({ min: 1, max: Math.min(5, maximumInterval) }),
    fc.integer({ min: 1, max: maximumInterval }),
  );
  const fields = fc.record({
    frequency: fc.constantFrom(...frequencies),
    interval,
    weekdays: fc.subarray([...weekdays]),
    fromCompletion: fc.boolean(),
    weekOfMonth: fc.option(fc.constantFrom(...weeksOfMonth), { nil: undefined }),
    weekday: fc.constantFrom(...weekdays),
  });
  return fields.map(({ weekOfMonth, weekday, ...rule }) => {
    if (rule.frequency === 'weekly') return normaliseRule(rule);
    const isByWeekday = rule.frequency === 'monthly' && weekOfMonth !== undefined;
    return normaliseRule({
      ...rule,
      ...(isByWeekday ? { weekdays: [weekday], weekOfMonth } : { weekdays: [] }),
    });
  });
}

/** Any day of the years, the ends of months and years and the leap day more often. */
export function calendarDates(firstYear: number, lastYear: number): fc.Arbitrary<CalendarDate> {
  const monthDays = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 })),
    fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 28, max: 31 })),
    fc.constantFrom<[number, number]>([2, 29], [12, 31], [1, 1], [12, 28]),
  );
  return fc
    .tuple(fc.integer({ min: firstYear, max: lastYear }), monthDays)
    .map(([year, [month, day]]) => Temporal.PlainDate.from({ year, month, day }).toString());
}

/** A date and another one `minimum` to `maximum` days later, near ones more often. */
export function datesApart(
  first: fc.Arbitrary<CalendarDate>,
  minimum: number,
  maximum: number,
): fc.Arbitrary<[CalendarDate, CalendarDate]> {
  const distance = fc.oneof(
    fc.integer({ min: minimum, max: Math.min(60, maximum) }),
    fc.integer({ min: minimum, max: maximum }),
  );
  return fc.tuple(first, distance).map(([date, days]) => [date, addDays(date, days)]);
}
