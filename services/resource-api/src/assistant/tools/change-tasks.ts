import type { InferType } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, enumeration, flag, listOf, text } from '#shared/validation/fields.ts';
import { longestChecklist } from '#shared/validation/text-limits.ts';
import { seriesDatesOf } from '../../tasks/recurrence.ts';
import { type Task, viewDate } from '../../tasks/task-entity.ts';
import { findTask } from '../../tasks/task-repository.ts';
import { plainTaskFields } from '../../tasks/task-schema.ts';
import { batchOf, batchOutput, runBatch } from '../batch.ts';
import {
  hintOnDay,
  hintOnDeadline,
  hintOnLastDay,
  hintOnLeftOut,
  hintOnNewStart,
  hintOnReminder,
} from '../day-words.ts';
import { keepGivenOrder } from '../given-order.ts';
import { resolvePlace } from '../names.ts';
import { defineTool } from '../tool.ts';
import { changedRepeat } from './repeat-fields.ts';
import {
  clearedFields,
  elsewhere,
  givenNames,
  notes,
  place,
  taskId,
  taskTitle,
  wholeEntry,
} from './tool-fields.ts';

const { dueDate, reminderTime, ...unscheduled } = plainTaskFields;

/** Members of a rule that can be cleared. */
const clearedInRepeat = ['until', 'weekOfMonth'];
const clearedByChange = ['notes', ...Object.keys(unscheduled), 'repeat', ...clearedInRepeat, 'checklist'];

const change = closedObject(
  {
    id: taskId(),
    title: taskTitle(),
    notes: notes().meta({ description: 'Markdown instead of the notes before, which get_task shows.' }),
    appendNotes: notes().meta({ description: 'Markdown on a new line below the notes there are.' }),
    ...unscheduled,
    repeat: changedRepeat(),
    dueDate: dueDate.meta({ description: 'Only together with repeat: the day the series starts at.' }),
    checklist: listOf(
      closedObject({
        id: text(64).meta({ description: 'Of a step to keep.' }),
        title: taskTitle().defined(),
        completed: flag().meta({ description: 'Ticked.' }),
      }).defined(),
      longestChecklist,
    )
      .optional()
      .meta({ description: 'The whole new checklist; for single steps edit_checklists.' }),
    clear: listOf(enumeration(clearedByChange).defined(), clearedByChange.length)
      .optional()
      .meta({ description: 'What to empty.' }),
  },
  elsewhere,
).label(wholeEntry);

export const changeTasks = defineTool({
  name: 'change_tasks',
  title: 'Change tasks',
  description:
    'Changes what is given and leaves the rest: texts, how a task repeats, and its deadline ' +
    '(of a repeating task only this date’s, unless repeat goes with it). ' +
    'Another day or reminder: reschedule_tasks. Another list: move_tasks.',
  scope: 'write',
  // Earlier notes and checklists are replaced; steps without ids get new ones at each call.
  hints: { isDestructive: true },
  input: closedObject({ changes: batchOf(change, 'The changes.') }),
  output: batchOutput,
  run: (call, { changes }) =>
    runBatch(call, {
      entries: changes,
      schema: change,
      verb: 'changed',
      toStep: async ({ id, appendNotes, ...wanted }) => {
        const { repeat, dueDate: start, deadlineDate, clear } = wanted;
        const isOfDeadline = deadlineDate !== undefined || clear?.includes('deadlineDate');
        const isOnTop = appendNotes !== undefined || (repeat && start === undefined) || isOfDeadline;
        const before = isOnTop ? await findTask(call.session, id) : undefined;
        const body = patchOf({ ...wanted, ...addedNotes(wanted.notes, before, appendNotes) });
        const ofVersion = appendNotes !== undefined && before !== undefined;
        return {
          ...(ofVersion
            ? { operationId: 'updateTaskVersion', body: { updatedAt: before.updatedAt, patch: body } }
            : { operationId: 'updateTask', body }),
          params: { id },
          verbFor: (_task, row) => {
            const ofStart = start === undefined ? hintOnNewStart(before, row) : undefined;
            const hint = repeat
              ? (hintOnDay(row) ?? ofStart ?? hintOnLastDay(row))
              : isOfDeadline && hintOnDeadline(before, row);
            return hint ? `changed, ${hint}` : undefined;
          },
        };
      },
    }),
});

/** Bound to the version that was read, so that a concurrent change of the notes is not lost. */
function addedNotes(notes: string | undefined, before: Task | undefined, added: string | undefined) {
  if (added === undefined) return {};
  if (notes !== undefined)
    throw invalidField('appendNotes', 'notes replaces, appendNotes adds: give one of the two.');
  return { notes: before?.description ? `${before.description.trimEnd()}\n${added}` : added };
}

function patchOf({
  notes: description,
  repeat: recurrence,
  clear,
  ...rest
}: Omit<InferType<typeof change>, 'id'>) {
  if (rest.dueDate !== undefined && recurrence === undefined)
    throw invalidField('dueDate', 'dueDate goes with repeat here; to plan another day use reschedule_tasks.');
  const ofRule = clear?.filter((name) => clearedInRepeat.includes(name)) ?? [];
  const ofTask = clear?.filter((name) => !clearedInRepeat.includes(name));
  const rule = { ...recurrence, ...clearedFields(ofRule, recurrence ?? {}, {}) };
  const given = {
    ...rest,
    description,
    recurrence: recurrence === undefined && ofRule.length === 0 ? undefined : rule,
  };
  const patch = { ...given, ...clearedFields(ofTask, given, { notes: 'description', repeat: 'recurrence' }) };
  if (givenNames(patch).length === 0) throw invalidField('id', 'Give what is to change, beside the id.');
  return patch;
}

const clearedBySchedule = ['dueDate', 'reminderTime'] as const;

const schedule = closedObject(
  {
    id: taskId(),
    dueDate,
    reminderTime: reminderTime.meta({ description: 'HH:mm in the account’s timezone, on that day.' }),
    clear: listOf(enumeration(clearedBySchedule).defined(), clearedBySchedule.length)
      .optional()
      .meta({ description: 'What to empty; dueDate takes the reminder with it.' }),
  },
  elsewhere,
).label(wholeEntry);

export const rescheduleTasks = defineTool({
  name: 'reschedule_tasks',
  title: 'Plan tasks for another day',
  description:
    'Moves tasks to another day or reminder, or off any day (outside of projects: to Someday). ' +
    'Of a repeating task only this occurrence moves (a reminder stays for all); ' +
    'to leave it out: skip_occurrence, to change the series: change_tasks.',
  scope: 'write',
  hints: { isIdempotent: true },
  input: closedObject({ tasks: batchOf(schedule, 'Tasks with their new day.') }),
  output: batchOutput,
  run: (call, { tasks }) =>
    runBatch(call, {
      entries: tasks,
      schema: schedule,
      verb: 'rescheduled',
      toStep: async ({ id, clear, ...rest }) => {
        const body = { ...rest, ...clearedFields(clear, rest, {}) };
        if (givenNames(body).length === 0)
          throw invalidField('dueDate', 'Give a dueDate or a reminderTime, or clear one.');
        const isCleared = clear?.includes('dueDate');
        const before = await findTask(call.session, id);
        const isFirst = rest.dueDate !== undefined && isWithoutDay(before);
        return {
          operationId: 'updateTask',
          params: { id },
          // With the rule the date is the first of its series; alone it would be an exception of that.
          body: { ...body, ...(isFirst && { recurrence: {} }) },
          verbFor: ({ list }, row) => {
            const ofReminder = hintOnReminder(before, row);
            if (isCleared && viewDate(row) === null) {
              const place = list === 'someday' ? 'in Someday now' : undefined;
              return ['off its day', place, ofReminder, hintOnDay(row)].filter(Boolean).join(', ');
            }
            const ofFirst = isFirst ? (hintOnDay(row) ?? 'the first day of its repeat') : undefined;
            const ofDay = ofFirst ?? (rest.dueDate && hintOnLeftOut(row));
            return ['rescheduled', ofDay, ofReminder].filter(Boolean).join(', ');
          },
        };
      },
    }),
});

/** Whether it repeats by a rule that was set without a date. */
function isWithoutDay(task: Task | undefined): boolean {
  return Boolean(task?.recurrence) && task !== undefined && viewDate(seriesDatesOf(task)) === null;
}

const move = closedObject({ id: taskId(), ...place }, elsewhere).label(wholeEntry);

export const moveTasks = defineTool({
  name: 'move_tasks',
  title: 'Move tasks',
  description:
    'Moves tasks to another list, project or section, on top in the order given. ' +
    'Dates stay; a task with a date is never in the inbox, it shows on its day.',
  scope: 'write',
  hints: { isIdempotent: true },
  input: closedObject({ moves: batchOf(move, 'Tasks and where they go.') }),
  output: batchOutput,
  run: (call, { moves }) => {
    const wrap = keepGivenOrder();
    return runBatch(call, {
      entries: moves,
      schema: move,
      verb: 'moved',
      toStep: async ({ id, ...destination }) => {
        if (givenNames(destination).length === 0)
          throw invalidField('list', 'Name where the task goes: list, project or section.');
        return {
          operationId: 'moveTask',
          params: { id },
          body: await resolvePlace(call, destination),
          wrap,
          verbFor: ({ list, project, dueDate: day, deadlineDate }) => {
            const { list: wanted } = destination;
            if (wanted === undefined || list !== undefined || project !== undefined) return undefined;
            const tools = [day && 'reschedule_tasks', deadlineDate && 'change_tasks']
              .filter(Boolean)
              .join(', ');
            const how = wanted === 'someday' ? `; without its dates it is there (${tools})` : '';
            return `in no project, but not in ${wanted} either: a task with a date shows on its day${how}`;
          },
        };
      },
    });
  },
});
