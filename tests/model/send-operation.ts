import type { JsonObject } from '#tests/support/api-types.ts';
import type { Operation } from './operation.ts';
import { type WireNames, wireName } from './wire-names.ts';

/** A request as the front door takes it. */
type WireRequest = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };
export type WireResponse = { status: number; body: unknown };

/** One request through the front door, whatever carries it. */
export type Send = (request: WireRequest) => Promise<WireResponse>;

/** The request that asks the service for an operation; `change account` is not a client's to ask. */
export function requestFor(
  operation: Exclude<Operation, { do: 'change account' }>,
  names: WireNames,
): WireRequest {
  const [verb, kind] = operation.do.split(' ');
  const collection =
    'projectId' in operation ? `/projects/${wireName(names, operation.projectId)}/sections` : `/${kind}s`;
  const path = 'id' in operation ? `${collection}/${wireName(names, operation.id)}` : collection;
  const body = bodyOf(operation, names);
  if (verb === 'create') return { method: 'POST', path, body };
  if (verb === 'patch') return { method: 'PATCH', path, body };
  if (verb === 'trash' || verb === 'delete') return { method: 'DELETE', path };
  return { method: 'POST', path: `${path}/${verb}`, body };
}

function bodyOf(operation: Operation, names: WireNames): JsonObject | undefined {
  if ('fields' in operation) return renamed(operation.fields, names);
  if ('patch' in operation) return renamed(operation.patch, names);
  if ('destination' in operation) return renamed(operation.destination, names);
  if ('title' in operation) return { title: operation.title };
  if ('completeChildTasks' in operation) return { completeChildTasks: operation.completeChildTasks };
  return undefined;
}

const references = ['projectId', 'sectionId', 'areaId'];

function renamed(fields: object, names: WireNames): JsonObject {
  const rename = ([key, value]: [string, unknown]): [string, unknown] =>
    references.includes(key) && typeof value === 'string' ? [key, wireName(names, value)] : [key, value];
  return Object.fromEntries(Object.entries(fields).map(rename));
}
