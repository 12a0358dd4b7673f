import type {
  ActivityChange,
  ActivityEntry,
  AppEntity,
  FieldChange,
  TaskFields,
} from '#shared/app/app-protocol.ts';
import { formatDay } from '../dates/format-day.ts';
import { type Deed, activityWords as words } from '../words/activity-words.ts';

type DeedOf = (change: FieldChange) => Deed;

/** The order of kinds in a summary; the first applicable one names a change of several fields. */
const deedsOfFields: Record<string, DeedOf> = {
  inTrash: ({ after }) => (after === true ? 'trashed' : 'restored'),
  status: ({ after }) => statusDeeds[String(after)] ?? 'changed',
  dueDate: ({ before, after }) => (after === null ? 'unplanned' : before === null ? 'planned' : 'replanned'),
  deadlineDate: ({ after }) => (after === null ? 'noDeadline' : 'deadline'),
  projectId: () => 'moved',
  sectionId: () => 'moved',
  list: () => 'moved',
  areaId: () => 'moved',
  title: () => 'renamed',
  description: () => 'notes',
  checklist: () => 'checklist',
  recurrence: () => 'repeat',
  reminderTime: () => 'reminder',
  rank: () => 'reordered',
  dayRank: () => 'reordered',
} satisfies Record<string, DeedOf> & Record<keyof TaskFields, DeedOf>;
const statusDeeds: Record<string, Deed> = {
  completed: 'completed',
  cancelled: 'cancelled',
  skipped: 'skipped',
  open: 'reopened',
  active: 'reopened',
};

export function deedOf({ change, entity, fields }: ActivityChange): Deed {
  if (change === 'created') return entity === 'project' ? 'addedProject' : 'added';
  if (change === 'deleted') return 'deleted';
  for (const [field, deed] of Object.entries(deedsOfFields)) {
    const found = fields.find((each) => each.field === field);
    if (found !== undefined) return deed(found);
  }
  return 'changed';
}

export const countNotListed = ({ stamps, leftOut }: ActivityEntry): number =>
  stamps.reduce((sum, stamp) => sum + (leftOut[stamp] ?? 0), 0);

/** «added 2 tasks, planned 1 and set a deadline», in order. `today`: for the history of one record. */
export function describeEntry(entry: ActivityEntry, today?: string): string {
  const { changes, isUndo, isRedo } = entry;
  const isMixed = new Set(changes.map(({ entity }) => entity)).size > 1;
  let isNamed = false;
  // The noun is omitted after its first use, unless the number would be ambiguous: «planned 1».
  const count = (entity: AppEntity, ids: number): string => {
    const what = isNamed && !isMixed ? ids.toLocaleString('en') : words.things[entity](ids);
    isNamed = true;
    return what;
  };
  const parts = [...Map.groupBy(changes, deedOf)].map(([deed, ofDeed]) => {
    if (today !== undefined) return saySingle(deed, ofDeed, today);
    const byEntity = Map.groupBy(ofDeed, ({ entity }) => entity);
    const things = [...byEntity].map(([entity, own]) => count(entity, new Set(own.map(({ id }) => id)).size));
    return words.say(deed, words.join(things));
  });
  const others = countNotListed(entry);
  const said = words.join(others === 0 ? parts : [...parts, words.madeMore(others)]);
  return isRedo ? words.redid(said) : isUndo ? words.undid(said) : said;
}

/** «Claude added 2 tasks». */
export const sayEntry = (entry: ActivityEntry, today?: string): string =>
  `${words.actor(entry.actor)} ${describeEntry(entry, today)}`;

function saySingle(deed: Deed, changes: readonly ActivityChange[], today: string): string {
  const date = changes.at(-1)?.fields.find(({ field }) => field === 'dueDate');
  if ((deed !== 'replanned' && deed !== 'skipped') || date === undefined) return words.saySingle(deed);
  const say = (day: unknown) => formatDay(String(day), today);
  return words.otherDay(deed, say(date.before), say(date.after));
}
