import { closedObject, enumeration, flag, integer, listOf } from '#shared/validation/fields.ts';
import { frequencies, weekdays } from './recurrence.ts';

export const recurrenceMembers = {
  frequency: enumeration(frequencies).defined().meta({ description: 'What the interval counts.' }),
  interval: integer(1, 999).meta({ description: 'Every so many days, weeks, months or years.', example: 2 }),
  weekdays: listOf(enumeration(weekdays).defined(), weekdays.length).meta({
    description: 'Only with `weekly`; Monday to Sunday. Without any: the weekday the series starts on.',
    example: ['monday', 'thursday'],
  }),
  fromCompletion: flag().meta({
    description: 'Count from the day of completion instead of from the start date.',
  }),
};

const sentMembers = {
  frequency: recurrenceMembers.frequency.optional(),
  interval: recurrenceMembers.interval.optional(),
  weekdays: recurrenceMembers.weekdays
    .test('distinct', '${path} must not repeat a day', (days) => new Set(days).size === (days?.length ?? 0))
    .test('weekly-only', '${path} can only be given with frequency weekly', (days, { parent }) => {
      return (days?.length ?? 0) === 0 || (parent.frequency ?? 'weekly') === 'weekly';
    })
    // No keyword expresses a rule between fields.
    .meta({ json: {} })
    .optional(),
  fromCompletion: recurrenceMembers.fromCompletion.optional(),
};

/** What a caller may send as the `recurrence` of a new task; what a patch makes of the one there is has to be that too. */
export const recurrenceInput = closedObject({
  ...sentMembers,
  frequency: recurrenceMembers.frequency,
}).meta({
  schemaName: 'RecurrenceInput',
  description: 'How the task repeats. Omitted members take their defaults.',
});

/** A patch in words that have no null. */
export const recurrenceChange = closedObject(sentMembers).meta({
  description:
    'How the task repeats. Omitted members stay; a task that does not repeat yet needs a frequency.',
});

export const recurrencePatch = closedObject({
  ...sentMembers,
  interval: sentMembers.interval.nullable(),
  weekdays: sentMembers.weekdays.nullable(),
  fromCompletion: sentMembers.fromCompletion.nullable(),
}).meta({
  schemaName: 'RecurrencePatch',
  description:
    'How the task repeats: a merge patch of its rule. Omitted members stay, null takes one back to its default. ' +
    'A task that does not repeat yet needs a `frequency`; one other than `weekly` drops weekdays that are not sent.',
});
