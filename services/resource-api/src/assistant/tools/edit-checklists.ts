import { randomUUID } from 'node:crypto';
import type { InferType } from 'yup';
import { invalidField } from '#shared/errors/errors.ts';
import { closedObject, isUuid, listOf } from '#shared/validation/fields.ts';
import { longestChecklist } from '#shared/validation/text-limits.ts';
import type { WriteWrapper } from '../../http/route.ts';
import { updateRow } from '../../session.ts';
import type { ChecklistItem } from '../../tasks/checklist.ts';
import { getTask } from '../../tasks/task-service.ts';
import { batchOf, batchOutput, runBatch } from '../batch.ts';
import type { Named } from '../list-names.ts';
import { findSame, matchName, nameNotFound, wholeNameNeeded } from '../match-names.ts';
import { inOneLine } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { elsewhere, stepTitle, taskId, wholeEntry } from './tool-fields.ts';

const steps = (description: string) =>
  listOf(stepTitle().defined(), longestChecklist).optional().meta({ description });

const edit = closedObject(
  {
    id: taskId(),
    add: steps('Titles of new steps, at the end in this order.'),
    tick: steps('Steps that are done, by title or id.'),
    untick: steps('Steps that are not done after all.'),
    remove: steps('Steps to remove.'),
  },
  elsewhere,
).label(wholeEntry);

type Edit = InferType<typeof edit>;

export const editChecklists = defineTool({
  name: 'edit_checklists',
  title: 'Add, tick and remove steps of checklists',
  description:
    'Changes single steps of checklists; the others stay. ' +
    'A step goes by its title or enough of it; to remove it, by the whole title. ' +
    'An entry is done whole or not at all.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({ edits: batchOf(edit, 'Tasks and their steps.') }),
  output: batchOutput,
  run: (call, { edits }) =>
    runBatch(call, {
      entries: edits,
      schema: edit,
      verb: 'changed',
      toStep: async ({ id, ...wanted }) => {
        if (Object.values(wanted).every((titles) => titles === undefined))
          throw invalidField('add', 'Say what to do with the steps: add, tick, untick or remove.');
        const done: string[] = [];
        return {
          operationId: 'updateTask',
          params: { id },
          wrap: editSteps(call, id, wanted, done),
          verbFor: () => done.join(', '),
        };
      },
    }),
});

/**
 * Runs under the account's lock, so that concurrently added steps are kept. `done` receives the descriptions.
 */
function editSteps(
  call: ToolCall,
  taskId: string,
  wanted: Omit<Edit, 'id'>,
  done: string[],
): WriteWrapper<{ id: string } | undefined> {
  return async (session, update) => {
    const saved = await update();
    const task = await getTask(session, taskId);
    const added = wanted.add?.map((title) => ({ id: randomUUID(), title, completed: false })) ?? [];
    const find = (step: string): string => findStep(call, step, task.checklist, added).id;
    const findWhole = (step: string): string => findStep(call, step, task.checklist, added, true).id;
    const ticked = new Set(wanted.tick?.map(find));
    const unticked = new Set(wanted.untick?.map(find));
    const removed = new Set(wanted.remove?.map(findWhole));
    requireDistinct([...ticked, ...unticked, ...removed]);
    const all = [...task.checklist, ...added];
    const addedIds = new Set<string>(added.map(({ id }) => id));
    for (const [verb, ids] of Object.entries({ added: addedIds, ticked, unticked, removed }))
      if (ids.size > 0) done.push(`${verb} ${namesOf(all.filter(({ id }) => ids.has(id)))}`);
    const checklist = all
      .filter(({ id }) => !removed.has(id))
      .map((item) => ({
        ...item,
        completed: ticked.has(item.id) || (item.completed && !unticked.has(item.id)),
      }));
    if (checklist.length > longestChecklist)
      throw invalidField('add', `A checklist holds at most ${longestChecklist} steps.`);
    updateRow(session, 'Task', task, { checklist });
    return saved;
  };
}

const namedSteps = 10;

function namesOf(steps: readonly ChecklistItem[]): string {
  const left = steps.length - namedSteps;
  const names = steps.slice(0, namedSteps).map(({ title }) => `«${inOneLine(title)}»`);
  return [...names, ...(left > 0 ? [`${left} more`] : [])].join(' ');
}

/** Also finds steps that the same call adds. */
function findStep(
  { canRead }: ToolCall,
  step: string,
  checklist: readonly ChecklistItem[],
  added: readonly ChecklistItem[],
  isWhole = false,
): Named {
  const byId = checklist.find(({ id }) => id === step.toLowerCase());
  if (byId !== undefined) return byId;
  const match = isWhole ? findSame : matchName;
  const found = (canRead ? match('step', step, checklist) : undefined) ?? match('step', step, added);
  if (found !== undefined) return found;
  if (!canRead && !isUuid(step))
    throw invalidField('tick', 'This token may not read, so steps must be ids, not titles.');
  throw (isWhole ? wholeNameNeeded : nameNotFound)('step', step, canRead ? checklist : []);
}

function requireDistinct(ids: readonly string[]): void {
  if (new Set(ids).size < ids.length)
    throw invalidField('tick', 'A step is named twice: do one thing with each step.');
}
