/** Civil dates `YYYY-MM-DD` without Temporal, which some browsers lack. Two of them compare as strings. */
const dayMilliseconds = 86_400_000;
/** 0001-01-01 and 9999-12-31 as days since 1970: no calculated date is outside. */
const [firstDay, lastDay] = [-719_162, 2_932_896];

/** The zone by the browser's name; the device's if the browser does not know it. */
export function knownZone(timeZone: string): string {
  const own = isKnownZone(timeZone) ? { timeZone } : {};
  return new Intl.DateTimeFormat('en', own).resolvedOptions().timeZone;
}

/** `Intl` throws on an unknown one. */
export function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

/** Formatters by time zone, since creating one is slow. */
function inZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const format = made.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
    made.set(timeZone, format);
    return format;
  };
}

const isoDay = inZone('en-u-ca-iso8601', { year: 'numeric', month: '2-digit', day: '2-digit' });

export function todayIn(timeZone: string, now: Date): string {
  const parts = isoDay(timeZone).formatToParts(now);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

const clock = inZone('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `HH:mm` on a clock in that zone. */
export function timeIn(timeZone: string, now: Date): string {
  return clock(timeZone).format(now);
}

export function addDays(date: string, days: number): string {
  const day = Math.max(firstDay, Math.min(lastDay, dayNumber(date) + days));
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10);
}

/** Positive when `to` is the later date. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

/** 1 is Monday, 7 is Sunday. */
export function weekday(date: string): number {
  return ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;
}

/** Midnight UTC of the date, for `Intl.DateTimeFormat` with `timeZone: 'UTC'`. */
export function atUtc(date: string): Date {
  return new Date(dayNumber(date) * dayMilliseconds);
}

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMilliseconds;
}
