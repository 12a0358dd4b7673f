import { authServerOperations } from '#auth-server/operations.ts';
import type { Operation } from '#shared/http/operation.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { documentationPaths } from './documentation-paths.ts';
import { createErrorResponses, problemSchema } from './error-responses.ts';
import { createGuide } from './guide.ts';
import { hostPaths } from './host-paths.ts';
import { oauthErrorSchema, sharedOAuthErrors } from './oauth-errors.ts';
import { type DescriberParts, describeOperation } from './operation-object.ts';
import { createParameterDescriber } from './parameters.ts';
import { responseHeaders } from './response-headers.ts';
import { securitySchemes } from './security-schemes.ts';
import { describeTags } from './tags.ts';
import { transportErrorComponents, withTransportErrors } from './transport-errors.ts';
import { createSchemaMapper } from './yup-to-json-schema.ts';

type JsonObject = Record<string, unknown>;
type Paths = Record<string, JsonObject>;

/**
 * The OpenAPI 3.1 document of the API: `operations`, and the paths that belong to no resource (specification §9).
 * Throws when an operation can't be described completely, or when two answer the same method and path.
 */
export function createDocument(baseUrl: string, operations: readonly Operation[]): JsonObject {
  const mapper = createSchemaMapper();
  const parameters = createParameterDescriber(mapper);
  const errors = createErrorResponses();
  const paths = {
    ...describePaths({ mapper, parameters, errors }, operations),
    ...documentationPaths(errors),
    ...hostPaths(baseUrl, authServerOperations.host(baseUrl)),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Task Management API',
      version: 'v1',
      description: createGuide(baseUrl),
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' },
    },
    servers: [{ url: apiRootOf(baseUrl), description: 'The API.' }],
    tags: describeTags(new Set([...operations.map(({ tag }) => tag), 'OAuth', 'Documentation'])),
    paths: withTransportErrors(paths),
    components: {
      securitySchemes: securitySchemes(baseUrl),
      schemas: { ...mapper.components, ...componentSchemas },
      parameters: parameters.components,
      headers: responseHeaders,
      responses: { ...errors.components, ...sharedOAuthErrors, ...transportErrorComponents },
    },
  };
}

const componentSchemas = {
  Problem: problemSchema,
  ...authServerOperations.schemas,
  OAuthError: oauthErrorSchema,
};

function describePaths(parts: DescriberParts, operations: readonly Operation[]): Paths {
  const paths: Paths = {};
  for (const operation of operations) {
    const { method, path } = operation;
    const item = paths[path] ?? {};
    if (item[method]) throw new Error(`two operations answer ${method} ${path}`);
    paths[path] = { ...item, [method]: describeOperation(parts, operation) };
  }
  return paths;
}
