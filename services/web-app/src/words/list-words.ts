import { daysBetween } from '../dates/civil-date.ts';
import { formatDueDistance, shortDay } from '../dates/format-day.ts';

export const listWords = {
  /** Days are counted up to two weeks. */
  deadline: (date: string, today: string) =>
    (daysBetween(today, date) > 14 ? shortDay : formatDueDistance)(date, today),
  deadlineName: 'deadline',
  late: 'overdue',
  hasNotes: 'has notes',
  repeats: 'repeats',
  reminder: 'reminder',
  passed: 'passed',
  checklist: 'checklist',
  waiting: 'waiting',
  closed: { open: '', completed: 'completed', cancelled: 'cancelled' },
  selectionEnded: 'Selection ended.',
  nothingOpen: 'Only an open task can be cancelled.',
  nothingRepeats: 'Only a task that repeats can be skipped.',
  openFirst: 'Open it to change it.',
  restoreFirst: 'Restore it to change it.',
  left: (title: string) => `${title} left the list.`,
  suspended: 'Your account is suspended: nothing can be changed.',
};
