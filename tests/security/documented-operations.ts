import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';

/** An operation below the API root, as the served document describes it. */
export type DocumentedOperation = {
  operationId: string;
  method: string;
  path: string;
  /** What it needs; null where no token is asked for. */
  scope: string | null;
  /** Its documented example; undefined where no body is taken. */
  body: Record<string, unknown> | undefined;
};

type OperationObject = {
  operationId: string;
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> };
};
type Document = { paths: Record<string, Record<string, unknown>> };

/** Every operation of the API that the running service says it has: one that is added is in the tests at once. */
export async function documentedOperations(apiRoot: string): Promise<DocumentedOperation[]> {
  const document = (await (await fetch(`${apiRoot}/openapi.json`)).json()) as Document;
  const ofTheApi = Object.entries(document.paths).filter(([path]) => path.startsWith(apiRootPath));
  return ofTheApi.flatMap(([path, item]) =>
    ['get', 'put', 'post', 'patch', 'delete'].flatMap((method) => {
      const operation = item[method] as OperationObject | undefined;
      return operation === undefined ? [] : [read(operation, method, path.slice(apiRootPath.length))];
    }),
  );
}

function read(operation: OperationObject, method: string, path: string): DocumentedOperation {
  const { operationId, security, requestBody } = operation;
  const scopes = new Set(security.map((requirement) => Object.values(requirement).flat().join(' ')));
  if (scopes.size > 1) throw new Error(`${operationId} needs different scopes of different tokens`);
  const [scope = null] = scopes;
  const [content] = Object.values(requestBody?.content ?? {});
  return { operationId, method: method.toUpperCase(), path, scope, body: content?.example };
}

/** What stands for a parameter, or for an id in the body, by its collection or its member’s name. */
export type Ids = Readonly<Record<'tasks' | 'projects' | 'sections' | 'areas', string>>;

const collectionOfMember: Record<string, keyof Ids> = {
  projectId: 'projects',
  sectionId: 'sections',
  areaId: 'areas',
};

/** Asks about `ids`; the ids in a body are those of `ownIds`. Throws for a parameter of no known collection. */
export function sendDocumented(
  client: ApiClient,
  { operationId, method, path, body }: DocumentedOperation,
  ids: Ids,
  ownIds: Ids = ids,
): Promise<ApiResponse> {
  const filled = path.replace(/(\w+)\/\{\w+\}/g, (_, collection: string) => {
    if (!Object.hasOwn(ids, collection)) throw new Error(`${operationId} needs an id for «${collection}»`);
    return `${collection}/${ids[collection as keyof Ids]}`;
  });
  return client.request(method, filled, { body: body && withIds(body, ownIds) });
}

function withIds(body: Record<string, unknown>, ids: Ids): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => {
    const collection = collectionOfMember[name];
    return [name, collection === undefined || value === null ? value : ids[collection]];
  });
  return Object.fromEntries(entries);
}
