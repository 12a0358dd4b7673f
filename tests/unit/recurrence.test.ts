import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import {
  effectiveWeekdays,
  frequencies,
  isUnchanged,
  nextOccurrence,
  normaliseRule,
  type RecurrenceRule,
  type RepeatingDates,
  rollDates,
  seriesDatesAfter,
  seriesDatesOf,
  weekdays,
  weeksOfMonth,
} from '#resource-api/tasks/recurrence.ts';
import { addDays, type CalendarDate, daysBetween } from '#shared/time/calendar-date.ts';
import { isMember, nextMember } from './series-oracle.ts';

fc.configureGlobal({ includeErrorInReport: true });

/** Rules with intervals from 1 to `maximumInterval`, small ones more often. */
function rules(maximumInterval: number): fc.Arbitrary<RecurrenceRule> {
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
function calendarDates(firstYear: number, lastYear: number): fc.Arbitrary<CalendarDate> {
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
function datesApart(
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

type RuleInput = Parameters<typeof normaliseRule>[0];

const monthly: RuleInput = { frequency: 'monthly' };

const yearly: RuleInput = { frequency: 'yearly' };

const weekly: RuleInput = { frequency: 'weekly' };

const daily: RuleInput = { frequency: 'daily' };

/** Each series: the rule, its anchor, and its members from it on; beside what the properties find. */
const series: [title: string, input: RuleInput, anchor: string, members: string[]][] = [
  ['monthly anchored on a short last day stays on that day', monthly, '2026-02-28', ['2026-03-28']],
  ['no leap day in 2100', { ...yearly, interval: 4 }, '2096-02-29', ['2100-02-28', '2104-02-29']],
  [
    'every two weeks on Tuesday and Sunday, as RFC 5545 §3.8.5.3 shows for WKST=MO',
    { ...weekly, interval: 2, weekdays: ['tuesday', 'sunday'] },
    '1997-08-05',
    ['1997-08-10', '1997-08-19', '1997-08-24'],
  ],
  [
    'every three weeks on a weekday before the anchor’s skips the anchor’s week',
    { ...weekly, interval: 3, weekdays: ['monday'] },
    '2026-11-18',
    ['2026-12-07', '2026-12-28'],
  ],
  [
    'every two weeks over the end of a year with 53 weeks',
    { ...weekly, interval: 2, weekdays: ['monday', 'friday'] },
    '2026-12-21',
    ['2026-12-25', '2027-01-04', '2027-01-08', '2027-01-18'],
  ],
  ['every day over a change of clocks', daily, '2026-03-28', ['2026-03-29', '2026-03-30']],
  ['the greatest interval', { ...yearly, interval: 999 }, '2024-02-29', ['3023-02-28', '4022-02-28']],
];

for (const [title, input, anchor, members] of series) {
  test(title, (t) => {
    let date = anchor;
    for (const expected of members) {
      t.is(nextOccurrence(normaliseRule(input), anchor, date), expected);
      date = expected;
    }
  });
}

test('a series anchored in the year 1 is still met two thousand years later', (t) => {
  t.is(nextOccurrence(normaliseRule(daily), '0001-01-01', '2026-11-20'), '2026-11-21');
  t.is(nextOccurrence(normaliseRule(yearly), '0001-12-31', '9999-01-01'), '9999-12-31');
  t.is(
    nextOccurrence(normaliseRule({ ...monthly, interval: 999 }), '0001-01-31', '0001-02-01'),
    '0084-04-30',
  );
});

test('a series ends with the year 9999', (t) => {
  t.is(nextOccurrence(normaliseRule(daily), '9999-12-30', '9999-12-30'), '9999-12-31');
  for (const frequency of frequencies) {
    t.is(nextOccurrence(normaliseRule({ frequency }), '9999-12-31', '9999-12-31'), undefined, frequency);
  }
  t.is(nextOccurrence(normaliseRule({ ...yearly, interval: 999 }), '9500-01-01', '9500-01-01'), undefined);
  t.is(nextOccurrence(normaliseRule({ ...weekly, interval: 999 }), '9990-01-01', '9990-01-01'), undefined);
});

const someDates = calendarDates(1971, 2150);

function holds<Values extends [unknown, ...unknown[]]>(
  property: fc.IProperty<Values>,
  numRuns: number,
): () => void {
  return () => fc.assert(property, { numRuns });
}

test('the next date is the first one of the series that looking at every day finds', (t) => {
  const smallRules = rules(6).filter(({ frequency, interval }) => frequency !== 'yearly' || interval < 4);
  const property = fc.property(smallRules, datesApart(someDates, -30, 800), (rule, [anchor, after]) => {
    assert.equal(nextOccurrence(rule, anchor, after), nextMember(rule, anchor, after));
  });
  t.notThrows(holds(property, 1500));
});

test('the next date is in the series, later than asked and never before the anchor', (t) => {
  const property = fc.property(rules(999), datesApart(someDates, -400, 40_000), (rule, [anchor, after]) => {
    const next = nextOccurrence(rule, anchor, after);
    assert.ok(next && next > after && next >= anchor);
    assert.ok(isMember(rule, anchor, next), next);
  });
  t.notThrows(holds(property, 10_000));
});

test('the deadline keeps its distance through every completion', (t) => {
  const distances = fc.integer({ min: -60, max: 400 });
  const delays = fc.array(fc.integer({ min: -50, max: 120 }), { minLength: 1, maxLength: 10 });
  const property = fc.property(rules(30), someDates, distances, delays, (rule, anchor, distance, delay) => {
    let live: RepeatingDates = { dueDate: anchor, deadlineDate: addDays(anchor, distance), anchor };
    for (const days of delay) {
      const rolled = rollDates(rule, live, addDays(live.dueDate ?? anchor, days));
      assert.ok(rolled?.dueDate && rolled.deadlineDate);
      assert.equal(daysBetween(rolled.dueDate, rolled.deadlineDate), distance);
      live = rolled;
    }
  });
  t.notThrows(holds(property, 2000));
});

test('after any move the next occurrence is the first of the series after its own date and the day', (t) => {
  const days = fc.integer({ min: -40, max: 90 });
  const steps = fc.array(fc.tuple(days, days), { minLength: 1, maxLength: 5 });
  const smallRules = rules(3).filter(({ frequency }) => frequency !== 'yearly');
  const ends = fc.integer({ min: 0, max: 400 });
  const property = fc.property(smallRules, someDates, steps, ends, (rule, anchor, moves, length) => {
    const until = addDays(anchor, length);
    let [start, series] = [anchor, anchor];
    for (const [moved, done] of moves) {
      const task = { dueDate: addDays(series, moved), deadlineDate: null };
      const recorded = seriesDatesOf({ ...task, seriesDueDate: series, seriesDeadlineDate: null });
      const after = seriesDatesAfter(recorded, { ...task, dueDate: series }, task);
      const completedOn = addDays(series, done);
      const next = rollDates({ ...rule, until }, { ...after, anchor: start }, completedOn);
      if (rule.fromCompletion) start = completedOn;
      const passed = rule.fromCompletion || completedOn > series ? completedOn : series;
      const expected = nextMember(rule, start, passed);
      assert.equal(next?.dueDate, expected > until ? undefined : expected);
      if (next === undefined) return;
      series = expected;
    }
  });
  t.notThrows(holds(property, 4000));
});

test('a rule sent back as it is shown is the same rule and has the same dates', (t) => {
  const property = fc.property(rules(999), datesApart(someDates, 0, 1000), (rule, [anchor, after]) => {
    const shown = { ...rule, weekdays: effectiveWeekdays(rule, anchor) };
    assert.ok(isUnchanged(rule, rule, {}, anchor));
    assert.ok(isUnchanged(rule, normaliseRule(shown), shown, anchor));
    assert.equal(nextOccurrence(shown, anchor, after), nextOccurrence(rule, anchor, after));
  });
  t.notThrows(holds(property, 3000));
});
