/** The parts of an OpenAPI 3.1 document that responses are checked against. */
export type OpenApiDocument = {
  servers?: ServerEntry[];
  paths: Record<string, PathItem>;
  components?: { schemas?: Record<string, unknown>; responses?: Record<string, unknown> };
};

export type ServerEntry = { url: string };

type PathItem = { servers?: ServerEntry[] } & Record<string, unknown>;

export type OperationObject = {
  operationId?: string;
  servers?: ServerEntry[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
};

export type ResponseObject = {
  'x-error-codes'?: string[];
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: unknown }>;
};

export type HeaderObject = { required?: boolean; schema?: { type?: string } };

/** A value in the document, after following references, with its pointer (RFC 6901). */
export type Located<Value> = { value: Value; pointer: string };

/** Descends from `start`, following every `$ref`; undefined if there is no such value. */
export function locate<Value>(
  document: OpenApiDocument,
  start: string,
  ...keys: readonly string[]
): Located<Value> | undefined {
  let pointer = start;
  let value = followReferences(document, readPointer(document, pointer), pointer);
  for (const key of keys) {
    pointer = `${value.pointer}/${escapeKey(key)}`;
    value = followReferences(document, memberOf(value.value, key), pointer);
  }
  // The caller names the type that OpenAPI defines there.
  return value.value === undefined ? undefined : (value as Located<Value>);
}

function followReferences(document: OpenApiDocument, value: unknown, pointer: string): Located<unknown> {
  const reference = memberOf(value, '$ref');
  if (typeof reference !== 'string') return { value, pointer };
  const target = reference.replace(/^#/, '');
  return followReferences(document, readPointer(document, target), target);
}

function readPointer(document: OpenApiDocument, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((value, key) => memberOf(value, unescapeKey(key)), document);
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

export function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
