import type { ActivityChange, ActivityEntry, AppEntity, FieldChange } from '#shared/app/app-protocol.ts';
import { type Deed, activityWords as words } from '../words/activity-words.ts';

const created: Record<AppEntity, Deed> = {
  task: 'added',
  project: 'addedProject',
  section: 'added',
  area: 'added',
};

/** The order in which the deeds of an entry are said, and which one names a change with several fields. */
const deedsOfFields: readonly [string, (change: FieldChange) => Deed][] = [
  ['inTrash', ({ after }) => (after === true ? 'trashed' : 'restored')],
  ['status', ({ after }) => statusDeeds[String(after)] ?? 'changed'],
  ['dueDate', ({ after }) => (after === null ? 'unplanned' : 'planned')],
  ['deadlineDate', ({ after }) => (after === null ? 'noDeadline' : 'deadline')],
  ['projectId', () => 'moved'],
  ['sectionId', () => 'moved'],
  ['list', () => 'moved'],
  ['areaId', () => 'moved'],
  ['title', () => 'renamed'],
  ['description', () => 'notes'],
  ['checklist', () => 'checklist'],
  ['recurrence', () => 'repeat'],
  ['reminderTime', () => 'reminder'],
  ['rank', () => 'reordered'],
  ['dayRank', () => 'reordered'],
];
const statusDeeds: Record<string, Deed> = {
  completed: 'completed',
  cancelled: 'cancelled',
  open: 'reopened',
  active: 'reopened',
};

/** What one change did, in one word for the counting. */
export function deedOf({ change, entity, fields }: ActivityChange): Deed {
  if (change === 'created') return created[entity];
  if (change === 'deleted') return 'deleted';
  for (const [field, deed] of deedsOfFields) {
    const found = fields.find((each) => each.field === field);
    if (found !== undefined) return deed(found);
  }
  return 'changed';
}

/**
 * «added 2 tasks, planned 1 and set the deadline of 1»: the kinds of changes in the order in which they first came.
 * With `single` it speaks of the one record whose history is shown.
 */
export function describeEntry({ changes, isUndo }: ActivityEntry, { single = false } = {}): string {
  let named: AppEntity | null = null;
  // The second time a number says enough: «planned 1».
  const count = (entity: AppEntity, ids: number): string => {
    const what = entity === named ? ids.toLocaleString('en') : words.things[entity](ids);
    named = entity;
    return what;
  };
  const parts = [...Map.groupBy(changes, deedOf)].map(([deed, ofDeed]) => {
    if (single) return words.saySingle(deed);
    const byEntity = Map.groupBy(ofDeed, ({ entity }) => entity);
    const things = [...byEntity].map(([entity, own]) => count(entity, new Set(own.map(({ id }) => id)).size));
    return words.say(deed, words.join(things));
  });
  const said = words.join(parts);
  return isUndo ? words.undid(said) : said;
}
