import {
  escapeKey,
  locate,
  type OpenApiDocument,
  type OperationObject,
} from '#tests/support/openapi-document.ts';
import type { Schema } from './json-schema.ts';

type Parameter = { name: string; in: string; required?: boolean; schema: Schema };

/** An operation as the served document describes it. */
export type Operation = {
  /** `createTask`. */
  id: string;
  method: string;
  /** From the host's root, with its parameters in braces. */
  path: string;
  parameters: readonly Parameter[];
  body: { schema: Schema } | undefined;
  /** The scope that a token needs; undefined: none is asked for. */
  scope: string | undefined;
};

type Described = OperationObject & {
  method: string;
  path: string;
  parameters?: unknown[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: readonly Readonly<Record<string, readonly string[]>>[];
};

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function listOperations(document: OpenApiDocument, documentUrl: string): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const pointer = `/paths/${escapeKey(path)}/${method}`;
      const described = locate<Described>(document, pointer)?.value;
      if (described === undefined) return [];
      const [server] = described.servers ?? item.servers ?? document.servers ?? [];
      const root = new URL(server?.url ?? '/', documentUrl).pathname.replace(/\/$/, '');
      return [
        {
          id: described.operationId ?? `${method} ${path}`,
          method: method.toUpperCase(),
          path: root + path,
          parameters: [
            ...parametersAt(document, `/paths/${escapeKey(path)}`),
            ...parametersAt(document, pointer),
          ],
          body: bodyOf(document, pointer),
          scope: Object.values(described.security?.[0] ?? {})[0]?.[0],
        },
      ];
    }),
  );
}

function parametersAt(document: OpenApiDocument, pointer: string): Parameter[] {
  const listed = locate<unknown[]>(document, pointer, 'parameters')?.value ?? [];
  return listed.flatMap((_parameter, index) => {
    const parameter = locate<Parameter>(document, pointer, 'parameters', String(index))?.value;
    return parameter === undefined ? [] : [parameter];
  });
}

function bodyOf(document: OpenApiDocument, pointer: string): Operation['body'] {
  const body = locate<NonNullable<Described['requestBody']>>(document, pointer, 'requestBody')?.value;
  if (body === undefined) return undefined;
  const [schema] = Object.values(body.content).map((content) => content.schema);
  if (schema === undefined) throw new Error(`a body without a schema at ${pointer}`);
  return { schema };
}

/** The operations of the API itself: their errors are problems, their bodies JSON whose texts are kept. */
export function isApiOperation({ path }: Operation): boolean {
  return path.startsWith('/api/');
}
