/** A point in time as an entity has it (a Date) or as a read finds it (a text of the database). */
export type Instant = Date | string;

/** ISO 8601 in UTC with milliseconds, the only form instants have on the wire. */
export function presentInstant(instant: Instant): string {
  return typeof instant === 'string' && instant.endsWith('+00')
    ? presentDatabaseText(instant)
    : new Date(instant).toISOString();
}

/**
 * PostgreSQL's text of a timestamptz(3), in the sessions' time zone UTC: ISO 8601 but for separator, trailing zeros and
 * zone. A page holds a hundred of them and more: to parse and print each would be a tenth of its time.
 */
function presentDatabaseText(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

export function presentOptionalInstant(instant: Instant | null | undefined): string | null {
  return instant == null ? null : presentInstant(instant);
}
