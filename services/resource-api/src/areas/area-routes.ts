import type { InferType } from 'yup';
import { pageOf, presentPage } from '../http/page.ts';
import { type Route, readRoute, writeRoute } from '../http/route.ts';
import type { Area } from './area-entity.ts';
import { areaCreateBody, areaListQuery, areaPatchBody, areaResponse } from './area-schema.ts';
import { createArea, getArea, listAreas, patchArea, removeArea } from './area-service.ts';

const tag = 'Areas';

function presentArea({ id, title, createdAt, updatedAt }: Area): InferType<typeof areaResponse> {
  return { id, title, createdAt, updatedAt };
}

const home = {
  id: '0c9b5a7e-52d4-4f1c-9d52-6d1d0c8b7f10',
  title: 'Home',
  createdAt: '2026-11-02T08:15:00.000Z',
  updatedAt: '2026-11-02T08:15:00.000Z',
};

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
    examples: { response: { items: [home], nextCursor: null, hasMore: false } },
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
    examples: { response: home },
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
    examples: { request: { title: 'Home' }, response: home },
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
    examples: {
      request: { title: 'House and garden' },
      response: { ...home, title: 'House and garden', updatedAt: '2026-11-21T10:00:00.000Z' },
    },
    handler: (session, { params, body }) => patchArea(session, params.id, body),
    present: presentArea,
  }),
  writeRoute({
    operationId: 'deleteArea',
    method: 'delete',
    path: '/areas/{id}',
    tag,
    summary: 'Delete an area',
    description: 'For good. Its projects survive and become ungrouped: their `areaId` is null from then on.',
    scope: 'write',
    success: { status: 204, description: 'The area is gone.' },
    errors: ['not_found'],
    handler: (session, { params }) => removeArea(session, params.id),
    present: () => undefined,
  }),
];
