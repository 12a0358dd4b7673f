import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import {
  type Frequency,
  nextOccurrence,
  type RecurrenceRule,
  type RepeatingDates,
  rollDates,
} from '#resource-api/tasks/recurrence.ts';
import { addDays, type CalendarDate, daysBetween } from '#shared/time/calendar-date.ts';
import { calendarDates, datesApart, rules } from './recurrence-arbitraries.ts';

const frequencyNames = { daily: 'DAILY', weekly: 'WEEKLY', monthly: 'MONTHLY', yearly: 'YEARLY' } as const;

/** Days and weeks always exist; only months and years need the skipping of RFC 7529, which is slow here. */
const clamping: Record<Frequency, object> = {
  daily: {},
  weekly: {},
  monthly: { rscale: 'GREGORIAN', skip: 'BACKWARD' },
  yearly: { rscale: 'GREGORIAN', skip: 'BACKWARD' },
};

function midnight(date: CalendarDate): Temporal.ZonedDateTime {
  return Temporal.PlainDate.from(date).toZonedDateTime('UTC');
}

/** The rule as an RFC 5545 recurrence that starts at the anchor. */
function oracleSeries(rule: RecurrenceRule, anchor: CalendarDate): RRuleTemporal {
  return new RRuleTemporal({
    freq: frequencyNames[rule.frequency],
    interval: rule.interval,
    wkst: 'MO',
    tzid: 'UTC',
    dtstart: midnight(anchor),
    ...(rule.weekdays.length > 0 && { byDay: rule.weekdays.map((name) => name.slice(0, 2).toUpperCase()) }),
    ...clamping[rule.frequency],
  });
}

/** The recurrence knows no last year, our dates do. */
function withinYears(date: { year: number; toString(): string } | undefined): CalendarDate | undefined {
  return date && date.year <= 9999 ? date.toString() : undefined;
}

function oracleNext(
  rule: RecurrenceRule,
  anchor: CalendarDate,
  after: CalendarDate,
): CalendarDate | undefined {
  return withinYears(oracleSeries(rule, anchor).next(midnight(after))?.toPlainDate());
}

function agrees(rule: RecurrenceRule, [anchor, after]: [CalendarDate, CalendarDate]): void {
  assert.equal(nextOccurrence(rule, anchor, after), oracleNext(rule, anchor, after));
}

test('the next date is the one an RFC 5545 library finds, for 20,000 rules and dates', (t) => {
  const dates = datesApart(calendarDates(1970, 2100), -60, 3000);
  t.notThrows(() => fc.assert(fc.property(rules(999), dates, agrees), { numRuns: 20_000 }));
});

test('it is so at both ends of the calendar', (t) => {
  const dates = fc.oneof(
    datesApart(calendarDates(1, 9), 0, 1000),
    datesApart(calendarDates(9980, 9996), -60, 1000),
    datesApart(fc.constantFrom('9999-12-01', '9999-12-25', '9999-12-30'), -60, 1),
  );
  t.notThrows(() => fc.assert(fc.property(rules(60), dates, agrees), { numRuns: 4000 }));
});

test('it is so for days and weeks over thousands of years', (t) => {
  const dates = datesApart(calendarDates(1, 2026), 0, 2_900_000);
  const steadyRules = rules(999).filter(({ frequency }) => frequency === 'daily' || frequency === 'weekly');
  t.notThrows(() => fc.assert(fc.property(steadyRules, dates, agrees), { numRuns: 4000 }));
});

test('it is so for each frequency when RSCALE and SKIP are stated throughout', (t) => {
  const dates = datesApart(calendarDates(2020, 2030), -10, 60);
  const property = fc.property(rules(6), dates, (rule, [anchor, after]) => {
    const series = oracleSeries(rule, anchor).options();
    const stated = new RRuleTemporal({ ...series, rscale: 'GREGORIAN', skip: 'BACKWARD' });
    assert.equal(
      nextOccurrence(rule, anchor, after),
      withinYears(stated.next(midnight(after))?.toPlainDate()),
    );
  });
  t.notThrows(() => fc.assert(property, { numRuns: 1000 }));
});

test('completed on its day each time, a task goes through the whole series', (t) => {
  const steps = 12;
  const byRule = rules(40).filter((rule) => !rule.fromCompletion);
  const property = fc.property(byRule, calendarDates(1970, 2100), (rule, anchor) => {
    const members: CalendarDate[] = [];
    let dates: RepeatingDates = { dueDate: addDays(anchor, -1), deadlineDate: null, anchor };
    for (let step = 0; step < steps; step += 1) {
      const rolled = rollDates(rule, dates, dates.dueDate ?? anchor);
      assert.ok(rolled?.dueDate);
      members.push(rolled.dueDate);
      dates = rolled;
    }
    const expected = oracleSeries(rule, anchor).all((_, index) => index < steps);
    assert.deepEqual(
      members,
      expected.map((member) => member.toPlainDate().toString()),
    );
  });
  t.notThrows(() => fc.assert(property, { numRuns: 1500 }));
});

type Given = { rule: RecurrenceRule; dates: RepeatingDates; delays: number[] };

const lives: fc.Arbitrary<Given> = fc.record({
  rule: rules(30),
  dates: fc
    .record({
      anchor: calendarDates(1990, 2060),
      dueAfter: fc.option(fc.integer({ min: 0, max: 40 })),
      deadlineAfter: fc.option(fc.integer({ min: -5, max: 40 })),
    })
    .map(({ anchor, dueAfter, deadlineAfter }) => ({
      anchor,
      dueDate: dueAfter === null ? null : addDays(anchor, dueAfter),
      deadlineDate: deadlineAfter === null ? null : addDays(anchor, deadlineAfter),
    })),
  delays: fc.array(fc.integer({ min: -30, max: 90 }), { minLength: 1, maxLength: 8 }),
});

/** What the rolled dates must be, found through the library and said in other words than the code's. */
function oracleRoll(
  rule: RecurrenceRule,
  dates: RepeatingDates,
  completedOn: CalendarDate,
): RepeatingDates | undefined {
  const anchor = rule.fromCompletion ? completedOn : dates.anchor;
  const current = dates.dueDate ?? dates.deadlineDate;
  const passed = rule.fromCompletion || !current ? [completedOn] : [completedOn, current];
  const next = oracleNext(rule, anchor, passed.toSorted().at(-1) ?? completedOn);
  if (!next) return undefined;
  const shift = current ? daysBetween(current, next) : 0;
  const dueDate = dates.dueDate || !dates.deadlineDate ? next : null;
  const deadlineDate = dates.deadlineDate && addDays(dates.deadlineDate, shift);
  return { dueDate, deadlineDate, anchor };
}

test('completed early and late in turn, a task has the dates the library leads to', (t) => {
  const property = fc.property(lives, ({ rule, dates, delays }) => {
    let live = dates;
    for (const delay of delays) {
      const completedOn = addDays(live.dueDate ?? live.deadlineDate ?? live.anchor, delay);
      const rolled = rollDates(rule, live, completedOn);
      assert.deepEqual(rolled, oracleRoll(rule, live, completedOn));
      assert.ok(rolled);
      live = rolled;
    }
  });
  t.notThrows(() => fc.assert(property, { numRuns: 3000 }));
});
