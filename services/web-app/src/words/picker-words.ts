import type { ToastText } from './command-words.ts';
import { plural } from './plural.ts';
import { quotedTitles } from './quoted-title.ts';

export const pickerWords = {
  choices: (count: number) => plural(count, { one: '# choice', other: '# choices' }),
  when: 'When',
  date: 'Date',
  whenPlaceholder: 'tomorrow 9:00, next week, 3 Dec…',
  deadline: 'Deadline',
  deadlinePlaceholder: 'friday, in 2 weeks, 3 Dec…',
  days: 'Days',
  tomorrow: 'Tomorrow',
  thisWeekend: 'This weekend',
  nextWeekend: 'Next weekend',
  nextWeek: 'Next week',
  noDate: 'No date',
  noDeadline: 'No deadline',
  deadlineSet(titles: readonly string[], day: string | null, leavesSomeday: boolean = false): ToastText {
    if (day === null) return `Removed the deadline of ${quotedTitles(titles)}`;
    const text = `Set the deadline of ${quotedTitles(titles)} to ${day}`;
    return leavesSomeday ? { text, more: 'With a day, it leaves Someday.' } : text;
  },
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  reminder: 'Reminder',
  reminderSet: (titles: readonly string[], time: string | null) =>
    time === null
      ? `Removed the reminder of ${quotedTitles(titles)}`
      : `Set the reminder of ${quotedTitles(titles)} to ${time}`,
  repeat: 'Repeat…',
  notADay: 'Not a day. Try “friday 9:00” or “3 Dec”.',
  deadlineNeedsPremium:
    'Deadlines are part of Premium. A date says when you plan to do it, and is free. ' +
    'The operator of this service can switch your plan.',
  repeatLabel: 'Repeat',
  repeatPlaceholder: 'every 2 weeks, every mon, thu…',
  notARule: 'Not a rule. Try “every 2 weeks” or “every mon, thu”.',
  never: 'Never',
  repeatSet: (titles: readonly string[], rule: string | null) =>
    rule === null
      ? `Removed the repeat of ${quotedTitles(titles)}`
      : `Set the repeat of ${quotedTitles(titles)}: ${rule}`,
  rules: 'Rules',
  /** As they can be typed. */
  repeats: ['every day', 'every weekday', 'every week', 'every month', 'every year'],
  every: 'Every',
  units: { daily: 'days', weekly: 'weeks', monthly: 'months', yearly: 'years' },
  interval: 'Every how many',
  unit: 'Unit',
  onDays: 'On these days',
  week: 'Day of the month',
  weeks: [
    [0, 'on the same day'],
    [1, 'on the first'],
    [2, 'on the second'],
    [3, 'on the third'],
    [4, 'on the fourth'],
    [-1, 'on the last'],
  ] as const,
  weekday: 'Weekday',
  until: 'Until',
  fromCompletion: 'Count from the day of completion',
  setRepeat: 'Set',
  list: 'Move to',
  listPlaceholder: 'Inbox, Someday or a project',
  lists: 'Lists',
  more: 'There are more lists: type a part of the name.',
  areaPlaceholder: 'An area',
  areas: 'Areas',
  noArea: 'No area',
  noOtherArea: 'There is no other area. Add one below the lists.',
  noSuchArea: (text: string) => `No other area is called “${text}”.`,
};
