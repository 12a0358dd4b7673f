/** A civil date `YYYY-MM-DD`, years 0001-9999. Compares as a string. */
export type CalendarDate = string;

const calendarDatePattern = /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})$/;
const reminderTimePattern = /^([01]\d|2[0-3]):[0-5]\d$/;
const instantPattern = /^(\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:)(\d{2})(?:\.(\d{1,3})\d*)?(z|[+-]\d{2}:\d{2})$/i;

/** Whether the value is a valid date in this form; the year 0000 is not. */
export function isCalendarDate(value: string): boolean {
  const [, year, month, day] = calendarDatePattern.exec(value) ?? [];
  if (year === undefined || year === '0000') return false;
  const { daysInMonth } = new Temporal.PlainYearMonth(Number(year), Number(month));
  return Number(day) >= 1 && Number(day) <= daysInMonth;
}

/** Whether the value is a time of day `HH:mm`, 00:00 to 23:59. */
export function isReminderTime(value: string): boolean {
  return reminderTimePattern.test(value);
}

/**
 * Whether the value is an IANA time zone name, in its exact case: names are file names on most systems.
 * Offsets are refused, since they have no daylight saving time.
 */
export function isTimeZone(value: string): boolean {
  if (/^[+-]/.test(value)) return false;
  try {
    return new Temporal.ZonedDateTime(0n, value).timeZoneId === value;
  } catch {
    return false;
  }
}

/** The date in the zone at that time. Throws RangeError outside the years 0001-9999. */
export function todayIn(timeZone: string, now: Date): CalendarDate {
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  return requireInRange(instant.toZonedDateTimeISO(timeZone).toPlainDate());
}

/**
 * The first instant of the day in the zone: after midnight if the clock skips midnight, the first of two
 * midnights. A day that the zone skipped starts with the next one.
 */
export function startOfDay(date: CalendarDate, timeZone: string): Date {
  const { epochMilliseconds } = Temporal.PlainDate.from(date).toZonedDateTime(timeZone);
  return new Date(epochMilliseconds);
}

/** The first instant after the day in the zone; also of the last day of the year 9999. */
export function endOfDay(date: CalendarDate, timeZone: string): Date {
  const { epochMilliseconds } = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timeZone);
  return new Date(epochMilliseconds);
}

/** Throws RangeError when the result lies outside the years 0001-9999. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return requireInRange(Temporal.PlainDate.from(date).add({ days }));
}

/** Positive when `to` is the later date. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Temporal.PlainDate.from(from).until(to).days;
}

/** The date as a string; undefined outside the years 0001-9999. */
export function fromPlainDate(date: Temporal.PlainDate): CalendarDate | undefined {
  return isYearInRange(date.year) ? date.toString() : undefined;
}

function requireInRange(date: Temporal.PlainDate): CalendarDate {
  const result = fromPlainDate(date);
  if (result === undefined) throw new RangeError(`${date.toString()} is outside the years 0001 to 9999`);
  return result;
}

/**
 * Parses an RFC 3339 date-time within the years 0001-9999 in UTC; undefined otherwise. Rounds down to
 * milliseconds, and a leap second (§5.7) to second 59, so that `updatedSince` skips no change.
 */
export function parseInstant(value: string): Date | undefined {
  const instant = parseInstantOfAnyYear(value);
  return instant !== undefined && isYearInRange(instant.getUTCFullYear()) ? instant : undefined;
}

/** The same with the years 0000 to 10000, to tell them from what is no date-time. */
export function parseInstantOfAnyYear(value: string): Date | undefined {
  const [, minutes, seconds, fraction = '0', offset] = instantPattern.exec(value) ?? [];
  if (minutes === undefined) return undefined;
  const isLeapSecond = seconds === '60';
  try {
    const text = `${minutes}${isLeapSecond ? '59' : seconds}.${fraction}${offset}`;
    const instant = new Date(Temporal.Instant.from(text).epochMilliseconds);
    return isLeapSecond && !isLastSecondOfMonth(instant) ? undefined : instant;
  } catch {
    return undefined;
  }
}

function isLastSecondOfMonth(instant: Date): boolean {
  const isLastSecondOfDay = instant.toISOString().slice(11, 19) === '23:59:59';
  return isLastSecondOfDay && new Date(instant.getTime() + 1000).getUTCDate() === 1;
}

function isYearInRange(year: number): boolean {
  return year >= 1 && year <= 9999;
}
