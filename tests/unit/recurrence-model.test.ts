import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import {
  effectiveWeekdays,
  isUnchanged,
  nextOccurrence,
  normaliseRule,
  type RepeatingDates,
  rollDates,
  seriesDatesAfter,
  seriesDatesOf,
} from '#resource-api/tasks/recurrence.ts';
import { addDays, daysBetween } from '#shared/time/calendar-date.ts';
import { calendarDates, datesApart, rules } from './recurrence-arbitraries.ts';
import { isMember, nextMember } from './series-oracle.ts';

const dates = calendarDates(1971, 2150);

function holds<Values extends [unknown, ...unknown[]]>(
  property: fc.IProperty<Values>,
  numRuns: number,
): () => void {
  return () => fc.assert(property, { numRuns });
}

test('the next date is the first one of the series that looking at every day finds', (t) => {
  const smallRules = rules(6).filter(({ frequency, interval }) => frequency !== 'yearly' || interval < 4);
  const property = fc.property(smallRules, datesApart(dates, -30, 800), (rule, [anchor, after]) => {
    assert.equal(nextOccurrence(rule, anchor, after), nextMember(rule, anchor, after));
  });
  t.notThrows(holds(property, 1500));
});

test('the next date is in the series, later than asked and never before the anchor', (t) => {
  const property = fc.property(rules(999), datesApart(dates, -400, 40_000), (rule, [anchor, after]) => {
    const next = nextOccurrence(rule, anchor, after);
    assert.ok(next && next > after && next >= anchor);
    assert.ok(isMember(rule, anchor, next), next);
  });
  t.notThrows(holds(property, 10_000));
});

test('the deadline keeps its distance through every completion', (t) => {
  const distances = fc.integer({ min: -60, max: 400 });
  const delays = fc.array(fc.integer({ min: -50, max: 120 }), { minLength: 1, maxLength: 10 });
  const property = fc.property(rules(30), dates, distances, delays, (rule, anchor, distance, delay) => {
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

test('wherever an occurrence is moved, the next one is the first of the series after its own date and the day', (t) => {
  const days = fc.integer({ min: -40, max: 90 });
  const steps = fc.array(fc.tuple(days, days), { minLength: 1, maxLength: 5 });
  const smallRules = rules(3).filter(({ frequency }) => frequency !== 'yearly');
  const ends = fc.integer({ min: 0, max: 400 });
  const property = fc.property(smallRules, dates, steps, ends, (rule, anchor, moves, length) => {
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
  const property = fc.property(rules(999), datesApart(dates, 0, 1000), (rule, [anchor, after]) => {
    const shown = { ...rule, weekdays: effectiveWeekdays(rule, anchor) };
    assert.ok(isUnchanged(rule, rule, {}, anchor));
    assert.ok(isUnchanged(rule, normaliseRule(shown), shown, anchor));
    assert.equal(nextOccurrence(shown, anchor, after), nextOccurrence(rule, anchor, after));
  });
  t.notThrows(holds(property, 3000));
});
