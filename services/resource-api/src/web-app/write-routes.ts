import { type AppArea, type AppProject, type AppTask, mostTasksAsked } from '#shared/app/app-protocol.ts';
import { notFound } from '#shared/errors/errors.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { type Route, writeRoute } from '../http/route.ts';
import { presentProject, projectPatchBody, projectResponse } from '../projects/project-schema.ts';
import { completeProject, patchProject, restoreProject } from '../projects/project-service.ts';
import type { WriteSession } from '../session.ts';
import { presentTask, taskPatchBody, taskResponse } from '../tasks/task-schema.ts';
import { patchTask } from '../tasks/task-service.ts';
import { completeTask, reopenTask, skipOccurrence } from '../tasks/task-transitions.ts';
import {
  listPositionBody,
  occurrenceBody,
  projectCompletionBody,
  taskPositionBody,
  versionBody,
} from './app-schema.ts';
import { type ListedRows, listedAreas, listedProjects, listedTasks } from './listed-rows.ts';
import { placeArea, placeProject, placeTask } from './position-service.ts';

const tag = 'Web app';

/** As the public operations, for one occurrence: on the next one the task stays, 409. */
const occurrenceRoute = (name: 'complete' | 'skip', apply: typeof completeTask): Route =>
  writeRoute({
    operationId: `${name}Occurrence`,
    method: 'post',
    path: `/tasks/{id}/${name}`,
    tag,
    summary: `${name === 'complete' ? 'Complete' : 'Skip'} a task on a day`,
    scope: 'write',
    body: occurrenceBody,
    success: { status: 200, description: 'The task as it is now.', schema: taskResponse },
    handler: (session, { params: { id }, body }) => apply(session, id, body.occurrence),
    present: presentTask,
  });

export const appWriteRoutes: readonly Route[] = [
  // The app merges notes and checklists with the version that it knows: another one is not written over.
  writeRoute({
    operationId: 'updateTaskVersion',
    method: 'patch',
    path: '/tasks/{id}',
    tag,
    summary: 'Change fields of a version of a task',
    scope: 'write',
    body: versionBody,
    success: { status: 200, description: 'The task as it is now.', schema: taskResponse },
    async prepare({ body }, { notes }, { account }) {
      const patch = validateInput(taskPatchBody, body.patch, 'patch');
      return { patch, rendering: await notes.render(account.id, patch.description) };
    },
    handler: (session, { params: { id }, body, prepared: { patch, rendering } }) =>
      patchTask(session, id, patch, rendering, body.updatedAt),
    present: presentTask,
  }),
  writeRoute({
    operationId: 'updateProjectVersion',
    method: 'patch',
    path: '/projects/{id}',
    tag,
    summary: 'Change fields of a version of a project',
    scope: 'write',
    body: versionBody,
    success: { status: 200, description: 'The project as it is now.', schema: projectResponse },
    async prepare({ body }, { notes }, { account }) {
      const patch = validateInput(projectPatchBody, body.patch, 'patch');
      return { patch, rendering: await notes.render(account.id, patch.description) };
    },
    handler: (session, { params: { id }, body, prepared: { patch, rendering } }) =>
      patchProject(session, id, patch, rendering, body.updatedAt),
    present: presentProject,
  }),
  occurrenceRoute('complete', completeTask),
  occurrenceRoute('skip', skipOccurrence),
  // The public operations leave the repeat ended.
  writeRoute({
    operationId: 'reopenTask',
    method: 'post',
    path: '/tasks/{id}/reopen',
    tag,
    summary: 'Reopen a task with its repeat',
    scope: 'write',
    success: { status: 200, description: 'The open task.', schema: taskResponse },
    handler: (session, { params: { id } }) => reopenTask(session, id),
    present: presentTask,
  }),
  writeRoute({
    operationId: 'placeTask',
    method: 'post',
    path: '/tasks/{id}/position',
    tag,
    summary: 'Place a task among those of its list or its day',
    scope: 'write',
    body: taskPositionBody,
    success: { status: 200, description: 'An AppTask.' },
    async handler(session, { params: { id }, body }): Promise<AppTask> {
      await placeTask(session, id, body);
      return readRow(session, listedTasks, id);
    },
    present: (task) => task,
  }),
  writeRoute({
    operationId: 'placeProject',
    method: 'post',
    path: '/projects/{id}/position',
    tag,
    summary: 'Place a project among those of its area',
    scope: 'write',
    body: listPositionBody,
    success: { status: 200, description: 'An AppProject.' },
    async handler(session, { params: { id }, body }): Promise<AppProject> {
      await placeProject(session, id, body.after);
      return readRow(session, listedProjects, id);
    },
    present: (project) => project,
  }),
  writeRoute({
    operationId: 'placeArea',
    method: 'post',
    path: '/areas/{id}/position',
    tag,
    summary: 'Place an area',
    scope: 'write',
    body: listPositionBody,
    success: { status: 200, description: 'An AppArea.' },
    async handler(session, { params: { id }, body }): Promise<AppArea> {
      await placeArea(session, id, body.after);
      return readRow(session, listedAreas, id);
    },
    present: (area) => area,
  }),
  // As the public operation, but closes no other tasks than those asked about.
  writeRoute({
    operationId: 'completeProjectAsAsked',
    method: 'post',
    path: '/projects/{id}/complete',
    tag,
    summary: 'Complete a project with the tasks that were asked about',
    scope: 'write',
    body: projectCompletionBody,
    maximumValues: mostTasksAsked + 10,
    success: { status: 200, description: 'The completed project.', schema: projectResponse },
    handler: (session, { params: { id }, body }) =>
      completeProject(session, id, body.completeChildTasks ? 'completed' : 'cancelled', body.asked),
    present: presentProject,
  }),
  writeRoute({
    operationId: 'restoreProject',
    method: 'post',
    path: '/projects/{id}/restore',
    tag,
    summary: 'Take a project out of the Trash with its tasks',
    scope: 'write',
    success: { status: 200, description: 'An AppProject.' },
    async handler(session, { params: { id } }): Promise<AppProject> {
      await restoreProject(session, id);
      return readRow(session, listedProjects, id);
    },
    present: (project) => project,
  }),
];

async function readRow<Row extends object, Sent>(
  { db, account }: WriteSession,
  { table, columns, present }: ListedRows<Row, Sent>,
  id: string,
): Promise<Sent> {
  const text = `select ${columns} from tasks.${table} where account_id = $1 and id = $2`;
  const { rows } = await db.query<Row>({ text, values: [account.id, id] });
  if (rows[0] === undefined) throw notFound();
  return present(rows[0]);
}
