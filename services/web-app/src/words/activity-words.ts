import { type AppActor, historyDays } from '#shared/app/app-protocol.ts';
import { plural } from './plural.ts';

const tasks = (count: number) => plural(count, { one: '# task', other: '# tasks' });
const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** What was done to records, as it is counted and said. */
export type Deed =
  | 'added'
  | 'addedProject'
  | 'completed'
  | 'cancelled'
  | 'skipped'
  | 'reopened'
  | 'trashed'
  | 'restored'
  | 'deleted'
  | 'planned'
  | 'replanned'
  | 'unplanned'
  | 'deadline'
  | 'noDeadline'
  | 'reminder'
  | 'repeat'
  | 'moved'
  | 'renamed'
  | 'notes'
  | 'checklist'
  | 'reordered'
  | 'changed';

/** `single` speaks of the one record that is open. */
type Saying = { several: (what: string) => string; single: string };

const sayings: Record<Deed, Saying> = {
  added: { several: (what) => `added ${what}`, single: 'added it' },
  addedProject: { several: (what) => `started ${what}`, single: 'started it' },
  completed: { several: (what) => `completed ${what}`, single: 'completed it' },
  cancelled: { several: (what) => `cancelled ${what}`, single: 'cancelled it' },
  skipped: { several: (what) => `skipped ${what}`, single: 'skipped it' },
  reopened: { several: (what) => `reopened ${what}`, single: 'reopened it' },
  trashed: { several: (what) => `moved ${what} to the Trash`, single: 'moved it to the Trash' },
  restored: { several: (what) => `restored ${what}`, single: 'restored it' },
  deleted: { several: (what) => `deleted ${what}`, single: 'deleted it' },
  planned: { several: (what) => `planned ${what}`, single: 'planned it' },
  replanned: { several: (what) => `moved ${what} to another day`, single: 'moved it to another day' },
  unplanned: { several: (what) => `removed the date of ${what}`, single: 'removed the date' },
  deadline: { several: (what) => `set the deadline of ${what}`, single: 'set the deadline' },
  noDeadline: { several: (what) => `removed the deadline of ${what}`, single: 'removed the deadline' },
  reminder: { several: (what) => `changed the reminder of ${what}`, single: 'changed the reminder' },
  repeat: { several: (what) => `changed how ${what} repeats`, single: 'changed how it repeats' },
  moved: { several: (what) => `moved ${what}`, single: 'moved it' },
  renamed: { several: (what) => `renamed ${what}`, single: 'renamed it' },
  notes: { several: (what) => `changed the notes of ${what}`, single: 'changed the notes' },
  checklist: { several: (what) => `changed the checklist of ${what}`, single: 'changed the checklist' },
  reordered: { several: (what) => `reordered ${what}`, single: 'reordered it' },
  changed: { several: (what) => `changed ${what}`, single: 'changed it' },
};

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
};

const things = {
  task: tasks,
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
  say: (deed: Deed, what: string) => sayings[deed].several(what),
  otherDay: (deed: 'replanned' | 'skipped', from: string, to: string) =>
    `${deed === 'skipped' ? 'skipped' : 'moved'} it from ${from} to ${to}`,
  saySingle: (deed: Deed) => sayings[deed].single,
  things,
  join: (parts: readonly string[]) => list.format(parts),
  undid: (deeds: string) => `took changes back: ${deeds}`,
  undo: 'Undo',
  undone: 'Undone',
  none: 'none',
  gone: 'one that is gone',
  hidden: 'longer text',
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
  keptDays: `Changes are kept for ${historyDays} days.`,
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
