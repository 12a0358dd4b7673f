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

type MediaType = {
  schema: { $ref?: string };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};

/** What stands at a place of the document, references followed. Throws when nothing does. */
export function find<Value>(document: OpenApiDocument, start: string, ...keys: string[]): Located<Value> {
  const found = locate<Value>(document, start, ...keys);
  if (found === undefined) throw new Error(`nothing at ${[start, ...keys].join('/')}`);
  return found;
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
