import { string } from 'yup';
import { closedObject, flag, listOf, uuid } from '#shared/validation/fields.ts';
import { longestChecklist } from '#shared/validation/text-limits.ts';
import { findActorOf } from '../../history/actor-repository.ts';
import { presentTask } from '../../tasks/task-schema.ts';
import { getTask } from '../../tasks/task-service.ts';
import { nameToCaller } from '../actors.ts';
import { briefTask, describeLine, describeTasks, localTime, timeFacts, timeFactsOf } from '../brief-task.ts';
import { describeNotes, describeToday } from '../format-page.ts';
import { inOneLine } from '../names.ts';
import { hintOnReminders } from '../reminder-hint.ts';
import { defineTool } from '../tool.ts';

export const getOneTask = defineTool({
  name: 'get_task',
  title: 'Read one task',
  description: 'All of one task, notes and checklist too; also of one in the Trash.',
  scope: 'read',
  input: closedObject({ id: uuid().defined().meta({ description: 'From find_tasks.' }) }),
  output: closedObject({
    task: briefTask.defined(),
    notes: string(),
    checklist: listOf(
      closedObject({
        id: string().defined(),
        title: string().defined(),
        completed: flag().defined(),
      }).defined(),
      longestChecklist,
    ).optional(),
    createdAt: string().defined(),
    updatedAt: string().defined(),
    changedBy: string(),
    ...timeFacts,
  }),
  async run(call, { id }) {
    const { session } = call;
    const found = await getTask(session, id.toLowerCase());
    const [task] = await describeTasks(session, [found]);
    if (task === undefined) throw new Error('a task that was found has no description');
    const { description, checklist, createdAt, updatedAt } = presentTask(found);
    const actor = await findActorOf(session, found);
    const changedBy = actor && nameToCaller(call, actor);
    const steps = checklist.map(
      ({ id: stepId, title, completed }) => `  [${completed ? 'x' : ' '}] ${inOneLine(title)} [${stepId}]`,
    );
    const by = changedBy ? ` by ${changedBy}` : '';
    const lines = [
      describeToday(session),
      describeLine(session, task),
      ...steps,
      `Created ${localTime(session, createdAt)}, last changed ${localTime(session, updatedAt)}${by}.`,
      ...(await hintOnReminders(call, [task])),
      ...describeNotes(description),
    ];
    return {
      text: lines.join('\n'),
      content: {
        task,
        notes: description ?? undefined,
        checklist: checklist.length === 0 ? undefined : checklist,
        createdAt,
        updatedAt,
        changedBy,
        ...timeFactsOf(session),
      },
    };
  },
});
