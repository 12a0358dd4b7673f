import { plural } from './plural.ts';

/** Words of rows, headings and lists. */
export const listWords = {
  deadline(days: number): string {
    if (days === 0) return 'today';
    if (days === 1) return 'tomorrow';
    if (days > 0) return `in ${days} days`;
    return plural(-days, { one: '# day late', other: '# days late' });
  },
  deadlineName: 'deadline',
  late: 'overdue',
  hasNotes: 'has notes',
  repeats: 'repeats',
  reminder: 'reminder',
  passed: 'passed',
  checklist: 'checklist',
  waiting: 'waiting',
  closed: { open: '', completed: 'completed', cancelled: 'cancelled' },
  complete: (title: string) => `Complete ${title}`,
  reopen: (title: string) => `Reopen ${title}`,
  rename: (title: string) => `Title of ${title}`,
  rowMenu: (title: string) => `Actions for ${title}`,
  movedTo: (title: string, place: number, count: number) => `${title}: ${place} of ${count}`,
  inGroup: (place: string, group: string) => `${place}, ${group}`,
  staysAtEnd: (title: string, end: 'first' | 'last', group: string) =>
    `${title} stays: it is the ${end} of ${group}.`,
  nothingRepeats: 'Only a task that repeats can be skipped.',
  left: (title: string) => `${title} left the list.`,
  cannotReorder: 'This list orders itself.',
  suspended: 'Your account is suspended: nothing can be changed.',
};
