import type { AnySchema, SchemaFieldDescription } from 'yup';
import type { Operation } from '#shared/http/operation.ts';

/** A place for text in a request body: the member it is filed under and a body that holds `text` there. */
export type TextPlace = { field: string; path: string; bodyWith(text: string): Record<string, unknown> };

/** Every place for text in the operation's body, nested ones included. */
export function textPlacesOf({ body }: Operation): TextPlace[] {
  return Object.entries(membersOf(body?.describe())).flatMap(([field, member]) =>
    nestingsOf(member, field).map(({ path, wrap }) => ({
      field,
      path,
      bodyWith: (text) => ({ [field]: wrap(text) }),
    })),
  );
}

type Nesting = { path: string; wrap(text: string): unknown };

function nestingsOf(schema: SchemaFieldDescription, path: string): Nesting[] {
  if (schema.type === 'string') return [{ path, wrap: (text) => text }];
  if (schema.type === 'array' && 'innerType' in schema && isDescription(schema.innerType)) {
    return nestingsOf(schema.innerType, `${path}[]`).map((inner) => ({
      path: inner.path,
      wrap: (text) => [inner.wrap(text)],
    }));
  }
  return Object.entries(membersOf(schema)).flatMap(([name, member]) =>
    nestingsOf(member, `${path}.${name}`).map((inner) => ({
      path: inner.path,
      wrap: (text) => ({ [name]: inner.wrap(text) }),
    })),
  );
}

function membersOf(
  schema: SchemaFieldDescription | ReturnType<AnySchema['describe']> | undefined,
): Record<string, SchemaFieldDescription> {
  return schema?.type === 'object' && 'fields' in schema ? schema.fields : {};
}

/** A tuple has several. */
function isDescription(inner: unknown): inner is SchemaFieldDescription {
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner);
}
