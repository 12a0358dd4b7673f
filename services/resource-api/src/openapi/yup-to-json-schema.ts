import { isDeepStrictEqual } from 'node:util';
import { type AnySchema, ArraySchema, ObjectSchema, Schema } from 'yup';
import type { JsonSchema } from './json-schema.ts';
import {
  allowNull,
  annotationsBeyond,
  annotationsOf,
  choiceKeywords,
  testKeywords,
  typeKeywords,
} from './schema-keywords.ts';

export type SchemaMapper = {
  /** The JSON Schema of `schema`; one with a name becomes a reference to its component. Errors name `place`. */
  schemaOf(schema: AnySchema, place: string): JsonSchema;
  /** The named schemas seen so far. */
  components: Readonly<Record<string, JsonSchema>>;
};

/** A schema says something that the document could not repeat. */
export class UnmappableSchemaError extends Error {
  constructor(place: string, cause: unknown) {
    super(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'UnmappableSchemaError';
  }
}

/**
 * Turns yup schemas into JSON Schema 2020-12 (specification §9: the document describes every field). Throws
 * UnmappableSchemaError for a type or a test it does not know and for two different schemas under one name, so that the
 * service does not start with a document that keeps something back.
 */
export function createSchemaMapper(): SchemaMapper {
  const components: Record<string, JsonSchema> = {};
  const values = new Map<string, JsonSchema>();

  function mapSchema(schema: AnySchema, place: string): JsonSchema {
    const name = schema.meta()?.schemaName;
    const nullable = schema.describe().nullable;
    if (name !== undefined) return refer(schema, name, nullable);
    const value = mapValue(schema, place);
    return { ...(nullable ? allowNull(value) : value), ...annotationsOf(schema) };
  }

  function refer(schema: AnySchema, name: string, nullable: boolean): JsonSchema {
    const value = mapValue(schema, name);
    const known = values.get(name);
    if (known === undefined) {
      values.set(name, value);
      components[name] = { ...annotationsOf(schema), ...value };
    } else if (!isDeepStrictEqual(known, value)) {
      throw new UnmappableSchemaError(name, 'two different schemas have this name');
    }
    const reference = { $ref: `#/components/schemas/${name}` };
    const own = annotationsBeyond(annotationsOf(schema), components[name] ?? {});
    return { ...(nullable ? { anyOf: [reference, { type: 'null' }] } : reference), ...own };
  }

  function mapValue(schema: AnySchema, place: string): JsonSchema {
    const description = schema.describe();
    const json = schema.meta()?.json;
    try {
      return {
        ...typeKeywords(schema, description, json),
        ...choiceKeywords(description),
        ...testKeywords(schema, description, json),
        ...memberKeywords(schema, place),
        ...json,
      };
    } catch (cause) {
      throw cause instanceof UnmappableSchemaError ? cause : new UnmappableSchemaError(place, cause);
    }
  }

  function memberKeywords(schema: AnySchema, place: string): JsonSchema {
    if (schema instanceof ArraySchema) return { items: mapMember(schema.innerType, `${place}[]`) };
    if (!(schema instanceof ObjectSchema)) return {};
    const fields = Object.entries(schema.fields);
    const properties = fields.map(([key, field]) => [key, mapMember(field, `${place}.${key}`)]);
    const required = fields.filter(([, field]) => isRequired(field)).map(([key]) => key);
    return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }

  function mapMember(member: unknown, place: string): JsonSchema {
    if (member instanceof Schema) return mapSchema(member, place);
    throw new UnmappableSchemaError(place, 'not a plain schema (lazy, a reference or nothing)');
  }

  return { schemaOf: mapSchema, components };
}

function isRequired(field: unknown): boolean {
  return field instanceof Schema && !field.describe().optional;
}
