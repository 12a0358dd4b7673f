/** A point in time as an entity has it (a Date) or as a read finds it (a text of the database). */
export type Instant = Date | string;

/** ISO 8601 in UTC with milliseconds, the only form instants have on the wire. */
export function presentInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}

export function presentOptionalInstant(instant: Instant | null | undefined): string | null {
  return instant == null ? null : presentInstant(instant);
}
