import type { AppRecurrence, FieldChange } from '#shared/app/app-protocol.ts';
import { formatDay } from '../dates/format-day.ts';
import { isChecklist } from '../store/row-types.ts';
import type { Rows } from '../store/rows.ts';
import { activityWords as words } from '../words/activity-words.ts';
import { cutText } from '../words/quoted-title.ts';
import { describeRepeat } from '../words/repeat-words.ts';

const longestText = 80;
const unsaid = new Set(['completedAt', 'cancelledAt', 'inTrash', 'rank', 'dayRank']);

export function formatValue(field: string, value: unknown, today: string, rows: Rows): string {
  // Too long to be stored.
  if (value === undefined) return words.hidden;
  if (value === null || value === '') return words.none;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (field === 'dueDate' || field === 'deadlineDate') return formatDay(String(value), today);
  if (field === 'recurrence' && isRecurrence(value)) return describeRepeat(value, null);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return words.hidden;
  return words.values[value] ?? titleOf(field, value, rows) ?? cut(value);
}

function titleOf(field: string, id: string, rows: Rows): string | undefined {
  if (!field.endsWith('Id')) return undefined;
  const places = [rows.projects, rows.sections, rows.areas];
  return places.map(({ shown }) => shown.get(id)?.title).find((title) => title !== undefined) ?? words.gone;
}

/** The fields whose values add to the entry's summary. `lostDay`: its date was removed with this. */
export function saidFields(fields: readonly FieldChange[], lostDay: boolean = false): FieldChange[] {
  const names = new Set(fields.map(({ field }) => field));
  const list = fields.find(({ field }) => field === 'list');
  const said = fields.filter(({ field }) => {
    if (unsaid.has(field)) return false;
    // The list follows from the project or date.
    const follows = lostDay || ['projectId', 'dueDate', 'deadlineDate'].some((name) => names.has(name));
    return !(field === 'list' && follows);
  });
  return said.map((each) => (each.field === 'projectId' ? withInbox(each, list) : each));
}

/** «Inbox → Garden» instead of «none → Garden»; not for Someday, since the task may have had a date. */
function withInbox({ field, before, after }: FieldChange, list: FieldChange | undefined): FieldChange {
  const inboxOr = (value: unknown, place: unknown) => (place === 'inbox' ? place : value);
  return { field, before: inboxOr(before, list?.before), after: inboxOr(after, list?.after) };
}

/** «ticked 2 items and added 1 item»; without numbers if a list was too long to be stored. */
export function describeChecklist({ before, after }: FieldChange): string {
  if (!isChecklist(before) || !isChecklist(after)) return words.changedChecklist;
  const former = new Map(before.map((item) => [item.id, item]));
  const counts = { added: 0, removed: before.length, ticked: 0, unticked: 0, renamed: 0 };
  for (const { id, title, completed } of after) {
    const old = former.get(id);
    if (old === undefined) {
      counts.added += 1;
      continue;
    }
    counts.removed -= 1;
    if (old.completed !== completed) counts[completed ? 'ticked' : 'unticked'] += 1;
    if (old.title !== title) counts.renamed += 1;
  }
  const said = Object.entries(counts).filter(([, count]) => count > 0);
  if (said.length === 0) return words.changedChecklist;
  return words.join(said.map(([deed, count]) => words.changedItems(deed, count)));
}

function isRecurrence(value: unknown): value is AppRecurrence {
  return typeof value === 'object' && value !== null && 'frequency' in value && 'weekdays' in value;
}

function cut(text: string): string {
  return cutText(text.replaceAll(/\s+/gu, ' '), longestText);
}
