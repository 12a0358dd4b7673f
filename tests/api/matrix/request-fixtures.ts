import { randomUUID } from 'node:crypto';
import type { AnySchema, SchemaObjectDescription } from 'yup';
import { routes } from '#resource-api/routes.ts';
import type { Operation } from '#shared/http/operation.ts';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';

/** Whatever the service serves: an operation that is added is in every matrix at once. */
export const operations: readonly Operation[] = routes.map(({ operation }) => operation);
export const readOperations = operations.filter(({ scope }) => scope === 'read');
export const writeOperations = operations.filter(({ scope }) => scope === 'write');

/** One resource of each kind, each inside the next: a repeating task in a section of a project in an area. */
export type Ids = { task: string; section: string; project: string; area: string };
type ResourceKind = keyof Ids;

const kindOfCollection: Record<string, ResourceKind> = {
  tasks: 'task',
  sections: 'section',
  projects: 'project',
  areas: 'area',
};
const kindOfField: Record<string, ResourceKind> = {
  sectionId: 'section',
  projectId: 'project',
  areaId: 'area',
};

export async function makeIds(client: ApiClient): Promise<Ids> {
  const { id: area } = await makeArea(client);
  const { id: project } = await makeProject(client, { areaId: area });
  const { id: section } = await makeSection(client, project);
  const { id: task } = await makeTask(client, {
    sectionId: section,
    dueDate: '2026-11-20',
    recurrence: { frequency: 'daily' },
  });
  return { task, section, project, area };
}

/** Well-formed ids that nothing has. */
export function missingIds(): Ids {
  return { task: randomUUID(), section: randomUUID(), project: randomUUID(), area: randomUUID() };
}

/** The path with its parameters filled in. Throws for a parameter that stands behind no known collection. */
export function pathOf({ path, operationId }: Pick<Operation, 'path' | 'operationId'>, ids: Ids): string {
  return path.replace(/(\w+)\/\{\w+\}/g, (_, collection: string) => {
    const kind = kindOfCollection[collection];
    if (kind === undefined) throw new Error(`${operationId} needs an id for «${collection}»: ${path}`);
    return `${collection}/${ids[kind]}`;
  });
}

/** The members of a body or query that hold a resource's id. Throws for a UUID of no known kind. */
export function idFieldsOf(schema: AnySchema | undefined): { name: string; kind: ResourceKind }[] {
  const description = schema?.describe();
  if (description === undefined || !isObjectDescription(description)) return [];
  return Object.entries(description.fields).flatMap(([name, field]) => {
    const meta = 'meta' in field ? field.meta : undefined;
    if (meta?.json?.format !== 'uuid') return [];
    const kind = kindOfField[name];
    if (kind === undefined) throw new Error(`the field ${name} needs an id to be tried with`);
    return { name, kind };
  });
}

function isObjectDescription(
  description: ReturnType<AnySchema['describe']>,
): description is SchemaObjectDescription {
  return description.type === 'object' && 'fields' in description;
}

/** The documented example body, about these resources; undefined for an operation that takes none. */
export function bodyOf(operation: Operation, ids: Ids): Record<string, unknown> | undefined {
  const { body, requestExample: example, operationId } = operation;
  if (body === undefined) return undefined;
  if (typeof example !== 'object') throw new Error(`${operationId} needs an example of its body`);
  const fields = idFieldsOf(body).filter(({ name }) => Object.hasOwn({ ...example }, name));
  return { ...example, ...Object.fromEntries(fields.map(({ name, kind }) => [name, ids[kind]])) };
}

type Changes = { body?: unknown; query?: string };

/** Sends what the operation asks for, about these resources, unless another body is given. */
export function send(
  client: ApiClient,
  operation: Operation,
  ids: Ids,
  { body = bodyOf(operation, ids), query = '' }: Changes = {},
): Promise<ApiResponse> {
  return client.request(operation.method.toUpperCase(), `${pathOf(operation, ids)}${query}`, { body });
}

/** What each operation answers, by its name. */
export async function answersOf<Answer>(
  some: readonly Operation[],
  ask: (operation: Operation) => Promise<Answer>,
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const operation of some) answers[operation.operationId] = await ask(operation);
  return answers;
}

/** The same answer for each operation, to compare with. */
export function eachWith<Answer>(
  some: readonly Operation[],
  answer: Answer | ((operation: Operation) => Answer),
): Record<string, Answer> {
  const answerFor = answer instanceof Function ? answer : () => answer;
  return Object.fromEntries(some.map((operation) => [operation.operationId, answerFor(operation)]));
}
