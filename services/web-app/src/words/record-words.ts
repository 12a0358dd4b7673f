import { plural } from './plural.ts';

export const recordWords = {
  trashHint: 'What is here can be brought back. Nothing is deleted for good.',
  projects: 'Projects',
  tasks: 'Tasks',
  withTasks: (count: number) => plural(count, { one: 'with # task', other: 'with # tasks' }),
  backTo: (place: string) => `back to: ${place}`,
  wasDone: 'was done',
  wasCancelled: 'was cancelled',
  plannedFor: (day: string) => `for ${day}`,
  restore: 'Restore',
  restoreNamed: (title: string) => `Restore ${title}`,
  trashEmpty: 'The Trash is empty.',
  showMore: 'Show more',
  earlierDone: 'Done before today',
  logbookEmpty: 'Done tasks are kept here.',
  freeLogbook: 'The free plan shows 14 days. Nothing older is lost.',
};
