import { isDeepStrictEqual } from 'node:util';
import type { AnySchema, SchemaDescription } from 'yup';
import type { JsonSchema } from './json-schema.ts';
import { keywordsOfTest } from './known-tests.ts';

const jsonTypes: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  array: { type: 'array' },
  object: { type: 'object' },
  mixed: {},
};

export function typeKeywords(
  schema: AnySchema,
  { type, default: fallback }: SchemaDescription,
  json: unknown,
): JsonSchema {
  const keywords = jsonTypes[type];
  if (keywords === undefined) throw new Error(`the type «${type}» is unknown`);
  if (type === 'mixed' && json === undefined) throw new Error('a mixed value needs meta({ json })');
  if (hasConditions(schema)) throw new Error('conditions can’t be shown');
  // An object's default is made of its members' and stands for nothing of its own.
  return { ...keywords, ...(type !== 'object' && fallback !== undefined && { default: fallback }) };
}

/** `when` changes a schema at run time; describe() shows nothing of it, nor do yup's types. */
function hasConditions(schema: AnySchema): boolean {
  const conditions: unknown = Reflect.get(schema, 'conditions');
  return Array.isArray(conditions) && conditions.length > 0;
}

export function testKeywords(
  schema: AnySchema,
  { type, tests }: SchemaDescription,
  json: unknown,
): JsonSchema {
  // describe() keeps the first test of each name.
  if (schema.tests.length > tests.length) throw new Error('two tests of one name can’t be shown');
  const keywords = tests.flatMap((test) => Object.entries(keywordsOfTest(type, test, json !== undefined)));
  if (new Set(keywords.map(([keyword]) => keyword)).size < keywords.length) {
    throw new Error('two tests need the same keyword');
  }
  return Object.fromEntries(keywords);
}

export function choiceKeywords({ oneOf, notOneOf }: SchemaDescription): JsonSchema {
  const allowed = oneOf.filter((value) => value !== null);
  if (allowed.some((value) => typeof value === 'object'))
    throw new Error('a choice of references can’t be shown');
  return {
    ...(allowed.length > 0 && { enum: allowed }),
    ...(notOneOf.length > 0 && { not: { enum: notOneOf } }),
  };
}

export function allowNull(value: JsonSchema): JsonSchema {
  return {
    ...value,
    ...(typeof value.type === 'string' && { type: [value.type, 'null'] }),
    ...(Array.isArray(value.enum) && { enum: [...value.enum, null] }),
  };
}

export function annotationsOf(schema: AnySchema): JsonSchema {
  const { description, example, readOnly } = schema.meta() ?? {};
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
    ...(readOnly && { readOnly }),
  };
}

export function annotationsBeyond(annotations: JsonSchema, component: JsonSchema): JsonSchema {
  const beyond = Object.entries(annotations).filter(
    ([key, value]) => !isDeepStrictEqual(component[key], value),
  );
  return Object.fromEntries(beyond);
}
