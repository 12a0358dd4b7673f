import { type InferType, object, type Schema } from 'yup';
import type { TaskFields } from '#shared/app/app-protocol.ts';
import {
  calendarDate,
  closedObject,
  enumeration,
  flag,
  listOf,
  reminderTime,
  shownTimestamp,
  text,
  timestamp,
  title,
  uuid,
} from '#shared/validation/fields.ts';
import { longestChecklist, longestNotes, longestTitle } from '#shared/validation/text-limits.ts';
import { pagingParameters } from '../http/page.ts';
import { shownMembers } from '../http/shown-members.ts';
import { effectiveWeekdays } from './recurrence.ts';
import { recurrenceInput, recurrenceMembers, recurrencePatch } from './recurrence-schema.ts';
import { type ListedTask, taskLists, taskStatuses } from './task-entity.ts';
import { taskViews } from './task-views.ts';

const notes = () => text(longestNotes).meta({ description: 'Notes in Markdown, stored exactly as sent.' });

/** Of `TaskFields`: the same in requests, responses, the account's file and the assistant's tools. */
export const taskFields = {
  dueDate: calendarDate().nullable().meta({
    description: 'The day the task is planned for, YYYY-MM-DD.',
    example: '2030-01-15',
  }),
  deadlineDate: calendarDate().nullable().meta({
    description: 'The day the task must be done by, YYYY-MM-DD. Setting it needs Premium.',
    example: '2030-01-22',
  }),
  reminderTime: reminderTime().nullable().meta({
    description: 'Time of day in the account’s timezone, HH:mm; needs a dueDate.',
    example: '09:30',
  }),
} satisfies Record<keyof TaskFields, Schema>;

type Fields = typeof taskFields;
// Object.keys and Object.fromEntries lose the literal names.
export const taskFieldNames = Object.keys(taskFields) as readonly (keyof Fields)[];
function each<Method extends 'defined' | 'nullable' | 'nonNullable'>(method: Method) {
  const fields = taskFieldNames.map((name) => [name, taskFields[name][method]()]);
  return Object.fromEntries(fields) as { [Name in keyof Fields]: ReturnType<Fields[Name][Method]> };
}

/** In requests, where null stands for the value of a new task. */
const clearableFields = each('nullable');
/** In responses. */
const shownFields = each('defined');
/** For the assistant's tools, which say what to clear by name. */
export const plainTaskFields = each('nonNullable');

/** What the assistant's sentences call a field; the day and its reminder have sentences of their own. */
export const fieldNouns: Readonly<Record<string, string>> = {
  deadlineDate: 'deadline',
} satisfies Record<Exclude<keyof TaskFields, 'dueDate' | 'reminderTime'>, string>;

const itemTitle = () =>
  title(longestTitle).meta({ description: 'What is to be done.', example: 'Find the number' });

const checklistInput = listOf(
  closedObject({
    id: text(64).meta({ description: 'Of an item the task already has, to keep its identity.' }),
    title: itemTitle().defined(),
    completed: flag().meta({ description: 'Ticked or not; not given: not ticked.' }),
  })
    .defined()
    .meta({ schemaName: 'ChecklistItemInput' }),
  longestChecklist,
).meta({ description: 'The whole list, in order: it replaces the one before.' });

const pointToMove = (field: string): string =>
  `${field} can't be patched; use the move operation, POST /tasks/{id}/move`;

const pointToTransitions = (field: string): string =>
  `${field} can't be patched; use POST /tasks/{id}/complete, /uncomplete, /cancel or /uncancel`;

const writable = {
  title: title(longestTitle).meta({ description: 'What is to be done.', example: 'Call the dentist' }),
  description: notes().nullable(),
  ...clearableFields,
  recurrence: recurrenceInput.nullable().default(undefined),
  checklist: checklistInput.nullable(),
};

const destination = {
  list: enumeration(taskLists).meta({
    description: 'Not given: the project when one is named, else inbox or someday.',
  }),
  projectId: uuid().meta({ description: 'The project to file the task in.' }),
  sectionId: uuid()
    .nullable()
    .meta({ description: 'A section; by itself it implies its project. null: the project’s root.' }),
};

export const taskCreateBody = closedObject({
  ...writable,
  title: writable.title.defined(),
  ...destination,
}).meta({ schemaName: 'TaskCreate' });

export const taskPatchBody = closedObject(
  { ...writable, recurrence: recurrencePatch.nullable().default(undefined) },
  {
    list: pointToMove('list'),
    projectId: pointToMove('projectId'),
    sectionId: pointToMove('sectionId'),
    status: pointToTransitions('status'),
    completedAt: pointToTransitions('completedAt'),
    cancelledAt: pointToTransitions('cancelledAt'),
    inTrash: "inTrash can't be patched; use DELETE /tasks/{id} or POST /tasks/{id}/restore",
  },
).meta({ schemaName: 'TaskPatch', description: 'A merge patch: omitted members stay, null clears.' });

export type TaskPatch = InferType<typeof taskPatchBody>;

export const taskMoveBody = closedObject(destination)
  .test(
    'destination',
    'Name a destination: list, projectId or sectionId',
    (value) => Object.keys(value).length > 0,
  )
  .meta({ schemaName: 'TaskMove', json: { additionalProperties: false, minProperties: 1 } });

/** A whole one: of examples of single fields some would exclude each other. */
const exampleTask = {
  id: '8b1f7c52-6f0e-4d0b-9a35-2c9de3b4a711',
  title: 'Call the dentist',
  description: 'Ask about Thursday.',
  descriptionHtml: '<p>Ask about Thursday.</p>',
  status: 'open',
  list: 'someday',
  projectId: null,
  sectionId: null,
  ...Object.fromEntries(taskFieldNames.map((name) => [name, taskFields[name].meta()?.example])),
  recurrence: { frequency: 'weekly', interval: 2, weekdays: ['tuesday'], fromCompletion: false },
  checklist: [{ id: 'c0a5b1de-7f43-4f0c-8f0a-0d6a5f1e2b90', title: 'Find the number', completed: false }],
  inTrash: false,
  inLogbook: false,
  completedAt: null,
  cancelledAt: null,
  createdAt: '2029-12-01T08:00:00.000Z',
  updatedAt: '2029-12-01T08:00:00.000Z',
};

export const taskResponse = object({
  id: uuid().defined().meta({ description: 'Stays the same for the life of the task or series.' }),
  title: writable.title.defined(),
  description: notes().nullable().defined(),
  descriptionHtml: text(Number.MAX_SAFE_INTEGER)
    .defined()
    .meta({ description: 'The notes as sanitised HTML, read-only; empty without notes.', json: {} }),
  status: enumeration(taskStatuses)
    .defined()
    .meta({ description: 'Changed by complete, cancel and their opposites.' }),
  list: enumeration(taskLists).defined().meta({ description: 'The list of the task.' }),
  projectId: uuid().nullable().defined().meta({ description: 'The project, of a task in list project.' }),
  sectionId: uuid().nullable().defined().meta({ description: 'The section of that project, if any.' }),
  ...shownFields,
  recurrence: object({
    ...recurrenceMembers,
    interval: recurrenceMembers.interval.defined(),
    weekdays: recurrenceMembers.weekdays.defined(),
    fromCompletion: recurrenceMembers.fromCompletion.defined(),
  })
    .meta({ schemaName: 'Recurrence', description: 'How the task repeats; null when it does not.' })
    .nullable()
    .defined(),
  checklist: listOf(
    object({
      id: text(64).defined().meta({ description: 'Stays the same while the item stays in the list.' }),
      title: itemTitle().defined(),
      completed: flag().defined().meta({ description: 'Whether it is ticked.' }),
    })
      .defined()
      .meta({ schemaName: 'ChecklistItem' }),
    longestChecklist,
  )
    .defined()
    .meta({ description: 'In the order in which it was sent.' }),
  inTrash: flag().defined().meta({ description: 'Directly, or with its project.' }),
  inLogbook: flag().defined().meta({ description: 'Completed or cancelled, and not in the Trash.' }),
  completedAt: shownTimestamp('When the task was completed.').nullable(),
  cancelledAt: shownTimestamp('When the task was cancelled.').nullable(),
  createdAt: shownTimestamp('When the task was created.'),
  updatedAt: shownTimestamp('When the task last changed; never decreases within an account.'),
}).meta({ schemaName: 'Task', example: exampleTask });

const shown = shownMembers(taskResponse);

export function presentTask(task: ListedTask): InferType<typeof taskResponse> {
  const inTrash = task.trashedAt !== null;
  // Into the same object: lists have it run for every row.
  return Object.assign(shown(task), {
    recurrence: presentRecurrence(task),
    inTrash,
    inLogbook: task.status !== 'open' && !inTrash,
  });
}

export function presentRecurrence({
  recurrence,
  recurrenceAnchor,
}: Pick<ListedTask, 'recurrence' | 'recurrenceAnchor'>) {
  if (!recurrence || !recurrenceAnchor) return null;
  const { frequency, interval, fromCompletion, weekOfMonth, until } = recurrence;
  return {
    frequency,
    interval,
    weekdays: [...effectiveWeekdays(recurrence, recurrenceAnchor)],
    fromCompletion,
    ...(weekOfMonth !== undefined && { weekOfMonth }),
    ...(until !== undefined && { until }),
  };
}

const filters = {
  view: enumeration(taskViews).meta({
    description: 'See *Views* for tasks and order. Not given: every task that is not in the Trash.',
  }),
  areaId: uuid().meta({ description: 'Only tasks of projects in this area.' }),
  status: enumeration(taskStatuses).meta({ description: 'Only tasks of this status.' }),
  updatedSince: timestamp(': Z, or a + that is written %2B in a query').meta({
    description:
      'Only tasks changed at or after this instant, ordered by `updatedAt`. ' +
      'RFC 3339 with an offset: `Z`, or a `+` written as `%2B`.',
    example: '2026-11-21T08:00:00.000Z',
  }),
  ...pagingParameters,
};

export const projectTaskListQuery = object(filters);

export const taskListQuery = object({
  projectId: uuid().meta({ description: 'Only tasks of this project; combines with `view`.' }),
  ...filters,
});
