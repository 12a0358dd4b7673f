import type { JsonSchemaType, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { AnyObjectSchema, AnySchema } from 'yup';
import { AppError } from '#shared/errors/app-error.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { JsonSchema } from '../openapi/json-schema.ts';
import { createSchemaMapper, type SchemaMapper } from '../openapi/yup-to-json-schema.ts';
import { faultsOf } from './failure.ts';

/**
 * A yup schema in the form the SDK takes: what is advertised and what is checked are one. `measure` throws when there
 * is too much to check.
 */
export function standardSchema(
  schema: AnyObjectSchema,
  measure?: (value: unknown) => void,
): StandardSchemaWithJSON<unknown, unknown> {
  const json: JsonSchemaType = { ...portableSchema(schema) };
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
          return { issues: faultsOf(error).map((message) => ({ message })) };
        }
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/**
 * What a model is shown of a schema: one in itself, in keywords that every model provider takes: no references,
 * examples, formats and uniqueItems, and no patterns that need the Unicode flag. What they would say stands in the
 * descriptions and is still checked.
 */
export function portableSchema(schema: AnySchema): JsonSchema {
  const mapper = createSchemaMapper();
  return inline(mapper.schemaOf(schema, 'tool'), mapper.components);
}

function inline(schema: JsonSchema, components: SchemaMapper['components']): JsonSchema {
  const { $ref: reference, pattern, properties, items, ...further } = schema;
  const { examples: _examples, format: _format, uniqueItems: _uniqueItems, ...rest } = further;
  const named = typeof reference === 'string' ? components[reference.split('/').at(-1) ?? ''] : undefined;
  return {
    ...(named && inline(named, components)),
    ...rest,
    ...(typeof pattern === 'string' && !/\\p\{/i.test(pattern) && { pattern }),
    ...(isSchema(items) && { items: inline(items, components) }),
    ...(isSchema(properties) && { properties: inlineMembers(properties, components) }),
  };
}

/** Here the keys are names of fields, not keywords. */
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
