import { pageOf, presentPage } from '../http/page.ts';
import { type Route, readRoute, writeRoute } from '../http/route.ts';
import type { WriteSession } from '../session.ts';
import type { Task } from './task-entity.ts';
import {
  presentTask,
  projectTaskListQuery,
  taskCreateBody,
  taskListQuery,
  taskMoveBody,
  taskPatchBody,
  taskResponse,
} from './task-schema.ts';
import { createTask, getTask, listTasks, moveTask, patchTask } from './task-service.ts';
import {
  cancelTask,
  completeTask,
  reopenTask,
  restoreTask,
  skipOccurrence,
  trashTask,
} from './task-transitions.ts';

const tag = 'Tasks';
const taskPage = pageOf(taskResponse).meta({ schemaName: 'TaskPage' });

type Transition = {
  name: 'complete' | 'skip' | 'uncomplete' | 'cancel' | 'uncancel' | 'restore';
  summary: string;
  description: string;
  isExtension?: boolean;
  apply(session: WriteSession, id: string): Promise<Task>;
};

function transitionRoute({ name, summary, description, isExtension = false, apply }: Transition): Route {
  return writeRoute({
    operationId: `${name}Task`,
    method: 'post',
    path: `/tasks/{id}/${name}`,
    tag,
    scope: 'write',
    summary,
    description,
    isExtension,
    success: { status: 200, description: 'The task as it is now.', schema: taskResponse },
    errors: ['not_found', 'invalid_state'],
    handler: (session, { params }) => apply(session, params.id),
    present: presentTask,
  });
}

const transitions: readonly Transition[] = [
  {
    name: 'complete',
    summary: 'Complete a task',
    description:
      'A repeating task rolls to its next occurrence and is returned with the same id; the ' +
      'completed occurrence is in the logbook with a new id. Calling again completes the next ' +
      'occurrence: send an `Idempotency-Key`. A completed task stays as it is.',
    apply: completeTask,
  },
  {
    name: 'skip',
    summary: 'Skip this occurrence of a repeating task',
    description:
      'The task goes to its next occurrence as if this one were completed, but nothing is logged. ' +
      'After the last occurrence the task is cancelled. A task that does not repeat or is not open: 409.',
    isExtension: true,
    apply: skipOccurrence,
  },
  {
    name: 'uncomplete',
    summary: 'Reopen a completed task',
    description:
      'A logged occurrence becomes an ordinary open task; its series continues and is not set back. ' +
      'An open task stays as it is.',
    apply: (session, id) => reopenTask(session, id, 'completed'),
  },
  {
    name: 'cancel',
    summary: 'Cancel a task',
    description: 'A repeating task stops repeating. A cancelled task stays as it is.',
    apply: cancelTask,
  },
  {
    name: 'uncancel',
    summary: 'Reopen a cancelled task',
    description: 'An open task stays as it is.',
    apply: (session, id) => reopenTask(session, id, 'cancelled'),
  },
  {
    name: 'restore',
    summary: 'Restore a task from the Trash',
    description:
      'It returns to its former place. Without its project, also when that is in the Trash, ' +
      'or when an open task’s project was closed meanwhile, it goes to Someday when dated, ' +
      'else to the inbox. A task outside the Trash stays as it is.',
    apply: restoreTask,
  },
];

export const taskRoutes: readonly Route[] = [
  readRoute({
    operationId: 'listTasks',
    method: 'get',
    path: '/tasks',
    tag,
    scope: 'read',
    summary: 'List tasks',
    description:
      'Filters combine with AND. To mirror an account, poll ' +
      '`view=all&updatedSince=<greatest updatedAt seen>` and follow `nextCursor`: no change is ever ' +
      'skipped, and a task that changes during paging is returned again. ' +
      'What each `view` lists, and in which order: see *Views*. A missing project or area is 404.',
    query: taskListQuery,
    success: { status: 200, description: 'A page of tasks.', schema: taskPage },
    errors: ['not_found'],
    handler: (session, { query }, context) => listTasks(session, context, 'tasks', query),
    present: (page) => presentPage(page, presentTask),
  }),
  readRoute({
    operationId: 'listProjectTasks',
    method: 'get',
    path: '/projects/{id}/tasks',
    tag,
    scope: 'read',
    summary: 'List the tasks of a project',
    description:
      'As the list of all tasks, with the project fixed. Top of the project first unless a view orders it.',
    query: projectTaskListQuery,
    success: { status: 200, description: 'A page of the project’s tasks.', schema: taskPage },
    errors: ['not_found'],
    handler: (session, { params, query }, context) =>
      listTasks(session, context, 'project-tasks', { ...query, projectId: params.id }),
    present: (page) => presentPage(page, presentTask),
  }),
  readRoute({
    operationId: 'getTask',
    method: 'get',
    path: '/tasks/{id}',
    tag,
    scope: 'read',
    summary: 'Fetch a task',
    description: 'Also finds tasks in the Trash.',
    success: { status: 200, description: 'The task.', schema: taskResponse },
    errors: ['not_found'],
    handler: (session, { params }) => getTask(session, params.id),
    present: presentTask,
  }),
  writeRoute({
    operationId: 'createTask',
    method: 'post',
    path: '/tasks',
    tag,
    scope: 'write',
    summary: 'Create a task',
    description:
      'A project or a section files the task there; else a date puts it in Someday, even with `list` ' +
      'inbox; else it goes to the inbox. The new task is on top of its list.',
    body: taskCreateBody,
    success: { status: 201, description: 'The new task.', schema: taskResponse },
    errors: ['not_found', 'premium_required', 'invalid_state'],
    requestExample: {
      title: 'Call the dentist',
      description: 'Ask about **Thursday**.',
      dueDate: '2030-01-15',
      reminderTime: '09:30',
      recurrence: { frequency: 'weekly', interval: 2 },
      checklist: [{ title: 'Find the number' }],
    },
    prepare: ({ body }, { notes }, { account }) => notes.render(account.id, body.description),
    handler: (session, { body, prepared }) => createTask(session, body, prepared),
    present: presentTask,
  }),
  writeRoute({
    operationId: 'updateTask',
    method: 'patch',
    path: '/tasks/{id}',
    tag,
    scope: 'write',
    summary: 'Change fields of a task',
    description:
      'Omitted members stay, those of `recurrence` too; null clears. Clearing `dueDate` clears ' +
      '`reminderTime`. A date of a repeating task without `recurrence` moves only this occurrence. ' +
      'A patch that changes nothing leaves `updatedAt` as it is. List, project and section are ' +
      'changed by the move operation.',
    body: taskPatchBody,
    isMergePatch: true,
    success: { status: 200, description: 'The task as it is now.', schema: taskResponse },
    errors: ['not_found', 'premium_required'],
    requestExample: { dueDate: '2030-01-17', reminderTime: null },
    prepare: ({ body }, { notes }, { account }) => notes.render(account.id, body.description),
    handler: (session, { params, body, prepared }) => patchTask(session, params.id, body, prepared),
    present: presentTask,
  }),
  writeRoute({
    operationId: 'moveTask',
    method: 'post',
    path: '/tasks/{id}/move',
    tag,
    scope: 'write',
    summary: 'Move a task to another list, project or section',
    description:
      'The task goes to the top of the destination, even where it already is. A dated task moved to' +
      ' the inbox goes to Someday and keeps its dates.',
    body: taskMoveBody,
    success: { status: 200, description: 'The task in its new place.', schema: taskResponse },
    errors: ['not_found', 'invalid_state'],
    requestExample: { list: 'someday' },
    handler: (session, { params, body }) => moveTask(session, params.id, body),
    present: presentTask,
  }),
  ...transitions.map(transitionRoute),
  writeRoute({
    operationId: 'deleteTask',
    method: 'delete',
    path: '/tasks/{id}',
    tag,
    scope: 'write',
    summary: 'Move a task to the Trash',
    description: 'Reversible: nothing is deleted permanently. A task already in the Trash stays as it is.',
    success: { status: 204, description: 'The task is in the Trash.' },
    errors: ['not_found'],
    handler: (session, { params }) => trashTask(session, params.id),
    present: () => undefined,
  }),
];
