import {
  array,
  boolean,
  type ISchema,
  number,
  type ObjectShape,
  object,
  setLocale,
  string,
  ValidationError,
} from 'yup';
import {
  isCalendarDate,
  isReminderTime,
  parseInstant,
  parseInstantOfAnyYear,
} from '../time/calendar-date.ts';
import { isBlank, isWithinLength, notBlankPattern } from './text-rules.ts';

/** Metadata that yup does not have, for the OpenAPI document. */
type FieldDescription = {
  description?: string;
  example?: unknown;
  /** Name of the schema as a shared component of the OpenAPI document. */
  schemaName?: string;
};

declare module 'yup' {
  interface CustomSchemaMetadata extends FieldDescription {
    /** JSON Schema keywords for this field's custom tests. */
    json?: Readonly<Record<string, unknown>>;
  }
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value);
}

/** Text of 1 to `maximum` code points that is not blank; stored exactly as sent. */
export function title(maximum: number) {
  return text(maximum)
    .test('not-blank', '${path} must not be blank', (value) => value == null || !isBlank(value))
    .meta({ json: { minLength: 1, maxLength: maximum, pattern: notBlankPattern } });
}

/** Text of at most `maximum` code points; stored exactly as sent. */
export function text(maximum: number) {
  return string()
    .test('text-length', `\${path} must have at most ${maximum.toLocaleString('en')} characters`, (value) => {
      return value == null || isWithinLength(value, maximum);
    })
    .meta({ json: { maxLength: maximum } });
}

export function uuid() {
  return string()
    .test('uuid', '${path} must be a UUID', (value) => value == null || isUuid(value))
    .meta({ json: { format: 'uuid' } });
}

const calendarDateMessage = ({ path, value }: { path: string; value: string }) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value)
    ? `${path} must be a day that exists`
    : `${path} must be a calendar date YYYY-MM-DD`;

export function calendarDate() {
  return string()
    .test('calendar-date', calendarDateMessage, (value) => value == null || isCalendarDate(value))
    .meta({ json: { format: 'date' } });
}

export function reminderTime() {
  return string()
    .test('reminder-time', '${path} must be a time HH:mm', (value) => value == null || isReminderTime(value))
    .meta({ json: { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' } });
}

/** `expected` completes the message about a value that is no timestamp. */
export const timestampMessage =
  (expected: string) =>
  ({ path, value }: { path: string; value: string }) =>
    parseInstantOfAnyYear(value) === undefined
      ? `${path} must be ${expected}`
      : `${path} must be in the years 0001 to 9999 in UTC`;

/** `advice` ends the message about one that is refused. */
export function timestamp(advice = '') {
  const message = timestampMessage(`an RFC 3339 date-time with an offset${advice}`);
  return string()
    .test('timestamp', message, (value) => value == null || parseInstant(value) !== undefined)
    .meta({ json: { format: 'date-time' } });
}

/** Of a response. */
export function shownTimestamp(description: string) {
  return timestamp().defined().meta({ description });
}

export function enumeration<const Value extends string>(values: readonly Value[]) {
  return string().oneOf([...values], `\${path} must be one of ${values.join(', ')}`);
}

export function flag() {
  return boolean();
}

export function integer(minimum: number, maximum: number) {
  const message = `\${path} must be a whole number from ${minimum} to ${maximum}`;
  return number()
    .test('integer', message, (value) => value == null || Number.isSafeInteger(value))
    .min(minimum, message)
    .max(maximum, message)
    .meta({ json: { type: 'integer' } });
}

export function listOf<Item>(item: ISchema<Item>, maximum: number) {
  return array(item).max(maximum, `\${path} must have at most ${maximum} entries`);
}

export function nonEmptyListOf<Item>(item: ISchema<Item>, maximum: number) {
  return listOf(item, maximum).min(1, '${path} must have at least one entry');
}

/** Limits the cost of a body with many unknown members. */
const unknownMembersReported = 20;

/**
 * An object without other members. Unlike yup's noUnknown, each unknown member is an error under its own
 * name; `hints` are messages for members that clients often try.
 */
export function closedObject<Shape extends ObjectShape>(shape: Shape, hints: Record<string, string> = {}) {
  const known = new Set(Object.keys(shape));
  return object(shape)
    .test('closed', function (value: unknown) {
      const unknown = Object.keys(value ?? {}).filter((key) => !known.has(key));
      if (unknown.length === 0) return true;
      const errors = unknown.slice(0, unknownMembersReported).map((key) => {
        const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
        const name = key || '""';
        const place = this.path ? `${this.path}.${name}` : name;
        // yup would interpolate «${value}» in a string.
        const message = () => hint ?? `${place} is not a field of this operation${closeNames(key, known)}`;
        return this.createError({ path: `${this.path || ''}["${key}"]`, message });
      });
      return new ValidationError(errors, undefined, undefined, undefined, true);
    })
    .meta({ json: { additionalProperties: false } });
}

/** «; did you mean deadlineDate?» of `deadline`. Shorter names than these are part of too many. */
function closeNames(key: string, known: ReadonlySet<string>): string {
  const plain = key.toLowerCase().replaceAll('_', '');
  if (plain.length < 3) return '';
  const close = [...known].filter((name) => {
    const other = name.toLowerCase();
    return other.includes(plain) || (other.length > 2 && plain.includes(other));
  });
  return close.length === 0 ? '' : `; did you mean ${close.slice(0, 3).join(' or ')}?`;
}

/*
 * yup's default messages contain the value, which may be long or private. They are copied into each new
 * schema, so this must run before the first one is created.
 */
setLocale({
  mixed: {
    required: ({ path }) => `${nameOf(path)} is required`,
    defined: ({ path }) => `${nameOf(path)} is required`,
    notNull: ({ path }) => `${nameOf(path)} must not be null`,
    notType: ({ path, type }) => `${nameOf(path)} must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`,
  },
});

/** yup calls the whole value «this». */
function nameOf(path: string): string {
  return path === 'this' ? 'The body' : path;
}
