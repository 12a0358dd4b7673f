import { type Route, readRoute, writeRoute } from '../http/route.ts';
import {
  presentSection,
  sectionCreateBody,
  sectionListResponse,
  sectionPatchBody,
  sectionResponse,
} from './project-schema.ts';
import { createSection, listSections, patchSection, removeSection } from './section-service.ts';

const tag = 'Sections';

export const sectionRoutes: readonly Route[] = [
  readRoute({
    operationId: 'listSections',
    method: 'get',
    path: '/projects/{id}/sections',
    tag,
    summary: 'List the sections of a project',
    description: 'All of them in display order, as a bare array: this list has no pages.',
    scope: 'read',
    success: { status: 200, description: 'The project’s sections.', schema: sectionListResponse },
    errors: ['not_found'],
    handler: (session, { params }) => listSections(session, params.id),
    present: (sections) => sections.map(presentSection),
  }),
  writeRoute({
    operationId: 'createSection',
    method: 'post',
    path: '/projects/{id}/sections',
    tag,
    summary: 'Create a section',
    description: 'The new section goes last. 409 in a completed or cancelled project.',
    scope: 'write',
    isExtension: true,
    body: sectionCreateBody,
    success: { status: 201, description: 'The new section.', schema: sectionResponse },
    errors: ['not_found', 'invalid_state'],
    requestExample: { title: 'Before the move' },
    handler: (session, { params, body }) => createSection(session, params.id, body),
    present: presentSection,
  }),
  writeRoute({
    operationId: 'updateSection',
    method: 'patch',
    path: '/projects/{id}/sections/{sectionId}',
    tag,
    summary: 'Rename or move a section',
    description:
      'A merge patch. `position` is the section’s new place among the project’s sections; ' +
      'the others make room. 409 in a completed or cancelled project.',
    scope: 'write',
    isExtension: true,
    body: sectionPatchBody,
    isMergePatch: true,
    success: { status: 200, description: 'The section as it is now.', schema: sectionResponse },
    errors: ['not_found', 'invalid_state'],
    requestExample: { title: 'Before we go', position: 0 },
    handler: (session, { params, body }) => patchSection(session, params.id, params.sectionId, body),
    present: presentSection,
  }),
  writeRoute({
    operationId: 'deleteSection',
    method: 'delete',
    path: '/projects/{id}/sections/{sectionId}',
    tag,
    summary: 'Delete a section',
    description: 'Permanent. Its tasks move to the project’s root. 409 in a completed or cancelled project.',
    scope: 'write',
    isExtension: true,
    success: { status: 204, description: 'The section is gone.' },
    errors: ['not_found', 'invalid_state'],
    handler: (session, { params }) => removeSection(session, params.id, params.sectionId),
    present: () => undefined,
  }),
];
