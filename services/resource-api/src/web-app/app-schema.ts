import { object, string } from 'yup';
import { longestSearch, mostRowsAsked, mostTasksAsked } from '#shared/app/app-protocol.ts';
import {
  calendarDate,
  closedObject,
  enumeration,
  flag,
  listOf,
  text,
  timestamp,
  uuid,
} from '#shared/validation/fields.ts';
import { isStorableText } from '#shared/validation/text-rules.ts';

const wholeNumber = (what: string, pattern: RegExp) =>
  string().matches(pattern, { message: `\${path} must be ${what}`, excludeEmptyString: false });

export const changesQuery = object({
  after: wholeNumber('a whole number', /^(0|[1-9]\d{0,14})$/).defined(),
  stamp: timestamp(),
  limit: wholeNumber('a number from 1 to 1000', /^([1-9]\d{0,2}|1000)$/),
});

export const rowsBody = closedObject({ ids: listOf(uuid().defined(), mostRowsAsked).defined() });

/** The other texts of a query are compared with patterns. */
export const searchQuery = object({
  q: text(longestSearch)
    .test('storable', '${path} must be text without U+0000', (value) => !value || isStorableText(value))
    .defined(),
});

export const trashQuery = object({ cursor: string() });

export const taskPositionBody = closedObject({
  after: uuid().nullable().defined(),
  scope: enumeration(['list', 'day']).defined(),
});

export const occurrenceBody = closedObject({ occurrence: calendarDate().nullable().defined() });

export const projectCompletionBody = closedObject({
  completeChildTasks: flag().defined(),
  asked: listOf(uuid().defined(), mostTasksAsked).defined(),
});

/** Its patch is checked as the body of the public operation, whose messages name the fields. */
export const versionBody = closedObject({ updatedAt: timestamp().defined(), patch: object().defined() });

export const listPositionBody = closedObject({
  after: uuid().nullable().defined(),
  scope: enumeration(['list']).defined(),
});
