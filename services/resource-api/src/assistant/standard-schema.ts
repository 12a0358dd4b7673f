import type { JsonSchemaType, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { AnyObjectSchema } from 'yup';
import { AppError } from '#shared/errors/app-error.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { JsonSchema } from '../openapi/json-schema.ts';
import { createSchemaMapper, type SchemaMapper } from '../openapi/yup-to-json-schema.ts';

/** A yup schema in the form the SDK takes: what is advertised and what is checked are one. */
export function standardSchema(schema: AnyObjectSchema): StandardSchemaWithJSON<unknown, unknown> {
  const mapper = createSchemaMapper();
  const json: JsonSchemaType = { ...inline(mapper.schemaOf(schema, 'tool'), mapper.components) };
  return {
    '~standard': {
      version: 1,
      vendor: 'tasks',
      validate(value) {
        try {
          return { value: validateInput(schema, value ?? {}, 'arguments') };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const faults = Object.entries(error.errors ?? { arguments: [error.message] });
          return { issues: faults.flatMap(([, messages]) => messages.map((message) => ({ message }))) };
        }
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/**
 * One schema in itself, in keywords that every model provider takes: no references, no examples, and no patterns
 * that need the Unicode flag. What a pattern would say is still checked.
 */
function inline(schema: JsonSchema, components: SchemaMapper['components']): JsonSchema {
  const { $ref: reference, example: _example, examples: _examples, pattern, ...rest } = schema;
  const named = typeof reference === 'string' ? components[reference.split('/').at(-1) ?? ''] : undefined;
  const members = Object.entries({ ...(named && inline(named, components)), ...rest });
  return {
    ...Object.fromEntries(members.map(([key, value]) => [key, inlineMember(value, components)])),
    ...(typeof pattern === 'string' && !/\\p\{/i.test(pattern) && { pattern }),
  };
}

function inlineMember(value: unknown, components: SchemaMapper['components']): unknown {
  if (Array.isArray(value)) return value.map((entry) => inlineMember(entry, components));
  return typeof value === 'object' && value !== null ? inline({ ...value }, components) : value;
}
