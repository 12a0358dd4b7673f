import type { ActivityChange, AppEntity, FieldChange } from '#shared/app/app-protocol.ts';
import { isCalendarDate } from '#shared/time/calendar-date.ts';
import { readChanges } from '../history/activity-service.ts';
import type { Attributed } from '../history/present-change.ts';
import type { Session } from '../session.ts';
import type { ChecklistItem } from '../tasks/checklist.ts';
import type { RecurrenceRule } from '../tasks/recurrence.ts';
import { fieldNouns } from '../tasks/task-schema.ts';
import { describeRecurrence } from './brief-task.ts';
import { inOneLine } from './names.ts';
import { findPlaceNames, type PlaceNames } from './place-names.ts';

/** `day`: the day of a dated task after the change. */
type Wording = { today: string; names: PlaceNames; day: unknown; isUndo: boolean };
/** The subject of a phrase: its title at first, then «it». */
type Subject = { it: string; of(thing: string): string };
type Phrase = (subject: Subject) => string;

/** Returns a sentence for each change, in order; empty if another change's sentence covers it. */
export async function describeChanges(session: Session, changes: readonly Attributed[]): Promise<string[]> {
  const fields = changes.flatMap(({ change }) => change.fields);
  const found = await findPlaceNames(session, [
    ...fields.filter(({ field }) => field.endsWith('Id')).flatMap(({ before, after }) => [before, after]),
    ...changes.map(({ sectionOf }) => sectionOf),
  ]);
  // The name of a deleted place is only in the change that deleted it.
  const names = new Map([...changes.map(({ change }) => [change.id, change.title] as const), ...found]);
  return changes.map(({ change, day, actor: { isUndo = false } }) => {
    const other = otherEndOfMove(change, changes);
    if (other === undefined) return describeChange(change, { today: session.today, names, day, isUndo });
    const project = titleOf(other.sectionOf, names) ?? 'another project';
    return change.change === 'created' ? '' : `Moved the section ${quoted(change.title)} to ${project}.`;
  });
}

/** A section is moved by one transaction that creates it in the other project and deletes it here. */
function otherEndOfMove({ stamp, entity, title, change }: ActivityChange, all: readonly Attributed[]) {
  const other = { created: 'deleted', deleted: 'created', updated: undefined }[change];
  if (entity !== 'section') return undefined;
  return all.find(
    ({ change: its }) =>
      its.stamp === stamp && its.entity === entity && its.title === title && its.change === other,
  );
}

const readSentences = 100;

/** Describes what the transactions with these stamps changed, one sentence per record. */
export async function describeStamps(session: Session, stamps: readonly string[]): Promise<string[]> {
  if (stamps.length === 0) return [];
  const { changes } = await readChanges(session, { stamps }, readSentences);
  return firstOf(await describeChanges(session, changes.toReversed()));
}

/** Enough for a person to recognise the call. */
const shownSentences = 20;

/** The first sentences and the number of the others; `total` if not all were read. */
export function firstOf(all: readonly string[], total = all.length): string[] {
  const sentences = all.filter((sentence) => sentence !== '');
  const left = Math.max(total - all.length, 0) + sentences.length - shownSentences;
  return left > 0 ? [...sentences.slice(0, shownSentences), `… and ${left} more.`] : sentences;
}

/** One change as a sentence, such as «Changed the date of “Milk” from 3 Dec to 5 Dec». */
function describeChange(change: ActivityChange, wording: Wording): string {
  const { entity, title, change: kind } = change;
  const name = `${entity === 'task' ? '' : `the ${entity} `}“${inOneLine(title)}”`;
  // Of tasks an undo removes, or brings back, logged dates of repeats alone.
  if (wording.isUndo && entity === 'task' && kind !== 'updated')
    return `${kind === 'created' ? 'Put back into' : 'Took out of'} the logbook: ${name}.`;
  if (kind === 'created') return `${entity === 'task' ? 'Added' : 'Created'} ${name}.`;
  if (kind === 'deleted') return `Deleted ${name}.`;
  const named: Subject = { it: name, of: (thing) => `the ${thing} of ${name}` };
  const known: Subject = { it: 'it', of: (thing) => `its ${thing}` };
  const phrases = phrasesOf(change, wording);
  const said = phrases.map((phrase, index) => phrase(index === 0 ? named : known));
  const sentence = said.length < 2 ? said.join('') : `${said.slice(0, -1).join(', ')} and ${said.at(-1)}`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function phrasesOf({ entity, fields }: ActivityChange, wording: Wording): Phrase[] {
  const byName = new Map(fields.map((field) => [field.field, field]));
  const phrases = fields.flatMap((field) => phraseOf(field, byName, entity, wording) ?? []);
  if (phrases.length > 0) return phrases;
  const isMoved = byName.has('rank') || byName.has('dayRank');
  return [isMoved ? ({ it }) => `moved ${it} within its list` : ({ it }) => `changed ${it}`];
}

const placeFields = ['projectId', 'sectionId', 'list'];

function phraseOf(
  { field, before, after }: FieldChange,
  all: ReadonlyMap<string, FieldChange>,
  entity: AppEntity,
  wording: Wording,
): Phrase | undefined {
  const say = (value: unknown): string => formatValue(String(value), wording.today);
  switch (field) {
    case 'inTrash':
      return ({ it }) => (after === true ? `moved ${it} to the Trash` : `restored ${it} from the Trash`);
    case 'status':
      return ({ it }) => `${after === 'open' || after === 'active' ? 'reopened' : after} ${it}`;
    case 'title':
      return () =>
        `renamed ${entity === 'task' ? '' : `the ${entity} `}${quoted(before)} to ${quoted(after)}`;
    case 'dueDate':
      if (before === null) return ({ it }) => `planned ${it} for ${say(after)}`;
      return valuePhrase('date', before, after, say);
    case 'reminderTime':
      return valuePhrase('reminder', before, after, String);
    case 'recurrence':
      if (after === null) return ({ of }) => `ended ${of('repeat')}`;
      return valuePhrase('repeat', before, after, (rule) => describeRecurrence(rule as RecurrenceRule));
    case 'description':
      return ({ of }) => `changed ${of('notes')}`;
    case 'checklist':
      return ({ of }) => `changed ${of('checklist')}${describeSteps(before, after)}`;
    case 'areaId':
      return ({ it }) => `moved ${it} from ${areaName(before, wording)} to ${areaName(after, wording)}`;
    default:
      if (fieldNouns[field] !== undefined) return valuePhrase(fieldNouns[field], before, after, say);
      return field === placeFields.find((name) => all.has(name)) ? movePhrase(all, wording) : undefined;
  }
}

const namedSteps = 3;

/** Such as « (added “Milk”, ticked “Bread”)»; empty if only their order changed, or they were not stored. */
function describeSteps(before: unknown, after: unknown): string {
  if (!Array.isArray(before) || !Array.isArray(after)) return '';
  const earlier: readonly ChecklistItem[] = before;
  const later: readonly ChecklistItem[] = after;
  const was = new Map(earlier.map((step) => [step.id, step]));
  const is = new Set(later.map(({ id }) => id));
  const phrases = Object.entries({
    added: later.filter(({ id }) => !was.has(id)),
    ticked: later.filter(({ id, completed }) => completed && was.get(id)?.completed === false),
    unticked: later.filter(({ id, completed }) => !completed && was.get(id)?.completed === true),
    renamed: later.filter(({ id, title }) => was.has(id) && was.get(id)?.title !== title),
    removed: earlier.filter(({ id }) => !is.has(id)),
  }).flatMap(([verb, steps]) => (steps.length === 0 ? [] : `${verb} ${nameSteps(steps)}`));
  return phrases.length === 0 ? '' : ` (${phrases.join(', ')})`;
}

function nameSteps(steps: readonly ChecklistItem[]): string {
  const left = steps.length - namedSteps;
  const names = steps.slice(0, namedSteps).map(({ title }) => quoted(title));
  return [...names, ...(left > 0 ? [`and ${left} more`] : [])].join(' ');
}

function valuePhrase(thing: string, before: unknown, after: unknown, say: (it: unknown) => string): Phrase {
  if (after === null) return ({ of }) => `removed ${of(thing)}`;
  if (before === null) return ({ of }) => `set ${of(thing)} to ${say(after)}`;
  return ({ of }) => `changed ${of(thing)} from ${say(before)} to ${say(after)}`;
}

/** Omits a list that follows from the date: without a project a dated task is shown on its day. */
function movePhrase(
  all: ReadonlyMap<string, FieldChange>,
  { names, today, day }: Wording,
): Phrase | undefined {
  const [list, project, section] = ['list', 'projectId', 'sectionId'].map((name) => all.get(name));
  const isRescheduled = all.has('dueDate') || all.has('deadlineDate');
  if (project === undefined && section === undefined && isRescheduled) return undefined;
  const dayBefore = isRescheduled ? (all.get('dueDate')?.before ?? all.get('deadlineDate')?.before) : day;
  const days = { before: dayBefore, after: day };
  const nameOf = (id: unknown): string => titleOf(id, names) ?? 'a deleted place';
  const outsideProjects = (side: 'before' | 'after'): string => {
    const date = days[side];
    if (typeof date === 'string') return `no project (on ${formatValue(date, today)})`;
    return list?.[side] === 'someday' ? 'Someday' : 'the inbox';
  };
  const placeIn = (side: 'before' | 'after'): string => {
    const sectionId = section?.[side] ?? null;
    const projectId = project?.[side] ?? null;
    const inSection = sectionId === null ? '' : nameOf(sectionId);
    if (projectId !== null)
      return inSection === '' ? nameOf(projectId) : `${nameOf(projectId)} / ${inSection}`;
    if (project === undefined && section !== undefined) return inSection || 'the top of its project';
    return outsideProjects(side);
  };
  return ({ it }) => `moved ${it} from ${placeIn('before')} to ${placeIn('after')}`;
}

const areaName = (id: unknown, { names }: Wording): string =>
  id === null ? 'no area' : (titleOf(id, names) ?? 'a deleted area');

function titleOf(id: unknown, names: PlaceNames): string | undefined {
  const title = names.get(id);
  return title === undefined ? undefined : quoted(title);
}

const quoted = (text: unknown): string => `“${inOneLine(String(text))}”`;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A date as «3 Dec», with the year if it is not the current one. */
function formatValue(value: string, today: string): string {
  if (!isCalendarDate(value)) return value;
  const [year, month, day] = value.split('-');
  const shown = `${Number(day)} ${months[Number(month) - 1]}`;
  return today.startsWith(`${year}-`) ? shown : `${shown} ${year}`;
}
