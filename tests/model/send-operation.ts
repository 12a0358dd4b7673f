import type { JsonObject } from '#tests/support/api-types.ts';
import type { Operation } from './operation.ts';
import { type WireNames, wireName } from './wire-names.ts';

/** A request as the front door takes it. */
type WireRequest = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };
export type WireResponse = { status: number; body: unknown };

/** One request through the front door, whatever carries it. */
export type Send = (request: WireRequest) => Promise<WireResponse>;

/** The request that asks the service for an operation; `change account` is not a client's to ask. */
export function requestFor(operation: Operation, names: WireNames): WireRequest {
  const wire = (id: string) => wireName(names, id);
  switch (operation.do) {
    case 'create task':
      return { method: 'POST', path: '/tasks', body: renamed(operation.fields, names) };
    case 'patch task':
      return { method: 'PATCH', path: `/tasks/${wire(operation.id)}`, body: renamed(operation.patch, names) };
    case 'move task':
      return {
        method: 'POST',
        path: `/tasks/${wire(operation.id)}/move`,
        body: renamed(operation.destination, names),
      };
    case 'create project':
      return { method: 'POST', path: '/projects', body: renamed(operation.fields, names) };
    case 'patch project':
      return {
        method: 'PATCH',
        path: `/projects/${wire(operation.id)}`,
        body: renamed(operation.patch, names),
      };
    case 'complete project':
      return {
        method: 'POST',
        path: `/projects/${wire(operation.id)}/complete`,
        body: { completeChildTasks: operation.completeChildTasks },
      };
    case 'uncomplete project':
      return { method: 'POST', path: `/projects/${wire(operation.id)}/uncomplete` };
    case 'trash project':
      return { method: 'DELETE', path: `/projects/${wire(operation.id)}` };
    case 'create section':
    case 'patch section':
    case 'delete section':
      return sectionRequest(operation, wire);
    case 'create area':
      return { method: 'POST', path: '/areas', body: { title: operation.title } };
    case 'patch area':
      return { method: 'PATCH', path: `/areas/${wire(operation.id)}`, body: operation.patch };
    case 'delete area':
      return { method: 'DELETE', path: `/areas/${wire(operation.id)}` };
    case 'change account':
      throw new Error('no request changes an account’s plan or time zone');
    case 'trash task':
      return { method: 'DELETE', path: `/tasks/${wire(operation.id)}` };
    default:
      return { method: 'POST', path: `/tasks/${wire(operation.id)}/${operation.do.replace(' task', '')}` };
  }
}

type SectionOperation = Extract<Operation, { projectId: string }>;

function sectionRequest(operation: SectionOperation, wire: (id: string) => string): WireRequest {
  const path = `/projects/${wire(operation.projectId)}/sections`;
  if (operation.do === 'create section') return { method: 'POST', path, body: { title: operation.title } };
  const one = `${path}/${wire(operation.id)}`;
  return operation.do === 'patch section'
    ? { method: 'PATCH', path: one, body: operation.patch }
    : { method: 'DELETE', path: one };
}

const references = ['projectId', 'sectionId', 'areaId'];

function renamed(fields: object, names: WireNames): JsonObject {
  const rename = ([key, value]: [string, unknown]): [string, unknown] =>
    references.includes(key) && typeof value === 'string' ? [key, wireName(names, value)] : [key, value];
  return Object.fromEntries(Object.entries(fields).map(rename));
}
