import { pageOf, presentPage } from '../http/page.ts';
import { type Route, readRoute, writeRoute } from '../http/route.ts';
import { shownMembers } from '../http/shown-members.ts';
import { areaCreateBody, areaListQuery, areaPatchBody, areaResponse } from './area-schema.ts';
import { createArea, getArea, listAreas, patchArea, removeArea } from './area-service.ts';

const tag = 'Areas';

const presentArea = shownMembers(areaResponse);

export const areaRoutes: readonly Route[] = [
  readRoute({
    operationId: 'listAreas',
    method: 'get',
    path: '/areas',
    tag,
    summary: 'List areas',
    description: 'Every area of the account, in display order.',
    scope: 'read',
    query: areaListQuery,
    success: {
      status: 200,
      description: 'A page of areas.',
      schema: pageOf(areaResponse).meta({ schemaName: 'AreaPage' }),
    },
    handler: (session, { query }, { cursors }) => listAreas(session, cursors, query),
    present: (page) => presentPage(page, presentArea),
  }),
  readRoute({
    operationId: 'getArea',
    method: 'get',
    path: '/areas/{id}',
    tag,
    summary: 'Fetch an area',
    scope: 'read',
    success: { status: 200, description: 'The area.', schema: areaResponse },
    errors: ['not_found'],
    handler: (session, { params }) => getArea(session, params.id),
    present: presentArea,
  }),
  writeRoute({
    operationId: 'createArea',
    method: 'post',
    path: '/areas',
    tag,
    summary: 'Create an area',
    description: 'The new area goes to the end of the list. The free plan allows 2 areas.',
    scope: 'write',
    body: areaCreateBody,
    success: { status: 201, description: 'The new area.', schema: areaResponse },
    errors: ['area_limit_reached'],
    requestExample: { title: 'Home' },
    handler: (session, { body }) => createArea(session, body),
    present: presentArea,
  }),
  writeRoute({
    operationId: 'updateArea',
    method: 'patch',
    path: '/areas/{id}',
    tag,
    summary: 'Rename an area',
    description: 'A merge patch. One that changes nothing leaves `updatedAt` as it is.',
    scope: 'write',
    body: areaPatchBody,
    isMergePatch: true,
    success: { status: 200, description: 'The area as it is now.', schema: areaResponse },
    errors: ['not_found'],
    requestExample: { title: 'House and garden' },
    handler: (session, { params, body }) => patchArea(session, params.id, body),
    present: presentArea,
  }),
  writeRoute({
    operationId: 'deleteArea',
    method: 'delete',
    path: '/areas/{id}',
    tag,
    summary: 'Delete an area',
    description: 'Permanent. Its projects become ungrouped: their `areaId` is null.',
    scope: 'write',
    success: { status: 204, description: 'The area is gone.' },
    errors: ['not_found'],
    handler: (session, { params }) => removeArea(session, params.id),
    present: () => undefined,
  }),
];
