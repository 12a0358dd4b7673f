import { recurrenceChange, recurrenceInput, type SentRuleMembers } from '../../tasks/recurrence-schema.ts';

/** The members of a rule with shorter descriptions than in the API, since two tools list them. */
function inFewWords<Rule extends typeof recurrenceInput | typeof recurrenceChange>(
  rule: Rule,
  intervalText: string,
): Rule {
  const { interval, weekdays, fromCompletion, weekOfMonth, until } = rule.fields as SentRuleMembers;
  return rule.shape({
    interval: interval.meta({ description: intervalText }),
    weekdays: weekdays.meta({ description: 'With weekly; or one of them, with weekOfMonth.' }),
    fromCompletion: fromCompletion.meta({ description: 'Count from completion, not from dueDate.' }),
    weekOfMonth: weekOfMonth.meta({ description: 'With monthly and one weekday; -1 is the last.' }),
    until: until.meta({ description: 'The last day it may fall on.' }),
  }) as Rule;
}

export const newRepeat = () =>
  inFewWords(recurrenceInput, 'Every so many; 1 unless given.')
    .meta({
      description:
        'How it repeats; needs a dueDate, its first day: monthly from a 31st is on every last day.',
    })
    .optional()
    .default(undefined);

export const changedRepeat = () =>
  inFewWords(recurrenceChange, 'Every so many.')
    .meta({ description: 'How it repeats; omitted members stay.' })
    .optional()
    .default(undefined);
