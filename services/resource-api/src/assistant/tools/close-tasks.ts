import { AppError } from '#shared/errors/app-error.ts';
import { closedObject, enumeration } from '#shared/validation/fields.ts';
import { taskStatuses } from '../../tasks/task-entity.ts';
import { batchOutput, idBatch, runBatch } from '../batch.ts';
import { defineTool } from '../tool.ts';

const operations = { completed: 'completeTask', cancelled: 'cancelTask', open: 'uncompleteTask' } as const;

export const setTaskStatus = defineTool({
  name: 'set_task_status',
  title: 'Complete, cancel or reopen tasks',
  description:
    'completed ticks tasks off; a repeating task rolls to its next date and stays open. cancelled closes without doing and ends a repeat. open reopens closed tasks.',
  scope: 'write',
  // Completing a repeating task again completes its next occurrence.
  hints: {},
  input: closedObject({
    ids: idBatch,
    status: enumeration(taskStatuses).defined().meta({ description: 'What the tasks become.' }),
  }),
  output: batchOutput,
  run: (call, { ids, status }) =>
    runBatch(
      call,
      ids,
      async (id) => ({
        operationId: operations[status],
        taskId: id,
        params: { id },
        ...(status === 'open' && reopening),
      }),
      status === 'open' ? 'reopened' : status,
    ),
});

/** A completed task and a cancelled one are reopened by different operations. */
const reopening = {
  instead(error: unknown): string | undefined {
    return error instanceof AppError && error.code === 'invalid_state' ? 'uncancelTask' : undefined;
  },
};

export const trashTasks = defineTool({
  name: 'trash_tasks',
  title: 'Move tasks to the Trash',
  description: 'Moves tasks to the Trash; restore_tasks brings them back. To tick off use set_task_status.',
  scope: 'write',
  hints: { isDestructive: true, isIdempotent: true },
  input: closedObject({ ids: idBatch }),
  output: batchOutput,
  run: (call, { ids }) =>
    runBatch(
      call,
      ids,
      async (id) => ({ operationId: 'trashTask', taskId: id, params: { id } }),
      'moved to the Trash',
    ),
});

export const restoreTasks = defineTool({
  name: 'restore_tasks',
  title: 'Restore tasks from the Trash',
  description: 'Takes tasks out of the Trash, back to where they were.',
  scope: 'write',
  hints: { isIdempotent: true },
  input: closedObject({ ids: idBatch }),
  output: batchOutput,
  run: (call, { ids }) =>
    runBatch(
      call,
      ids,
      async (id) => ({ operationId: 'restoreTask', taskId: id, params: { id } }),
      'restored',
    ),
});
