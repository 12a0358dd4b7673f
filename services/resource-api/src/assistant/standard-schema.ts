import type { JsonSchemaType, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { AnyObjectSchema, AnySchema } from 'yup';
import { AppError } from '#shared/errors/app-error.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { createSchemaMapper, type JsonSchema, type SchemaMapper } from '../openapi/yup-to-json-schema.ts';
import { timeFacts } from './brief-task.ts';
import { faultsOf } from './failure.ts';

/**
 * A yup schema as the SDK takes it (Standard Schema), shown to clients as `shown`. `measure` throws for a
 * value that is too large to validate.
 */
export function standardSchema(
  schema: AnyObjectSchema,
  shown: JsonSchema,
  measure?: (value: unknown) => void,
): StandardSchemaWithJSON<unknown, unknown> {
  const json: JsonSchemaType = { ...shown };
  return {
    '~standard': {
      version: 1,
      vendor: 'tasks',
      validate(value) {
        try {
          measure?.(value);
          return { value: validateInput(schema, value ?? {}, 'arguments') };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return { issues: faultsOf(error, schema).map((message) => ({ message })) };
        }
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** The top-level members of a response, without the date and time, which all have. */
export function outlineOf(schema: AnySchema): JsonSchema {
  const { type, properties } = portableSchema(schema);
  const members = Object.entries(Object(properties))
    .filter(([name]) => !(name in timeFacts))
    .map(([name, member]) => [name, { type: Object(member).type }]);
  return { type, properties: Object.fromEntries(members) };
}

/**
 * A JSON Schema with only the keywords that every model provider supports. Descriptions state the omitted
 * constraints, and validation still checks them.
 */
export function portableSchema(schema: AnySchema): JsonSchema {
  const mapper = createSchemaMapper();
  return inline(mapper.schemaOf(schema.describe(), 'tool'), mapper.components);
}

const sentKeywords = new Set(
  'type description enum required additionalProperties minimum maximum maxItems'.split(' '),
);

function inline(schema: JsonSchema, components: SchemaMapper['components']): JsonSchema {
  const { $ref: reference, properties, items, ...keywords } = schema;
  const named = typeof reference === 'string' ? components[reference.split('/').at(-1) ?? ''] : undefined;
  return {
    ...(named && inline(named, components)),
    ...Object.fromEntries(Object.entries(keywords).filter(([keyword]) => sentKeywords.has(keyword))),
    ...(isSchema(items) && { items: inline(items, components) }),
    ...(isSchema(properties) && { properties: inlineMembers(properties, components) }),
  };
}

/** The keys are names of fields, not keywords. */
function inlineMembers(properties: JsonSchema, components: SchemaMapper['components']): JsonSchema {
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    isSchema(member) ? inline(member, components) : member,
  ]);
  return Object.fromEntries(members);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
