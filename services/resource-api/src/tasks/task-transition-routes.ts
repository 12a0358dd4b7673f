import { type Route, writeRoute } from '../http/route.ts';
import type { WriteSession } from '../session.ts';
import { presentTask } from './present-task.ts';
import type { Task } from './task-entity.ts';
import { cancelledTaskExample, completedTaskExample, taskExample } from './task-examples.ts';
import { taskResponse } from './task-schema.ts';
import {
  cancelTask,
  completeTask,
  restoreTask,
  trashTask,
  uncancelTask,
  uncompleteTask,
} from './task-transitions.ts';

const tag = 'Tasks';

type Transition = {
  name: 'complete' | 'uncomplete' | 'cancel' | 'uncancel' | 'restore';
  summary: string;
  description: string;
  example: unknown;
  apply(session: WriteSession, id: string): Promise<Task>;
};

function transitionRoute({ name, summary, description, example, apply }: Transition): Route {
  return writeRoute({
    operationId: `${name}Task`,
    method: 'post',
    path: `/tasks/{id}/${name}`,
    tag,
    scope: 'write',
    summary,
    description,
    success: { status: 200, description: 'The task as it is now.', schema: taskResponse },
    errors: ['not_found', 'invalid_state'],
    examples: { response: example },
    handler: (session, { params }) => apply(session, params.id),
    present: presentTask,
  });
}

const transitions: readonly Transition[] = [
  {
    name: 'complete',
    summary: 'Complete a task',
    description:
      'A repeating task rolls to its next occurrence and is returned with the same id; the completed occurrence is in ' +
      'the logbook under an id of its own. Calling again completes the next occurrence. A completed task stays as it is.',
    example: completedTaskExample,
    apply: completeTask,
  },
  {
    name: 'uncomplete',
    summary: 'Reopen a completed task',
    description:
      'A logged occurrence becomes an ordinary open task; its series goes on. An open task stays as it is.',
    example: taskExample,
    apply: uncompleteTask,
  },
  {
    name: 'cancel',
    summary: 'Cancel a task',
    description: 'A repeating task stops repeating. A cancelled task stays as it is.',
    example: cancelledTaskExample,
    apply: cancelTask,
  },
  {
    name: 'uncancel',
    summary: 'Reopen a cancelled task',
    description: 'An open task stays as it is.',
    example: taskExample,
    apply: uncancelTask,
  },
  {
    name: 'restore',
    summary: 'Take a task out of the Trash',
    description:
      'It goes back to where it was. Without its project, or when an open task’s project was closed meanwhile, it goes ' +
      'to Someday when dated, else to the inbox. A task outside the Trash stays as it is.',
    example: taskExample,
    apply: restoreTask,
  },
];

export const taskTransitionRoutes: readonly Route[] = [
  ...transitions.map(transitionRoute),
  writeRoute({
    operationId: 'trashTask',
    method: 'delete',
    path: '/tasks/{id}',
    tag,
    scope: 'write',
    summary: 'Move a task to the Trash',
    description: 'Reversible: nothing is deleted for good. A task already in the Trash stays as it is.',
    success: { status: 204, description: 'The task is in the Trash.' },
    errors: ['not_found'],
    handler: (session, { params }) => trashTask(session, params.id),
    present: () => undefined,
  }),
];
