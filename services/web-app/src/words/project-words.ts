import { formatDueDistance, longDay } from '../dates/format-day.ts';
import { plural } from './plural.ts';
import { quotedTitle } from './quoted-title.ts';

/** The page of a project or area, and the menus of projects, sections and areas. */
export const projectWords = {
  newSection: 'New section',
  done: 'Done',
  closedProjects: 'Closed projects',
  moveToArea: 'Move to an area',
  remove: 'Delete',
  reopen: 'Reopen',
  completeNamed: (title: string) => `Complete ${title}`,
  reopenNamed: (title: string) => `Reopen ${title}`,
  completed: 'Completed',
  cancelled: 'Cancelled',
  area: 'Area',
  deadlineName: 'Deadline',
  deadlineBothWays: (date: string, today: string) =>
    `${formatDueDistance(date, today)} · ${longDay(date, today)}`,
  progress: (open: number, closed: number) => `${open} open, ${closed} done`,
  completeOpen: (count: number) =>
    plural(count, { one: 'Complete its # open task too?', other: 'Complete its # open tasks too?' }),
  completeThem: 'Complete them',
  cancelThem: 'Mark them cancelled',
  notSaved: (title: string) => `${quotedTitle(title)} was not saved: its section is gone.`,
  back: 'Back',
  empty: {
    open: 'No tasks yet.',
    closed: 'This project is closed, without a task.',
    hint: { keys: 'Press N.', phone: 'Tap +.' },
  },
};
