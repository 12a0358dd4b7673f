import { apiRootOf, apiRootPath, assistantPath } from '#shared/http/protected-resource-urls.ts';
import { scopes } from '#shared/scopes.ts';
import type { ErrorResponses } from './error-responses.ts';
import type { JsonSchema } from './json-schema.ts';
import { headersWith } from './response-headers.ts';

type JsonObject = Record<string, unknown>;

const authorizationServerPath = '/.well-known/oauth-authorization-server';
const protectedResourcePath = '/.well-known/oauth-protected-resource';

/** The documents by which a client that knows nothing but an address finds out the rest. */
export function metadataPaths(baseUrl: string, errors: ErrorResponses): Record<string, JsonObject> {
  const failures = errors.referTo(['method_not_allowed', 'internal_error']);
  const resourceAnswer = (resource: string, schema: JsonSchema): JsonObject =>
    documentAnswer('The description of the resource.', schema, protectedResource(baseUrl, resource));
  return {
    [authorizationServerPath]: {
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
            constantDocument(authorizationServer(baseUrl)),
            authorizationServer(baseUrl),
          ),
          ...failures,
        },
      },
    },
    [protectedResourcePath]: {
      get: {
        operationId: 'getHostResourceMetadata',
        tags: ['OAuth'],
        summary: 'Which authorization server protects this host',
        description:
          'Protected resource metadata (RFC 9728): what `resource_metadata` in a 401 points to. Needs no token.',
        security: [],
        responses: {
          200: resourceAnswer(baseUrl, constantDocument(protectedResource(baseUrl, baseUrl))),
          ...failures,
        },
      },
    },
    [`${protectedResourcePath}/{resourcePath}`]: {
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
          200: resourceAnswer(apiRootOf(baseUrl), resourceSchema(baseUrl)),
          ...errors.referTo(['not_found']),
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

function authorizationServer(baseUrl: string): JsonObject {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${apiRootOf(baseUrl)}/docs`,
  };
}

function protectedResource(baseUrl: string, resource: string): JsonObject {
  return {
    resource,
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Task Management',
    resource_documentation: `${apiRootOf(baseUrl)}/docs`,
  };
}

/** Both documents differ in their resource alone. */
function resourceSchema(baseUrl: string): JsonSchema {
  const { properties, ...schema } = constantDocument(protectedResource(baseUrl, baseUrl));
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
    headers: headersWith('Access-Control-Allow-Origin', 'Cache-Control'),
    content: { 'application/json': { schema, example } },
  };
}
