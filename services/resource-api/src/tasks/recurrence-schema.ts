import { number } from 'yup';
import { calendarDate, closedObject, enumeration, flag, integer, listOf } from '#shared/validation/fields.ts';
import { frequencies, weekdays, weeksOfMonth } from './recurrence.ts';

export const recurrenceMembers = {
  frequency: enumeration(frequencies).defined().meta({ description: 'Unit of the interval.' }),
  interval: integer(1, 999).meta({
    description: 'Number of days, weeks, months or years between occurrences.',
    example: 2,
  }),
  weekdays: listOf(enumeration(weekdays).defined(), weekdays.length).meta({
    description:
      'Only with `weekly`, or one with `weekOfMonth`; Monday to Sunday. ' +
      'Weekly without any: the weekday the series starts on.',
    example: ['monday', 'thursday'],
  }),
  fromCompletion: flag().meta({
    description: 'Count from the day of completion instead of from the dueDate.',
  }),
  weekOfMonth: number()
    .oneOf([...weeksOfMonth], `\${path} must be one of ${weeksOfMonth.join(', ')}`)
    .meta({
      description:
        'Extension; shown only when set. With `monthly` and exactly one of `weekdays`: ' +
        'the first to fourth of it in a month, -1 for the last.',
      example: 2,
      json: { type: 'integer' },
    }),
  until: calendarDate().meta({
    description: 'Extension; shown only when set. The last day an occurrence may have, YYYY-MM-DD.',
    example: '2027-06-30',
  }),
};

const sentMembers = {
  frequency: recurrenceMembers.frequency.optional(),
  interval: recurrenceMembers.interval.optional(),
  weekdays: recurrenceMembers.weekdays
    .test('distinct', '${path} must not repeat a day', (days) => new Set(days).size === (days?.length ?? 0))
    .test(
      'weekly-only',
      '${path} can only be given with frequency weekly, or monthly with weekOfMonth',
      (days, { parent }) => {
        const { frequency = 'weekly', weekOfMonth } = parent;
        return (
          (days?.length ?? 0) === 0 ||
          frequency === 'weekly' ||
          (frequency === 'monthly' && weekOfMonth != null)
        );
      },
    )
    // No keyword expresses a rule between fields.
    .meta({ json: {} })
    .optional(),
  fromCompletion: recurrenceMembers.fromCompletion.optional(),
  weekOfMonth: recurrenceMembers.weekOfMonth.optional(),
  until: recurrenceMembers.until.optional(),
};

export type SentRuleMembers = typeof sentMembers;

/** `recurrence` of a new task; the result of a patch must satisfy it, too. */
export const recurrenceInput = closedObject({
  ...sentMembers,
  frequency: recurrenceMembers.frequency.defined('${path} is required: the task does not repeat yet'),
  weekOfMonth: sentMembers.weekOfMonth.test(
    'one-weekday',
    '${path} needs frequency monthly and exactly one of weekdays',
    (week, { parent }) => week == null || (parent.frequency === 'monthly' && parent.weekdays?.length === 1),
  ),
}).meta({
  schemaName: 'RecurrenceInput',
  description: 'How the task repeats. Omitted members take their defaults.',
});

/** A patch without null. */
export const recurrenceChange = closedObject(sentMembers).meta({
  description:
    'How the task repeats. Omitted members stay; a task that does not repeat yet needs a frequency.',
});

export const recurrencePatch = closedObject({
  ...sentMembers,
  interval: sentMembers.interval.nullable(),
  weekdays: sentMembers.weekdays.nullable(),
  fromCompletion: sentMembers.fromCompletion.nullable(),
  weekOfMonth: sentMembers.weekOfMonth.nullable(),
  until: sentMembers.until.nullable(),
}).meta({
  schemaName: 'RecurrencePatch',
  description:
    'How the task repeats: a merge patch of its rule. Omitted members stay, null takes one back ' +
    'to its default. A task that does not repeat yet needs a `frequency`. Weekdays that are not sent ' +
    'stay with `weekly` and with `weekOfMonth`, which itself stays with `monthly`.',
});
