import { type AnySchema, type InferType, string } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { isCalendarDate, parseInstant, startOfDay } from '#shared/time/calendar-date.ts';
import {
  closedObject,
  enumeration,
  listOf,
  text,
  timestampMessage,
  title,
  uuid,
} from '#shared/validation/fields.ts';
import { longestNotes, longestTitle } from '#shared/validation/text-limits.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { findChangedRecords, findStampsOfCall } from '../../history/change-repository.ts';
import type { Session } from '../../session.ts';
import { fieldNouns } from '../../tasks/task-schema.ts';
import { isSameName } from '../../text-search.ts';
import { maximumItems } from '../batch.ts';
import { describeStamps } from '../describe-change.ts';
import { describeEffect } from '../describe-effect.ts';
import { describeFailure } from '../failure.ts';
import type { Named } from '../list-names.ts';
import { inOneLine } from '../names.ts';
import { findPlaceNames } from '../place-names.ts';
import type { ToolCall } from '../tool.ts';

export const projectName = () =>
  title(longestTitle).meta({ description: 'A project’s name, or enough of it, or id.' });
export const areaName = () => title(longestTitle).meta({ description: 'An area’s name or id.' });
export const sectionName = () => title(longestTitle).meta({ description: 'A section’s name or id.' });
export const taskId = () => uuid().defined().meta({ description: 'The task.' });

/** Names an entry that is not an object in errors. */
export const wholeEntry = 'The entry';

const tools = {
  change_tasks: ['title', 'notes', ...Object.keys(fieldNouns), 'repeat'],
  reschedule_tasks: ['dueDate', 'reminderTime'],
  move_tasks: ['list', 'project', 'section'],
  edit_checklists: ['checklist'],
  set_task_status: ['status', 'completed'],
};

/** Hints for task fields that an entry does not accept. */
export const elsewhere = Object.fromEntries([
  ...['tags', 'labels', 'priority'].map((field) => [
    field,
    `A task has no ${field} here: tell the person, or put it into the title`,
  ]),
  ...Object.entries(tools).flatMap(([tool, fields]) =>
    fields.map((field) => [field, `${field} is not changed here: use ${tool}`]),
  ),
]) as Record<string, string>;

export const place = {
  list: enumeration(['inbox', 'someday']).meta({ description: 'A list outside of projects.' }),
  project: projectName(),
  section: sectionName(),
};

export const newTitle = () => title(longestTitle).meta({ description: 'The name, new or changed.' });
export const taskTitle = () => title(longestTitle).meta({ description: 'What is to be done, kept as sent.' });
/** A step in a list, which has the description. */
export const stepTitle = () => title(longestTitle);
export const notes = () => text(longestNotes).meta({ description: 'Markdown, kept as sent.' });
export const cursorOfPage = () =>
  text(1_024).meta({ description: 'nextCursor of the answer before, with the same input.' });

export const since = (description: string) =>
  string()
    .test('since', timestampMessage('a day YYYY-MM-DD or an RFC 3339 date-time with an offset'), (value) => {
      return value == null || isCalendarDate(value) || parseInstant(value) !== undefined;
    })
    .meta({ description: `${description} A day YYYY-MM-DD, or RFC 3339 with an offset.`, json: {} });

/** The timestamp of a `since` field: a date starts at midnight in the account's timezone. */
export function startOf({ account }: Session, value: string): Date | undefined {
  return isCalendarDate(value) ? startOfDay(value, account.timezone) : parseInstant(value);
}

/**
 * Members of a merge patch that clear the fields named in `clear`; `apiNames` has the API's names where they
 * differ. Throws validation_error for a field that `given` sets.
 */
export function clearedFields(
  clear: readonly string[] | undefined,
  given: object,
  apiNames: Readonly<Record<string, string>>,
): Record<string, null> {
  const fields = (clear ?? []).map((name) => ({ name, field: apiNames[name] ?? name }));
  const both = fields.find(({ field }) => givenNames(given).includes(field));
  if (both)
    throw invalidField('clear', `${both.name} is given a value and named in clear: do one of the two.`);
  return Object.fromEntries(fields.map(({ field }) => [field, null]));
}

/** The full title of an item to be deleted, which may have been named in part. */
export async function titleOf({ session }: ToolCall, id: string): Promise<string> {
  return (await findPlaceNames(session, [id])).get(id) ?? '';
}

/** A project, section or area as it was saved. */
export type Saved = { id: string; title: string };

type SavedFacts = {
  /** Describes the differences to the previous state. */
  isChange?: boolean;
  /** Replaces the line with name and id. */
  line?(session: Session): Promise<string>;
  /** What happened to that number of tasks along with it, such as «were cancelled». */
  tasks?(count: number): string;
  /** The same for the projects of an area. */
  projects?(count: number): string;
  /** All items of the kind, if one was created. */
  namesakes?(session: Session): Promise<Named[]>;
};

/** Describes what a call did to one item. Without the scope `read` only the id is returned. */
export async function formatSaved(call: ToolCall, saved: Saved, verb: string, facts: SavedFacts = {}) {
  const { id, title } = saved;
  const name = call.canRead ? `«${inOneLine(title)}» (${id})` : id;
  const describe = () => describeSaved(call, saved, verb, { name, ...facts });
  const text = await describeEffect(call, describe, `${verb} ${name}.`);
  return { text, content: call.canRead ? { id, title } : { id } };
}

async function describeSaved(
  { session, principal, canRead, described }: ToolCall,
  { id, title }: Saved,
  verb: string,
  { name, isChange = false, line, tasks, projects, namesakes }: SavedFacts & { name: string },
): Promise<string> {
  const all = await findStampsOfCall(session, principal.callId);
  const stamps = all.filter((stamp) => !described.has(stamp));
  for (const stamp of stamps) described.add(stamp);
  const changed = (await Promise.all(stamps.map((stamp) => findChangedRecords(session, stamp)))).flat();
  const said = changed.length === 0 ? 'Nothing changed, it is so already:' : verb;
  if (!canRead) return `${said} ${name}.`;
  const became = Object.entries({ task: tasks, project: projects }).flatMap(([kind, say]) => {
    const count = changed.filter(({ entity }) => entity === kind).length;
    return say && count > 0 ? [`${count} ${kind}${count === 1 ? '' : 's'} ${say(count)}.`] : [];
  });
  const named = (await namesakes?.(session)) ?? [];
  const isTaken = named.some((other) => other.id !== id && isSameName(other.title, title));
  const sentences = [
    `${said} ${(await line?.(session)) ?? name}.`,
    ...(isChange ? await describeStamps(session, stamps) : []),
    ...became,
    ...(isTaken ? ['Another one has that name: use ids.'] : []),
  ];
  return sentences.join(' ');
}

const savedEntry = closedObject({ id: uuid(), title: string(), error: string() });
type Described = { text: string; content: InferType<typeof savedEntry> };

export const savedEntries = () => listOf(savedEntry.defined(), maximumItems).defined();

/** Runs the entries one after another; a failed one does not stop the others. */
export async function runOnEach<Entry>(
  call: ToolCall,
  entries: readonly Entry[],
  nameOf: (entry: Entry, index: number) => string,
  run: (entry: Entry) => Promise<Described>,
  schema?: AnySchema,
) {
  const described: Described[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      described.push(await run(entry));
    } catch (error) {
      const failed = `${nameOf(entry, index)}: ${describeFailure(call, error, schema).message}`;
      described.push({ text: `✗ ${failed}`, content: { error: failed } });
    }
  }
  return {
    text: described.map(({ text }) => text).join('\n'),
    results: described.map(({ content }) => content),
    isFailure: described.every(({ content }) => content.error !== undefined),
  };
}

/** Validates each entry, then saves it, as `runOnEach` does. */
export function saveEach<Entry extends AnySchema>(
  call: ToolCall,
  schema: Entry,
  entries: readonly unknown[],
  save: (entry: InferType<Entry>) => Promise<Described>,
) {
  const run = (entry: unknown) => save(validateInput(schema, entry, 'entry'));
  return runOnEach(call, entries, (_entry, index) => `entry ${index}`, run, schema);
}

export function givenNames(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** Throws validation_error if an entry deletes or moves something and changes it, too. */
export function requireAlone(field: string, changes: object): void {
  const names = givenNames(changes).join(' and ');
  if (names !== '') throw invalidField(field, `${field} stands alone: leave out ${names}.`);
}

/** Throws validation_error for changes in an entry that names nothing to change, and so creates it. */
export function requireExisting(kind: string, changes: object): void {
  const [name] = givenNames(changes);
  if (name !== undefined)
    throw invalidField(kind, `Name the ${kind} that ${name} is for; a new one goes last.`);
}
