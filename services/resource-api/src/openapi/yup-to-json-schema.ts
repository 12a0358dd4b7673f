import { isDeepStrictEqual } from 'node:util';
import type { SchemaDescription, SchemaFieldDescription } from 'yup';

export type JsonObject = Record<string, unknown>;
/** A JSON Schema (2020-12), or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export type SchemaMapper = {
  /** The JSON Schema of what `describe()` returned; a named one becomes a reference. Errors name `place`. */
  schemaOf(description: SchemaFieldDescription, place: string): JsonSchema;
  /** The named schemas seen so far. */
  components: Readonly<Record<string, JsonSchema>>;
};

/** A schema has a part that the document could not show. */
class UnmappableSchemaError extends Error {
  constructor(place: string, message: string) {
    super(`${place}: ${message}`);
    this.name = 'UnmappableSchemaError';
  }
}

/** What `describe()` returns for a schema that is no reference and not lazy. */
type Described = SchemaDescription & {
  fields?: Record<string, SchemaFieldDescription>;
  innerType?: SchemaFieldDescription | SchemaFieldDescription[] | undefined;
};

const jsonTypes = new Set(['string', 'number', 'boolean', 'array', 'object']);

type Params = Readonly<Record<string, unknown>>;

/** What those of yup's own tests that are in use mean in JSON Schema, by the type they are on. */
const yupTests: Readonly<Record<string, (params: Params) => JsonSchema>> = {
  // yup treats an empty string as missing.
  'string required': () => ({ minLength: 1 }),
  'number min': ({ min, more }) => (more === undefined ? { minimum: min } : { exclusiveMinimum: more }),
  'number max': ({ max, less }) => (less === undefined ? { maximum: max } : { exclusiveMaximum: less }),
  'array min': ({ min }) => ({ minItems: min }),
  'array max': ({ max }) => ({ maxItems: max }),
  'array distinct': () => ({ uniqueItems: true }),
};

/**
 * Turns yup schemas, as `describe()` shows them, into JSON Schema 2020-12. Throws UnmappableSchemaError for a
 * type or a test it does not know and for two different schemas under one name: the document never hides a
 * constraint.
 */
export function createSchemaMapper(): SchemaMapper {
  const components: Record<string, JsonSchema> = {};
  const values = new Map<string, JsonSchema>();

  function mapField(
    field: SchemaFieldDescription | SchemaFieldDescription[] | undefined,
    place: string,
  ): JsonSchema {
    if (field !== undefined && 'tests' in field) return mapSchema(field, place);
    throw new UnmappableSchemaError(place, 'not a plain schema (lazy, a reference or nothing)');
  }

  function mapSchema(schema: Described, place: string): JsonSchema {
    const name = schema.meta?.schemaName;
    if (name !== undefined) return refer(schema, name);
    const value = mapValue(schema, place);
    return { ...(schema.nullable ? allowNull(value) : value), ...annotationsOf(schema) };
  }

  function refer(schema: Described, name: string): JsonSchema {
    const value = mapValue(schema, name);
    if (!isDeepStrictEqual(values.get(name) ?? value, value))
      throw new UnmappableSchemaError(name, 'two different schemas have this name');
    values.set(name, value);
    const component = components[name] ?? { ...annotationsOf(schema), ...value };
    components[name] = component;
    const own = Object.entries(annotationsOf(schema)).filter(
      ([key, text]) => !isDeepStrictEqual(component[key], text),
    );
    const reference = { $ref: `#/components/schemas/${name}` };
    return {
      ...(schema.nullable ? { anyOf: [reference, { type: 'null' }] } : reference),
      ...Object.fromEntries(own),
    };
  }

  function mapValue(schema: Described, place: string): JsonSchema {
    return {
      ...typeKeywords(schema, place),
      ...choiceKeywords(schema, place),
      ...testKeywords(schema, place),
      ...memberKeywords(schema, place),
      ...schema.meta?.json,
    };
  }

  function memberKeywords(schema: Described, place: string): JsonSchema {
    if (schema.type === 'array') return { items: mapField(schema.innerType, `${place}[]`) };
    if (schema.fields === undefined) return {};
    const fields = Object.entries(schema.fields);
    const properties = fields.map(([key, field]) => [key, mapField(field, `${place}.${key}`)]);
    const required = fields.filter(([, field]) => !isOptional(field)).map(([key]) => key);
    return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }

  return { schemaOf: mapField, components };
}

export function isOptional(field: SchemaFieldDescription): boolean {
  return 'optional' in field && field.optional;
}

function typeKeywords({ type, meta, default: fallback }: SchemaDescription, place: string): JsonSchema {
  if (type === 'mixed' && meta?.json !== undefined) return {};
  if (!jsonTypes.has(type)) throw new UnmappableSchemaError(place, `the type «${type}» can’t be shown`);
  // An object's default is made of its members' defaults.
  return { type, ...(type !== 'object' && fallback !== undefined && { default: fallback }) };
}

function choiceKeywords({ oneOf, notOneOf }: SchemaDescription, place: string): JsonSchema {
  const allowed = oneOf.filter((value) => value !== null);
  if (allowed.some((value) => typeof value === 'object'))
    throw new UnmappableSchemaError(place, 'a choice of references can’t be shown');
  return {
    ...(allowed.length > 0 && { enum: allowed }),
    ...(notOneOf.length > 0 && { not: { enum: notOneOf } }),
  };
}

/** A test of our own is shown by its schema's `meta({ json })`. */
function testKeywords({ type, tests, meta }: SchemaDescription, place: string): JsonSchema {
  const keywords = tests.map(({ name = '', params = {} }) => {
    const standard = yupTests[`${type} ${name}`];
    if (standard === undefined && meta?.json === undefined)
      throw new UnmappableSchemaError(place, `the test «${name}» on a ${type} needs meta({ json })`);
    return standard?.(params) ?? {};
  });
  const names = keywords.flatMap(Object.keys);
  if (new Set(names).size < names.length)
    throw new UnmappableSchemaError(place, 'two tests need the same keyword');
  return Object.assign({}, ...keywords);
}

function allowNull(value: JsonSchema): JsonSchema {
  return {
    ...value,
    ...(typeof value.type === 'string' && { type: [value.type, 'null'] }),
    ...(Array.isArray(value.enum) && { enum: [...value.enum, null] }),
  };
}

function annotationsOf({ meta }: SchemaDescription): JsonSchema {
  const { description, example } = meta ?? {};
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}
