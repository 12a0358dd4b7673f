import { locate, type OpenApiDocument } from '#tests/support/openapi-document.ts';

/** The keywords of JSON Schema that the served document uses for requests. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean;
  minProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
};

export type ResolveSchema = (schema: Schema) => Schema;

const understood = new Set(
  ['$ref type properties required additionalProperties minProperties items minItems maxItems uniqueItems']
    .concat(['anyOf enum minLength maxLength pattern format minimum maximum'])
    .concat(['description examples default title readOnly deprecated'])
    .flatMap((words) => words.split(' ')),
);

/** Follows a reference. Throws for a keyword that this fuzzer would silently ignore. */
export function createResolver(document: OpenApiDocument): ResolveSchema {
  return (schema) => {
    const { $ref } = schema;
    const resolved = $ref === undefined ? schema : locate<Schema>(document, $ref.replace(/^#/, ''))?.value;
    if (resolved === undefined) throw new Error(`the document has nothing at ${$ref}`);
    const foreign = Object.keys(resolved).filter(
      (keyword) => !understood.has(keyword) && !keyword.startsWith('x-'),
    );
    if (foreign.length > 0) throw new Error(`the fuzzer does not know the keywords ${foreign.join(', ')}`);
    return resolved;
  };
}

/** The types a schema allows; of `anyOf`, those of all branches. */
export function typesOf(schema: Schema, resolve: ResolveSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => typesOf(resolve(branch), resolve));
  return [schema.type ?? []].flat();
}

/** The schema without the branches that say no more than `null`. */
export function withoutNull(schema: Schema, resolve: ResolveSchema): Schema {
  const branch = schema.anyOf?.map(resolve).find(({ type }) => type !== 'null');
  if (schema.anyOf) return branch ?? schema;
  return { ...schema, type: [schema.type ?? []].flat().filter((type) => type !== 'null') };
}
