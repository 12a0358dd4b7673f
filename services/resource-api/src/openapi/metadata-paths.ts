import { protectedResourceMetadata, serverMetadata } from '#shared/contracts/oauth-metadata.ts';
import { serverMetadataPath } from '#shared/contracts/oauth-paths.ts';
import {
  apiRootPath,
  assistantPath,
  protectedResourceMetadataPath,
} from '#shared/http/protected-resource-urls.ts';
import { unlimitedErrors } from './error-responses.ts';
import type { JsonSchema } from './json-schema.ts';
import { unlimitedHeadersWith } from './response-headers.ts';

type JsonObject = Record<string, unknown>;

/** The documents by which a client that knows nothing but an address finds out the rest. */
export function metadataPaths(baseUrl: string): Record<string, JsonObject> {
  const failures = unlimitedErrors(['method_not_allowed', 'internal_error']);
  const resourceAnswer = (path: string, schema: JsonSchema): JsonObject =>
    documentAnswer('The description of the resource.', schema, protectedResourceMetadata(baseUrl, path));
  return {
    [serverMetadataPath]: {
      get: {
        operationId: 'getAuthorizationServerMetadata',
        tags: ['OAuth'],
        summary: 'What the authorization server offers',
        description:
          'Authorization server metadata (RFC 8414): where to register, to send the user, and to get and revoke ' +
          'tokens. The same for everybody. Needs no token.',
        security: [],
        responses: {
          200: documentAnswer(
            'The description of the server.',
            constantDocument(serverMetadata(baseUrl)),
            serverMetadata(baseUrl),
          ),
          ...failures,
        },
      },
    },
    [protectedResourceMetadataPath]: {
      get: {
        operationId: 'getHostResourceMetadata',
        tags: ['OAuth'],
        summary: 'Which authorization server protects this host',
        description:
          'Protected resource metadata (RFC 9728): what `resource_metadata` in a 401 points to. Needs no token.',
        security: [],
        responses: {
          200: resourceAnswer('', constantDocument(protectedResourceMetadata(baseUrl, ''))),
          ...failures,
        },
      },
    },
    [`${protectedResourceMetadataPath}/{resourcePath}`]: {
      get: {
        operationId: 'getResourceMetadata',
        tags: ['OAuth'],
        summary: 'Which authorization server protects a resource',
        description:
          'Protected resource metadata (RFC 9728) under the path of the resource: of the API, and of the assistant ' +
          'server. `resource` is the URL that the path was built from; any other path is not found. Needs no token.',
        security: [],
        parameters: [resourcePathParameter],
        responses: {
          200: resourceAnswer(apiRootPath, resourceSchema(baseUrl)),
          ...unlimitedErrors(['not_found']),
          ...failures,
        },
      },
    },
  };
}

const resourcePathParameter = {
  name: 'resourcePath',
  in: 'path',
  required: true,
  description: 'The path of the resource, its slashes as they are and not as `%2F`.',
  schema: { type: 'string', enum: [apiRootPath, assistantPath].map((path) => path.slice(1)) },
};

/** Both documents differ in their resource alone. */
function resourceSchema(baseUrl: string): JsonSchema {
  const { properties, ...schema } = constantDocument(protectedResourceMetadata(baseUrl, ''));
  const resource = { type: 'string', enum: [apiRootPath, assistantPath].map((path) => `${baseUrl}${path}`) };
  return { ...schema, properties: { ...properties, resource } };
}

/** The schema of a document that is the same for everybody, to the letter. */
function constantDocument(document: JsonObject) {
  const properties = Object.entries(document).map(([name, value]) => [name, { const: value }]);
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(document),
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
  };
}

function documentAnswer(description: string, schema: JsonSchema, example: JsonObject): JsonObject {
  return {
    description: `${description} May be kept for 5 minutes.`,
    headers: unlimitedHeadersWith('Access-Control-Allow-Origin', 'Cache-Control'),
    content: { 'application/json': { schema, example } },
  };
}
