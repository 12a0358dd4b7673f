import { closedObject, listOf } from '#shared/validation/fields.ts';
import { longestChecklist } from '#shared/validation/text-limits.ts';
import { plainTaskFields } from '../../tasks/task-schema.ts';
import { batchOf, batchOutput, runBatch } from '../batch.ts';
import { type BriefTask, localTime } from '../brief-task.ts';
import { hintOnDay, hintOnLastDay } from '../day-words.ts';
import { describeEffect } from '../describe-effect.ts';
import { keepGivenOrder } from '../given-order.ts';
import { inOneLine, resolvePlace } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { newRepeat } from './repeat-fields.ts';
import { elsewhere, notes, place, stepTitle, taskTitle, wholeEntry } from './tool-fields.ts';

const newTask = closedObject(
  {
    title: taskTitle().defined(),
    notes: notes(),
    ...place,
    ...plainTaskFields,
    repeat: newRepeat(),
    checklist: listOf(stepTitle().defined(), longestChecklist)
      .optional()
      .meta({ description: 'Titles of its steps, in order.' }),
  },
  elsewhere,
).label(wholeEntry);

export const addTasks = defineTool({
  name: 'add_tasks',
  title: 'Add tasks',
  description:
    'Creates tasks, on top of their list in the order given. ' +
    'A project (and section) files one there; ' +
    'else a task with a date shows on its day; else it lands in the inbox.',
  scope: 'write',
  input: closedObject({ tasks: batchOf(newTask, 'The tasks to create.') }),
  output: batchOutput,
  run: async (call, { tasks }) => {
    const wrap = keepGivenOrder();
    const added = await runBatch(call, {
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
        body: {
          ...rest,
          description,
          recurrence,
          checklist: checklist?.map((step) => ({ title: step })),
          ...(await resolvePlace(call, { list, project, section })),
        },
        wrap,
        verbFor: ({ list: filedIn, project: filedUnder }, row) => {
          const hint = hintOnDay(row) ?? hintOnLastDay(row);
          if (hint !== undefined) return `added, ${hint}`;
          const isElsewhere = list !== undefined && filedIn === undefined && filedUnder === undefined;
          return isElsewhere ? `added, not to ${list}: a task with a date shows on its day` : undefined;
        },
      }),
    });
    const twins = await describeEffect(call, () => describeTwins(call, added.content.results), []);
    return { ...added, text: [added.text, ...twins].join('\n') };
  },
});

/** Lists open tasks with the same title: a call repeated after a lost response adds everything again. */
async function describeTwins(
  { session, canRead }: ToolCall,
  results: readonly { task?: BriefTask | undefined }[],
): Promise<string[]> {
  const added = results.flatMap(({ task }) => task ?? []);
  if (!canRead || added.length === 0) return [];
  const { rows } = await session.db.query<{ id: string; title: string; createdAt: string }>({
    text: `select distinct on (title) id, title, created_at as "createdAt" from tasks.task
      where account_id = $1 and status = 'open' and trashed_at is null
        and title = any($2) and id <> all($3::uuid[])
      order by title, created_at desc`,
    values: [session.account.id, added.map(({ title }) => title), added.map(({ id }) => id)],
  });
  const twins = rows.map(
    ({ id, title, createdAt }) => `${inOneLine(title)} (added ${localTime(session, createdAt)}) [${id}]`,
  );
  return twins.length === 0 ? [] : [`Open with the same title already: ${twins.join('; ')}.`];
}
