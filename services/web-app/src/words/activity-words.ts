import { type AppActor, historyChanges, historyDays, type TaskFields } from '#shared/app/app-protocol.ts';
import { listOf } from './list-of.ts';
import { plural } from './plural.ts';
import { taskCount } from './quoted-title.ts';

const sayings = {
  added: 'added #',
  addedProject: 'started #',
  completed: 'completed #',
  cancelled: 'cancelled #',
  skipped: 'skipped #',
  reopened: 'reopened #',
  trashed: 'moved # to the Trash',
  restored: 'restored #',
  deleted: 'deleted #',
  planned: 'planned #',
  replanned: 'moved # to another day',
  unplanned: 'removed the date of #',
  deadline: 'set the deadline of #',
  noDeadline: 'removed the deadline of #',
  reminder: 'changed the reminder of #',
  repeat: 'changed how # repeats',
  moved: 'moved #',
  renamed: 'renamed #',
  notes: 'changed the notes of #',
  checklist: 'changed the checklist of #',
  reordered: 'reordered #',
  changed: 'changed #',
};

export type Deed = keyof typeof sayings;

const fieldNames: Record<string, string> = {
  title: 'title',
  description: 'notes',
  status: 'status',
  list: 'list',
  projectId: 'project',
  sectionId: 'section',
  areaId: 'area',
  dueDate: 'date',
  deadlineDate: 'deadline',
  reminderTime: 'reminder',
  recurrence: 'repeat',
  checklist: 'checklist',
} satisfies Record<string, string> & Record<keyof TaskFields, string>;

const things = {
  task: taskCount,
  project: (count: number) => plural(count, { one: '# project', other: '# projects' }),
  section: (count: number) => plural(count, { one: '# section', other: '# sections' }),
  area: (count: number) => plural(count, { one: '# area', other: '# areas' }),
};

export const activityWords = {
  heading: 'Activity',
  all: 'All',
  assistants: 'Assistants',
  scripts: 'Scripts',
  you: 'You',
  filter: 'Whose changes',
  actor: ({ kind, name }: AppActor) =>
    kind === 'browser' ? 'You' : kind === 'operator' ? 'The operator' : name,
  kinds: { app: 'connected app', token: 'personal token', browser: null, operator: 'operator' },
  say: (deed: Deed, what: string) =>
    deed === 'deadline' && what === '1' ? 'set a deadline' : sayings[deed].replace('#', () => what),
  otherDay: (deed: 'replanned' | 'skipped', from: string, to: string) =>
    `${deed === 'skipped' ? 'skipped' : 'moved'} it from ${from} to ${to}`,
  /** Of the one record that is open. */
  saySingle: (deed: Deed) => sayings[deed].replace(/ of #$/, '').replace('#', 'it'),
  things,
  madeMore: (count: number) => `made ${plural(count, { one: '# more change', other: '# more changes' })}`,
  notListed: (count: number) => `${count.toLocaleString('en')} more are not listed`,
  join: listOf,
  undid: (deeds: string) => `took changes back: ${deeds}`,
  redid: (deeds: string) => `put back what was undone: ${deeds}`,
  undo: 'Undo',
  undoThese: (count: number) => `Undo these ${count.toLocaleString('en')}`,
  undone: 'Undone',
  notUndone: 'Not undone: the service could not be reached.',
  partlyUndone: 'partly undone',
  none: 'none',
  gone: 'one that is gone',
  hidden: 'longer text',
  moreOfNotes: 'Show more of the notes',
  before: 'Before',
  after: 'After',
  to: 'to',
  stays: (reason: string) => `Stays. ${reason}`,
  more: (count: number) => `${count.toLocaleString('en')} more`,
  showMore: 'Show older changes',
  empty: 'No changes yet.',
  emptyFilter: (whose: string) => `No changes by ${whose.toLowerCase()} in the last ${historyDays} days.`,
  emptyHint: 'Connect an assistant, and everything it does is shown here.',
  needsConnection: 'Needs a connection.',
  loading: 'Changes are on their way.',
  retry: 'Try again',
  keptDays:
    `The newest ${historyChanges.toLocaleString('en')} changes ` +
    `of the last ${historyDays} days are kept.`,
  fieldName: (field: string) => fieldNames[field] ?? field,
  values: {
    open: 'open',
    completed: 'completed',
    cancelled: 'cancelled',
    active: 'active',
    inbox: 'Inbox',
    someday: 'Someday',
    project: 'project',
  } as Record<string, string>,
  yes: 'yes',
  no: 'no',
  changedItems: (deed: string, count: number) =>
    `${deed} ${plural(count, { one: '# item', other: '# items' })}`,
  changedChecklist: 'changed the checklist',
};
