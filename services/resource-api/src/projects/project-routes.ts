import { pageOf, presentPage } from '../http/page.ts';
import { type Route, readRoute, writeRoute } from '../http/route.ts';
import {
  presentProject,
  projectCompleteBody,
  projectCreateBody,
  projectListQuery,
  projectPatchBody,
  projectResponse,
} from './project-schema.ts';
import {
  completeProject,
  createProject,
  getProject,
  listProjects,
  patchProject,
  trashProject,
  uncompleteProject,
} from './project-service.ts';

const tag = 'Projects';

export const projectRoutes: readonly Route[] = [
  readRoute({
    operationId: 'listProjects',
    method: 'get',
    path: '/projects',
    tag,
    summary: 'List projects',
    description:
      'In display order, each with its sections; projects in the Trash are left out. ' +
      'Filters combine with AND.',
    scope: 'read',
    query: projectListQuery,
    success: {
      status: 200,
      description: 'A page of projects.',
      schema: pageOf(projectResponse).meta({ schemaName: 'ProjectPage' }),
    },
    handler: (session, { query }, { cursors }) => listProjects(session, cursors, query),
    present: (page) => presentPage(page, presentProject),
  }),
  readRoute({
    operationId: 'getProject',
    method: 'get',
    path: '/projects/{id}',
    tag,
    summary: 'Fetch a project',
    description: 'With its sections, without its tasks: those are a list of their own.',
    scope: 'read',
    success: { status: 200, description: 'The project.', schema: projectResponse },
    errors: ['not_found'],
    handler: (session, { params }) => getProject(session, params.id),
    present: presentProject,
  }),
  writeRoute({
    operationId: 'createProject',
    method: 'post',
    path: '/projects',
    tag,
    summary: 'Create a project',
    description:
      'The new project goes to the end of the list. The free plan allows 5 active projects; ' +
      'completed ones and those in the Trash do not count. A deadline needs Premium.',
    scope: 'write',
    body: projectCreateBody,
    success: { status: 201, description: 'The new project.', schema: projectResponse },
    errors: ['project_limit_reached', 'premium_required'],
    requestExample: { title: 'Move to Lisbon', description: 'Keys at *Rua do Sol*.' },
    prepare: ({ body }, { notes }, { account }) => notes.render(account.id, body.description),
    handler: (session, { body, prepared }) => createProject(session, body, prepared),
    present: presentProject,
  }),
  writeRoute({
    operationId: 'updateProject',
    method: 'patch',
    path: '/projects/{id}',
    tag,
    summary: 'Change a project',
    description:
      'A merge patch: omitted fields stay, null clears. One that changes nothing leaves `updatedAt` ' +
      'as it is. A completed or cancelled project is refused with 400 on `status`. On the free plan ' +
      'a deadline can be kept or cleared, not set.',
    scope: 'write',
    body: projectPatchBody,
    isMergePatch: true,
    success: { status: 200, description: 'The project as it is now.', schema: projectResponse },
    errors: ['not_found', 'premium_required'],
    requestExample: { title: 'Move to Porto', areaId: null },
    prepare: ({ body }, { notes }, { account }) => notes.render(account.id, body.description),
    handler: (session, { params, body, prepared }) => patchProject(session, params.id, body, prepared),
    present: presentProject,
  }),
  writeRoute({
    operationId: 'completeProject',
    method: 'post',
    path: '/projects/{id}/complete',
    tag,
    summary: 'Complete a project',
    description:
      'Its remaining open tasks are cancelled with it, or completed with `completeChildTasks`; ' +
      'repeating ones end. A completed project is unchanged. A cancelled one is 409.',
    scope: 'write',
    body: projectCompleteBody,
    isBodyOptional: true,
    success: { status: 200, description: 'The completed project.', schema: projectResponse },
    errors: ['not_found', 'invalid_state'],
    requestExample: { completeChildTasks: true },
    handler: (session, { params, body }) =>
      completeProject(session, params.id, body.completeChildTasks ? 'completed' : 'cancelled'),
    present: presentProject,
  }),
  writeRoute({
    operationId: 'uncompleteProject',
    method: 'post',
    path: '/projects/{id}/uncomplete',
    tag,
    summary: 'Reopen a completed project',
    description:
      'Tasks that were closed with the project stay closed. An active project is unchanged. A ' +
      'cancelled one is 409. It counts towards the plan’s limit again.',
    scope: 'write',
    success: { status: 200, description: 'The active project.', schema: projectResponse },
    errors: ['not_found', 'project_limit_reached', 'invalid_state'],
    handler: (session, { params }) => uncompleteProject(session, params.id),
    present: presentProject,
  }),
  writeRoute({
    operationId: 'deleteProject',
    method: 'delete',
    path: '/projects/{id}',
    tag,
    summary: 'Move a project to the Trash',
    description:
      'Its open tasks go with it; completed and cancelled ones stay in the logbook. A project in ' +
      'the Trash is 404 everywhere; the app and assistants can restore it.',
    scope: 'write',
    success: { status: 204, description: 'The project is in the Trash.' },
    errors: ['not_found'],
    handler: (session, { params }) => trashProject(session, params.id),
    present: () => undefined,
  }),
];
