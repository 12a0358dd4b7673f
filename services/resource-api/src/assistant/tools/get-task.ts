import { string } from 'yup';
import { closedObject, flag, listOf, uuid } from '#shared/validation/fields.ts';
import { presentTask } from '../../tasks/task-schema.ts';
import { getTask } from '../../tasks/task-service.ts';
import {
  briefTask,
  describeLine,
  describeTasks,
  timeFacts,
  timeFactsOf,
  withoutAbsent,
} from '../brief-task.ts';
import { describeNotes, describeToday } from '../format-page.ts';
import { inOneLine } from '../names.ts';
import { noteOnReminders } from '../reminder-note.ts';
import { defineTool } from '../tool.ts';

export const getOneTask = defineTool({
  name: 'get_task',
  title: 'Read one task',
  description: 'Everything about one task: notes and checklist too. Finds tasks in the Trash.',
  scope: 'read',
  hints: { isIdempotent: true },
  input: closedObject({ id: uuid().defined().meta({ description: 'The task’s id, from find_tasks.' }) }),
  output: closedObject({
    task: briefTask.defined().meta({ description: 'The task.' }),
    notes: string().meta({ description: 'Its notes in Markdown.' }),
    checklist: listOf(
      closedObject({
        id: string().defined().meta({ description: 'Send it back to keep the item.' }),
        title: string().defined().meta({ description: 'What is to be done.' }),
        completed: flag().defined().meta({ description: 'Ticked or not.' }),
      }).defined(),
      200,
    )
      .optional()
      .meta({ description: 'In order. change_tasks replaces the whole list.' }),
    createdAt: string().defined().meta({ description: 'When it was created, UTC.' }),
    updatedAt: string().defined().meta({ description: 'When it last changed, UTC.' }),
    ...timeFacts,
  }),
  async run(call, { id }) {
    const { session } = call;
    const found = await getTask(session, id.toLowerCase());
    const [task] = await describeTasks(session, [found]);
    if (task === undefined) throw new Error('a task that was found has no description');
    const { description, checklist, createdAt, updatedAt } = presentTask(found);
    const steps = checklist.map(
      ({ id: stepId, title, completed }) => `  [${completed ? 'x' : ' '}] ${inOneLine(title)} [${stepId}]`,
    );
    const lines = [
      describeToday(session),
      describeLine(task),
      ...steps,
      `Created ${createdAt}, last changed ${updatedAt}.`,
      ...[(await noteOnReminders(call, found.status === 'open' ? [found] : [])) ?? []].flat(),
      ...describeNotes(description),
    ];
    return {
      text: lines.join('\n'),
      content: withoutAbsent({
        task,
        notes: description ?? undefined,
        checklist: checklist.length === 0 ? undefined : checklist,
        createdAt,
        updatedAt,
        ...timeFactsOf(session),
      }),
    };
  },
});
