import { isDeepStrictEqual } from 'node:util';
import type { SchemaFieldDescription } from 'yup';
import type { Operation } from '#shared/http/operation.ts';
import { idempotencyKeyPattern, takesIdempotencyKey } from '../idempotency/run-idempotent.ts';
import { isOptional, type JsonObject, type JsonSchema, type SchemaMapper } from './yup-to-json-schema.ts';

export type ParameterDescriber = ReturnType<typeof createParameterDescriber>;

/** Parameters that every list has (specification §4), by their names in a query. */
const sharedParameters: Readonly<Record<string, string>> = { limit: 'Limit', cursor: 'Cursor' };

/** Describes path, query and header parameters. Throws when a shared parameter is not the same everywhere. */
export function createParameterDescriber(mapper: SchemaMapper) {
  const components: Record<string, JsonObject> = {};

  function queryParameter(name: string, field: SchemaFieldDescription): JsonObject {
    const { description, ...schema } = mapper.schemaOf(field, name);
    return {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(!isOptional(field) && { required: true }),
      schema,
    };
  }

  function share(component: string, parameter: JsonObject): JsonObject {
    if (!isDeepStrictEqual(components[component] ?? parameter, parameter)) {
      throw new Error(`the parameter ${component} differs between operations`);
    }
    components[component] = parameter;
    return { $ref: `#/components/parameters/${component}` };
  }

  return {
    /** The parameters that operations share, under their component names. */
    components,
    parametersOf(operation: Operation): JsonObject[] {
      const { path, query } = operation;
      const inQuery = Object.entries(query?.describe().fields ?? {}).map(([name, field]) => {
        const parameter = queryParameter(name, field);
        const component = sharedParameters[name];
        return component === undefined ? parameter : share(component, parameter);
      });
      const inHeader = takesIdempotencyKey(operation) ? [share('IdempotencyKey', idempotencyKey)] : [];
      return [...pathParameters(path), ...inQuery, ...inHeader];
    },
  };
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes retries safe: within 24 hours the same key with the same token gets the first response ' +
    'again, with `Idempotency-Replayed: true`. With another path or body it is 409. Only successes ' +
    'are stored. Use a new random UUID for each operation.',
  schema: {
    type: 'string',
    pattern: idempotencyKeyPattern.source,
    examples: ['0d8f6c1e-52b7-4f0a-9c1d-3a1f6a4b7e90'],
  },
};
const uuid: JsonSchema = { type: 'string', format: 'uuid' };

/** `/tasks/{id}` → the parameter `id`, of a task. */
function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\/(\w+)\/\{(\w+)\}/g)].map(([, collection = '', name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Identifies the ${collection.replace(/s$/, '')}; 404 unless it is a UUID.`,
    schema: uuid,
  }));
}
