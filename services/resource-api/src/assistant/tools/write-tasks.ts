import type { InferType } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, enumeration, flag, listOf, text, uuid } from '#shared/validation/fields.ts';
import { recurrenceChange, recurrenceInput } from '../../tasks/recurrence-schema.ts';
import { plainTaskFields } from '../../tasks/task-schema.ts';
import { batchOf, batchOutput, runBatch } from '../batch.ts';
import { withoutAbsent } from '../brief-task.ts';
import { type Place, type PlaceInput, resolvePlace } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { clearedFields, notes, projectName, sectionName, taskTitle } from './tool-fields.ts';

/** The name in errors of an entry that is no object. */
const wholeEntry = 'The entry';

const schedule = {
  ...plainTaskFields,
  repeat: recurrenceInput.optional().default(undefined),
};

const place = {
  list: enumeration(['inbox', 'someday']).meta({ description: 'A list outside of projects.' }),
  project: projectName(),
  section: sectionName(),
};

const newTask = closedObject({
  title: taskTitle().defined(),
  notes: notes(),
  ...place,
  ...schedule,
  checklist: listOf(taskTitle().defined(), 200)
    .optional()
    .meta({ description: 'Titles of its steps, in order.' }),
}).label(wholeEntry);

export const addTasks = defineTool({
  name: 'add_tasks',
  title: 'Add tasks',
  description:
    'Creates tasks. A project (and section) by name or id files one there; else a date puts it in Someday, from where it shows in Today on its day; else it lands in the inbox.',
  scope: 'write',
  hints: {},
  input: closedObject({ tasks: batchOf(newTask, 'The tasks to create, at most 2 MiB together.') }),
  output: batchOutput,
  run: (call, { tasks }) =>
    runBatch(call, {
      entries: tasks,
      schema: newTask,
      verb: 'added',
      toStep: async ({
        notes: description,
        repeat: recurrence,
        list,
        project,
        section,
        checklist,
        ...rest
      }) => ({
        operationId: 'createTask',
        body: withoutAbsent({
          ...rest,
          description,
          recurrence,
          checklist: checklist?.map((step) => ({ title: step })),
          ...(await resolvePlace(call, { list, project, section })),
        }),
      }),
    }),
});

const clearable = ['notes', ...Object.keys(plainTaskFields), 'repeat', 'checklist'];

const change = closedObject({
  id: uuid().defined().meta({ description: 'The task to change.' }),
  title: taskTitle(),
  notes: notes(),
  ...schedule,
  repeat: recurrenceChange.optional().default(undefined),
  checklist: listOf(
    closedObject({
      id: text(64).meta({ description: 'Of a step it has already, to keep it.' }),
      title: taskTitle().defined(),
      completed: flag().meta({ description: 'Ticked or not; not given: not ticked.' }),
    }).defined(),
    200,
  )
    .optional()
    .meta({ description: 'The whole new checklist: it replaces the one before.' }),
  clear: listOf(enumeration(clearable).defined(), clearable.length)
    .optional()
    .meta({ description: 'What to empty. Clearing dueDate clears reminderTime too.' }),
}).label(wholeEntry);

export const changeTasks = defineTool({
  name: 'change_tasks',
  title: 'Change tasks',
  description:
    'Changes what is given and leaves the rest: title, notes, dates, reminder, repeat, checklist. Empty a field by naming it in clear. To move to another list or project use move_tasks; to close use set_task_status.',
  scope: 'write',
  // Earlier notes and checklists are lost; steps without ids get new ones at each call.
  hints: { isDestructive: true },
  input: closedObject({ changes: batchOf(change, 'The changes, at most 2 MiB together.') }),
  output: batchOutput,
  run: (call, { changes }) =>
    runBatch(call, {
      entries: changes,
      schema: change,
      verb: 'changed',
      toStep: async ({ id, ...wanted }) => ({
        operationId: 'updateTask',
        taskId: id,
        params: { id },
        body: patchOf(wanted),
      }),
    }),
});

function patchOf({
  notes: description,
  repeat: recurrence,
  clear,
  ...rest
}: Omit<InferType<typeof change>, 'id'>) {
  const given = withoutAbsent({ ...rest, description, recurrence });
  return { ...given, ...clearedFields(clear, given, { notes: 'description', repeat: 'recurrence' }) };
}

const move = closedObject({
  id: uuid().defined().meta({ description: 'The task to move.' }),
  ...place,
}).label(wholeEntry);

export const moveTasks = defineTool({
  name: 'move_tasks',
  title: 'Move tasks',
  description:
    'Moves tasks to the top of another list, project or section. Dates stay; a dated task that is moved to the inbox lands in Someday. To plan another day use change_tasks with dueDate.',
  scope: 'write',
  hints: { isIdempotent: true },
  input: closedObject({ moves: batchOf(move, 'The moves.') }),
  output: batchOutput,
  run: (call, { moves }) =>
    runBatch(call, {
      entries: moves,
      schema: move,
      verb: 'moved',
      toStep: async ({ id, ...destination }) => ({
        operationId: 'moveTask',
        taskId: id,
        params: { id },
        body: await resolveDestination(call, destination),
      }),
    }),
});

function resolveDestination(call: ToolCall, destination: PlaceInput): Promise<Place> {
  if (Object.keys(destination).length > 0) return resolvePlace(call, destination);
  throw invalidField('list', 'Name where the task goes: list, project or section.');
}
