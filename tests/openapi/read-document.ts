import { type Located, locate, type OpenApiDocument } from '#tests/support/openapi-document.ts';
import { createSchemaCheck } from '#tests/support/schema-check.ts';

export type DocumentedOperation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: unknown[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, unknown>;
  'x-extension'?: boolean;
};

export type MediaType = {
  schema: { $ref?: string };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};

export type DocumentedResponse = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
  'x-error-codes'?: string[];
};

/** What stands at a place of the document, references followed. Throws when nothing does. */
export function find<Value>(document: OpenApiDocument, start: string, ...keys: string[]): Located<Value> {
  const found = locate<Value>(document, start, ...keys);
  if (found === undefined) throw new Error(`nothing at ${[start, ...keys].join('/')}`);
  return found;
}

export function operationAt(document: OpenApiDocument, method: string, path: string): DocumentedOperation {
  return find<DocumentedOperation>(document, '/paths', path, method).value;
}

export function responseOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  status: number,
): DocumentedResponse {
  return find<DocumentedResponse>(document, '/paths', path, method, 'responses', String(status)).value;
}

/** The error codes a documented error response allows. */
export function codesOf(response: DocumentedResponse): string[] {
  return response['x-error-codes'] ?? [];
}

/** A function for the faults of every example of a media type, at its pointer, against its schema. */
export function createExampleCheck(document: OpenApiDocument): (pointer: string) => string[] {
  const checkSchema = createSchemaCheck(document);
  return (pointer) => {
    const { example, examples = {} } = find<MediaType>(document, pointer).value;
    const values = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples).map(({ value }) => value),
    ];
    if (values.length === 0) return ['no example'];
    const { pointer: schema } = find(document, pointer, 'schema');
    return values.flatMap((value) => checkSchema(schema, value));
  };
}
