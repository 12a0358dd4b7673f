import { invalidField } from '#shared/errors/errors.ts';
import { calendarDate, closedObject, enumeration, uuid } from '#shared/validation/fields.ts';
import { taskStatuses } from '../../tasks/task-entity.ts';
import { findTask } from '../../tasks/task-repository.ts';
import { type BatchStep, batchOf, batchOutput, runBatch } from '../batch.ts';
import type { BriefTask } from '../brief-task.ts';
import { stepOnOccurrence } from '../occurrence.ts';
import { defineTool, type ToolCall } from '../tool.ts';

const oneId = uuid().defined().label('id');
const ids = batchOf(oneId, 'Ids of tasks.');

const occurrence = calendarDate().meta({
  description: 'Of a repeating task: the date meant, YYYY-MM-DD; needed for a second one on the same day.',
});

type Operation = Omit<BatchStep, 'params'>;

/** Each task only once: a repeated id would affect the next occurrence of a repeating task. */
function runOnTasks(
  call: ToolCall,
  entries: readonly unknown[],
  verb: string,
  operationOf: (id: string) => Operation | Promise<Operation>,
  whenUnchanged?: (task: BriefTask) => string | undefined,
) {
  const seen = new Set<string>();
  return runBatch(call, {
    entries,
    verb,
    ...(whenUnchanged && { whenUnchanged }),
    schema: oneId,
    async toStep(sent) {
      const id = sent.toLowerCase();
      if (seen.has(id)) throw invalidField('ids', 'ids names this task twice: it is done once.');
      seen.add(id);
      return { ...(await operationOf(id)), params: { id } };
    },
  });
}

export const setTaskStatus = defineTool({
  name: 'set_task_status',
  title: 'Complete, cancel or reopen tasks',
  description:
    'completed ticks tasks off; a repeating task rolls to its next date. ' +
    'cancelled closes without doing and ends a repeat. ' +
    'open reopens closed tasks, with the repeat that cancelling ended.',
  scope: 'write',
  // Not idempotent: on a later day it completes the next occurrence of a repeating task.
  hints: { isDestructive: true },
  input: closedObject({
    ids,
    status: enumeration(taskStatuses).defined().meta({ description: 'What the tasks become.' }),
    occurrence,
  }),
  output: batchOutput,
  run: (call, { ids: entries, status, occurrence: meant }) => {
    if (meant !== undefined && status !== 'completed')
      throw invalidField('occurrence', 'occurrence goes with status=completed.');
    return runOnTasks(
      call,
      entries,
      status === 'open' ? 'reopened' : status,
      (id) => {
        if (status === 'completed') return stepOnOccurrence(call, id, 'complete', meant);
        return status === 'open' ? stepToReopen(call, id) : stepToCancel(call, id);
      },
      (task) => (task.repeats && status === 'open' ? openAtNextDate : undefined),
    );
  },
});

async function stepToCancel({ session }: ToolCall, id: string): Promise<Operation> {
  const before = await findTask(session, id);
  return { operationId: 'cancelTask', verbFor: () => (before?.recurrence ? withItsRepeat : undefined) };
}

/** What was logged for a date of a repeat was created and completed at once. */
async function stepToReopen({ session }: ToolCall, id: string): Promise<Operation> {
  const { createdAt, completedAt } = (await findTask(session, id)) ?? {};
  const isLogged = completedAt != null && completedAt === createdAt;
  return { operationId: 'reopenTask', verbFor: () => (isLogged ? besideItsRepeat : undefined) };
}

const besideItsRepeat =
  'reopened as a task of its own beside its repeat, which stays at its next date ' +
  '(instead: undo this, then what completed it, from recent_changes)';
const withItsRepeat = 'cancelled, all dates to come (for one alone: open, then skip_occurrence)';
const openAtNextDate = 'it is open at its next date; undo takes its last completion back';

export const skipOccurrence = defineTool({
  name: 'skip_occurrence',
  title: 'Skip an occurrence',
  description:
    'Takes repeating tasks to their next date without logging this one as done; ' +
    'after the last a task is cancelled. To leave out several: reschedule_tasks to the first that stays.',
  scope: 'write',
  // Not idempotent: on a later day it skips the next occurrence.
  hints: { isDestructive: true },
  input: closedObject({ ids, occurrence }),
  output: batchOutput,
  run: (call, { ids: entries, occurrence: meant }) =>
    runOnTasks(call, entries, 'skipped', (id) => stepOnOccurrence(call, id, 'skip', meant)),
});

export const trashTasks = defineTool({
  name: 'trash_tasks',
  title: 'Move tasks to the Trash',
  description: 'Deletes tasks: moves them to the Trash; back: restore_tasks.',
  scope: 'write',
  hints: { isDestructive: true, isIdempotent: true },
  input: closedObject({ ids }),
  output: batchOutput,
  run: (call, { ids: entries }) =>
    runOnTasks(call, entries, 'moved to the Trash', () => ({ operationId: 'deleteTask' })),
});

const withoutProject =
  'restored, but not to its project, which is closed or in the Trash ' +
  '(to have it there: set_project_status, then move_tasks)';

export const restoreTasks = defineTool({
  name: 'restore_tasks',
  title: 'Restore tasks from the Trash',
  description: 'Takes tasks out of the Trash, back to where they were.',
  scope: 'write',
  hints: { isIdempotent: true },
  input: closedObject({ ids }),
  output: batchOutput,
  run: (call, { ids: entries }) =>
    runOnTasks(call, entries, 'restored', async (id) => {
      const before = await findTask(call.session, id);
      const isDetached = (now: BriefTask) => before?.projectId != null && now.project === undefined;
      return { operationId: 'restoreTask', verbFor: (now) => (isDetached(now) ? withoutProject : undefined) };
    }),
});
