import { englishGrammar } from '#web-app/quick-add/english-grammar.ts';
import { type EntryOptions, readEntry } from '#web-app/quick-add/read-entry.ts';
import { newTask } from '#web-app/quick-add/task-body.ts';

const papers = { id: 'papers', title: 'Papers' };
const projects = [
  { id: 'move', title: 'Move to the new flat', sections: [papers, { id: 'boxes', title: 'Boxes and van' }] },
  { id: 'garden', title: 'Garden in spring', sections: [] },
  { id: 'report', title: 'Quarterly report', sections: [] },
];
export const options: EntryOptions = {
  grammar: englishGrammar,
  now: { date: '2026-11-23', time: '10:00' },
  monthBeforeDay: false,
  projects,
  picked: new Map(),
  plain: new Set(),
  allowsDeadlines: true,
};
export const noDefaults = { place: null, dueDate: null, isSomeday: false };

export function bodyOf(text: string, changed: Partial<EntryOptions> = {}): object {
  return newTask(readEntry(text, { ...options, ...changed }), noDefaults);
}

/** A day, with a time behind it or without, and how it repeats. */
export function on(moment: string, rule: object = {}): object {
  const [dueDate, reminderTime] = moment.split(' ');
  return { dueDate, ...(reminderTime !== undefined && { reminderTime }), ...rule };
}

/** A recurrence as the API takes it. */
export function repeat(
  frequency: string,
  interval: number,
  weekdays: string[] = [],
  fromCompletion = false,
): object {
  return { recurrence: { frequency, interval, weekdays, fromCompletion } };
}

export function weekOfMonth(week: number, weekday: string): object {
  const rule = { frequency: 'monthly', interval: 1, weekdays: [weekday], fromCompletion: false };
  return { recurrence: { ...rule, weekOfMonth: week } };
}

export function until(day: string, frequency: string, interval: number, weekdays: string[] = []): object {
  return { recurrence: { frequency, interval, weekdays, fromCompletion: false, until: day } };
}

export const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
/**
 * Typed on Monday 23 November 2026 at ten, and what to send. Names stand for the ids of the projects «Move to
 * the new flat» with the section «Papers», and «Quarterly report».
 */
export const examples: [string, object][] = [
  ['Buy milk', { title: 'Buy milk' }],
  ['Buy milk today', { title: 'Buy milk', dueDate: '2026-11-23' }],
  ['Buy milk tomorrow at 18:00', { title: 'Buy milk', dueDate: '2026-11-24', reminderTime: '18:00' }],
  ['Call the bank fri', { title: 'Call the bank', dueDate: '2026-11-27' }],
  ['Call the bank friday 9am', { title: 'Call the bank', dueDate: '2026-11-27', reminderTime: '09:00' }],
  ['Pay the rent on 1 Dec', { title: 'Pay the rent', dueDate: '2026-12-01' }],
  ['Renew passport in 3 weeks', { title: 'Renew passport', dueDate: '2026-12-14' }],
  ['Plan the trip next week', { title: 'Plan the trip', dueDate: '2026-11-30' }],
  ['Dentist 15:30', { title: 'Dentist', dueDate: '2026-11-23', reminderTime: '15:30' }],
  ['Stand-up 9:15', { title: 'Stand-up', dueDate: '2026-11-24', reminderTime: '09:15' }],
  ['Sort photos this weekend', { title: 'Sort photos', dueDate: '2026-11-28' }],
  ['Pay rent every month on 1 Dec', { title: 'Pay rent', dueDate: '2026-12-01', ...repeat('monthly', 1) }],
  ['Submit the form !30 nov', { title: 'Submit the form', deadlineDate: '2026-11-30' }],
  ['Sign #move/pap thu', { title: 'Sign', projectId: 'move', sectionId: 'papers', dueDate: '2026-11-26' }],
  ['Stir the soup in 30 minutes', { title: 'Stir the soup', dueDate: '2026-11-23', reminderTime: '10:30' }],
  ['Cake 29 Feb every year', { title: 'Cake', dueDate: '2028-02-29', ...repeat('yearly', 1) }],
  ['Shop on Black Friday', { title: 'Shop on Black Friday' }],
  ['Learn to juggle someday', { title: 'Learn to juggle', list: 'someday' }],
  ['Buy light bulbs // E27, warm white', { title: 'Buy light bulbs', description: 'E27, warm white' }],
  ['Read "Tomorrow" by friday', { title: 'Read Tomorrow', dueDate: '2026-11-27' }],
  ['Table for 4 at 19:00', { title: 'Table for 4', dueDate: '2026-11-23', reminderTime: '19:00' }],
  ['Call Ann tomorrow at 9', { title: 'Call Ann', dueDate: '2026-11-24', reminderTime: '09:00' }],
  ['May I help', { title: 'May I help' }],
  ['Fix bug #4711', { title: 'Fix bug #4711' }],
  ['Every child needs a coat', { title: 'Every child needs a coat' }],
  [
    'Send the meter reading tomorrow 9:30 every month !30 Nov #mov',
    {
      title: 'Send the meter reading',
      projectId: 'move',
      dueDate: '2026-11-24',
      deadlineDate: '2026-11-30',
      reminderTime: '09:30',
      ...repeat('monthly', 1),
    },
  ],
];

/** What only looks like dates, times, places and deadlines. */
export const plainTitles = [
  'Wait 5 minutes',
  'Buy a 3d printer',
  'Photos of 2 weeks ago',
  'Open mon-fri',
  'Gym mon wed fri',
  'Meet Ann on mon, tue or wed',
  'Party on the first monday of december',
  'Trip mid december',
  'Report before friday',
  'Ride on friday 13th',
  "5 o'clock tea",
  'Call April',
  'Walk in the sun',
  'Open mon - fri',
  'What happened yesterday',
  'Fix what broke last friday',
  'Release 2.10.3 and 10.30',
  'Room 12 at 5',
  'March to the sun and sat down',
  'Weekend bag',
  'Do it now',
  'Morning run',
  'Taxes of 1 Dec 2025',
  'Wow! That works !important',
  'See https://example.com/a//b',
  'Someday we sing',
  '5" pipe and 3" nail',
  'Add 1/2 cup of flour',
  'Offer 24/7 support',
  'Clean the 1st of 3 rooms',
  'Meet on the 2nd floor',
  'Work on 1st draft',
  'What happened this morning',
  'Ask in #nowhere',
  'Run 5 km within 30 minutes',
  'Finish in 10 seconds',
  'Fair Dec 24-26',
  'Cook for Good Friday',
  'Brunch on Easter Monday',
  'Black Friday and Cyber Monday offers',
  'Meet on the first friday',
  'Party on 29 Feb 2027',
  "Read tomorrow's paper",
  'Look at Monday.com',
  "Fix the 'today' button",
  'A week from friday',
  'Look at 18 rooms',
  'Open 10:00-12:00',
  'Read 14.12 of the spec',
  'Version 2.3.',
  'Release 10.12.',
  'Meet at 9 Elm Street',
  'Call at 5',
  'Pay every jan 5 and jul 5',
  'Pay every 1st and 15th',
  'The last day of summer',
  'Stay for 2 weeks',
  'Review the monthly budget',
  'Ask Mara about weekly reports',
];
