import type { JsonSchemaType, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { AnyObjectSchema, AnySchema } from 'yup';
import { AppError } from '#shared/errors/app-error.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { createSchemaMapper, type JsonSchema, type SchemaMapper } from '../openapi/yup-to-json-schema.ts';
import { faultsOf } from './failure.ts';

/** A yup schema as the SDK takes it (Standard Schema). `measure` throws for a value that is too large to validate. */
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
 * A JSON Schema in the keywords that every model provider supports: no references, examples, formats, uniqueItems and
 * patterns with the Unicode flag. Descriptions say what these would, and validation still checks it.
 */
export function portableSchema(schema: AnySchema): JsonSchema {
  const mapper = createSchemaMapper();
  return inline(mapper.schemaOf(schema.describe(), 'tool'), mapper.components);
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
