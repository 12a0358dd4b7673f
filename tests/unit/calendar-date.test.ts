import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import {
  addDays,
  fromPlainDate,
  isCalendarDate,
  isTimeZone,
  parseInstant,
  startOfDay,
  todayIn,
} from '#shared/time/calendar-date.ts';
import { isBlank, notBlankPattern } from '#shared/validation/text-rules.ts';
import { words } from '#tests/support/words.ts';

fc.configureGlobal({ includeErrorInReport: true });

const millisecondsPerDay = 86_400_000;
const timeZones = [...Intl.supportedValuesOf('timeZone'), 'Etc/GMT+12', 'Etc/GMT-14'];

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The spelling of a day counted from 1970-01-01, by Date alone. */
function dateOfDayNumber(dayNumber: number): string {
  return new Date(dayNumber * millisecondsPerDay).toISOString().slice(0, 10);
}

/** Reads the date in a zone through Intl, which shares no code with Temporal's civil fields. */
function localDateReader(timeZone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  };
}

test('a calendar date is accepted exactly when Date knows that day', (t) => {
  for (const year of [1, 4, 99, 100, 400, 1582, 1900, 2000, 2023, 2024, 2100, 9999]) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const instant = new Date(0);
        instant.setUTCFullYear(year, month - 1, day);
        const value = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
        const isReal = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day;
        if (isCalendarDate(value) !== isReal) t.fail(value);
      }
    }
  }
  t.true(isCalendarDate('2024-02-29'));
  t.false(isCalendarDate('2026-02-29'));
});

test('every time zone of the runtime is accepted by its name', (t) => {
  for (const timeZone of ['UTC', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kyiv', ...timeZones]) {
    t.true(isTimeZone(timeZone), timeZone);
  }
});

test('offsets, blanks, abbreviations and other spellings are no time zones', (t) => {
  const refused = ['', ' ', ...words('+02:00 -0500 +02 Z Europe Europe/Atlantis'), 'Europe/Berlin ', 'PST'];
  const misspelt = ['utc', 'europe/berlin', 'Europe/BERLIN', 'Europe\\Berlin', '../etc/localtime', 'UTC\0'];
  for (const value of [...refused, ...misspelt]) t.false(isTimeZone(value), JSON.stringify(value));
});

test('a day starts at its first instant in every time zone', (t) => {
  const days = ['2026-01-01', '2026-03-29', '2026-04-24', '2026-10-25', '2026-11-01'];
  for (const timeZone of timeZones) {
    const read = localDateReader(timeZone);
    for (const day of days) {
      const start = startOfDay(day, timeZone).getTime();
      const name = `${timeZone} ${day}`;
      t.is(read(start), day, name);
      t.is(read(start - 1), dateOfDayNumber(Date.parse(day) / millisecondsPerDay - 1), name);
      t.is(todayIn(timeZone, new Date(start)), day, name);
    }
  }
});

test('dates outside the years 0001 to 9999 are refused', (t) => {
  t.throws(() => addDays('9999-12-31', 1), { instanceOf: RangeError });
  t.throws(() => addDays('0001-01-01', -1), { instanceOf: RangeError });
  t.throws(() => addDays('2026-01-01', Number.MAX_SAFE_INTEGER), { instanceOf: RangeError });
  t.throws(() => todayIn('Etc/GMT-14', new Date('9999-12-31T23:00:00Z')), { instanceOf: RangeError });
  t.is(addDays('9999-12-30', 1), '9999-12-31');
  t.is(addDays('0001-01-02', -1), '0001-01-01');
  t.is(fromPlainDate(new Temporal.PlainDate(10_000, 1, 1)), undefined);
  t.is(fromPlainDate(new Temporal.PlainDate(0, 12, 31)), undefined);
});

test('an instant is read as Date.UTC reckons it, whatever its offset', (t) => {
  const instants = fc.integer({
    min: Date.parse('0001-01-02T00:00:00Z'),
    max: Date.parse('9999-12-30T00:00:00Z'),
  });
  const offsets = fc.integer({ min: -1439, max: 1439 });
  const property = fc.property(instants, offsets, fc.boolean(), (instant, offset, isLowerCase) => {
    const local = new Date(instant + offset * 60_000).toISOString().slice(0, -1);
    const size = Math.abs(offset);
    const suffix = `${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
    const text = `${local}${offset < 0 ? '-' : '+'}${suffix}`;
    assert.equal(parseInstant(isLowerCase ? text.toLowerCase() : text)?.getTime(), instant);
  });
  t.notThrows(() => fc.assert(property, { numRuns: 3000 }));
});

const instants = [
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20t10:00:00z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00-00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00+23:59', '2026-11-19T10:01:00.000Z'],
  ['2026-11-20T10:00:00.5Z', '2026-11-20T10:00:00.500Z'],
  ['2026-11-20T10:00:00.1239999999999Z', '2026-11-20T10:00:00.123Z'],
  ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ['1990-12-31T15:59:60.75-08:00', '1990-12-31T23:59:59.750Z'],
] as const;

for (const [text, expected] of instants) {
  test(`${text} is the instant ${expected}`, (t) => {
    t.is(parseInstant(text)?.toISOString(), expected);
  });
}

test('the written-out pattern finds exactly the texts that are not blank', (t) => {
  const expression = new RegExp(notBlankPattern, 'u');
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const text = String.fromCodePoint(codePoint);
    if (expression.test(` ${text}`) === isBlank(text)) wrong.push(codePoint.toString(16));
  }
  t.deepEqual(wrong, []);
});
