import { closedObject, listOf } from '#shared/validation/fields.ts';
import { plainTaskFields } from '../../tasks/task-schema.ts';
import { batchOf, batchOutput, runBatch } from '../batch.ts';
import { withoutAbsent } from '../brief-task.ts';
import { hintOnDay } from '../day-words.ts';
import { keepGivenOrder } from '../given-order.ts';
import { resolvePlace } from '../names.ts';
import { defineTool } from '../tool.ts';
import { newRepeat } from './repeat-fields.ts';
import { notes, place, stepTitle, taskTitle, wholeEntry } from './tool-fields.ts';

const newTask = closedObject({
  title: taskTitle().defined(),
  notes: notes(),
  ...place,
  ...plainTaskFields,
  repeat: newRepeat(),
  checklist: listOf(stepTitle().defined(), 200)
    .optional()
    .meta({ description: 'Titles of its steps, in order.' }),
}).label(wholeEntry);

export const addTasks = defineTool({
  name: 'add_tasks',
  title: 'Add tasks',
  description:
    'Creates tasks, on top of their list in the order given. A project (and section) files one there; else a task with a date shows on its day; else it lands in the inbox.',
  scope: 'write',
  hints: {},
  input: closedObject({ tasks: batchOf(newTask, 'The tasks to create.') }),
  output: batchOutput,
  run: (call, { tasks }) => {
    const further = keepGivenOrder();
    return runBatch(call, {
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
        further,
        verbFor: ({ dueDate, repeats, list: filedIn, project: filedUnder }, row) => {
          const hint = hintOnDay(row);
          if (hint !== undefined) return `added, ${hint}`;
          if (repeats !== undefined && dueDate === undefined)
            return 'added, but no day shows it before it has a dueDate (reschedule_tasks)';
          const isElsewhere = list !== undefined && filedIn === undefined && filedUnder === undefined;
          return isElsewhere ? `added, not to ${list}: a task with a date shows on its day` : undefined;
        },
      }),
    });
  },
});
