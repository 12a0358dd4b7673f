import { constantSchema } from '#shared/http/constant-schema.ts';
import type { HostOperation, HostResponse } from '#shared/http/operation.ts';
import {
  apiRootOf,
  apiRootPath,
  assistantPath,
  protectedResourceMetadataPath,
} from '#shared/http/protected-resource-urls.ts';
import { scopes } from '#shared/scopes.ts';
import {
  authorizePath,
  jwksPath,
  registerPath,
  revokePath,
  serverMetadataPath,
  tokenPath,
} from '../oauth/oauth-paths.ts';

/** The documents for discovery by address. */
export function metadataOperations(baseUrl: string): HostOperation[] {
  const common = { method: 'get', isLimited: false, isOpenToOrigins: true } as const;
  const hostResource = constantDocument(protectedResourceMetadata(baseUrl, ''));
  return [
    {
      ...common,
      operationId: 'getAuthorizationServerMetadata',
      path: serverMetadataPath,
      summary: 'Authorization server metadata',
      description:
        'Authorization server metadata (RFC 8414): where to register, to send the user, ' +
        'and to get and revoke ' +
        'tokens. The same for every client. Needs no token.',
      responses: {
        200: documentResponse('The description of the server.', constantDocument(serverMetadata(baseUrl))),
      },
      problems: ['method_not_allowed', 'internal_error'],
    },
    {
      ...common,
      operationId: 'getHostResourceMetadata',
      path: protectedResourceMetadataPath,
      summary: 'Which authorization server protects this host',
      description:
        'Protected resource metadata (RFC 9728): what `resource_metadata` in a 401 points to. ' +
        'Needs no token.',
      responses: { 200: documentResponse('The description of the resource.', hostResource) },
      problems: ['method_not_allowed', 'internal_error'],
    },
    {
      ...common,
      operationId: 'getResourceMetadata',
      path: `${protectedResourceMetadataPath}/{resourcePath}`,
      summary: 'Which authorization server protects a resource',
      description:
        'Protected resource metadata (RFC 9728) under the path of the resource: of the API, ' +
        'and of the assistant server. `resource` is the URL that the path was built from; ' +
        'any other path is not found. Needs no token.',
      parameters: [
        {
          name: 'resourcePath',
          in: 'path',
          required: true,
          description: 'The path of the resource, its slashes as they are and not as `%2F`.',
          schema: { type: 'string', enum: resourcePaths.map((path) => path.slice(1)) },
        },
      ],
      responses: {
        200: documentResponse('The description of the resource.', {
          ...hostResource,
          properties: {
            ...hostResource.properties,
            resource: { type: 'string', enum: resourcePaths.map((path) => `${baseUrl}${path}`) },
          },
        }),
      },
      problems: ['not_found', 'method_not_allowed', 'internal_error'],
    },
  ];
}

const resourcePaths = [apiRootPath, assistantPath];

function constantDocument(document: Readonly<Record<string, string | boolean | readonly string[]>>) {
  const properties: Record<string, object> = {};
  for (const [name, value] of Object.entries(document)) properties[name] = constantSchema(value);
  return { type: 'object', required: Object.keys(document), properties };
}

function documentResponse(description: string, schema: object): HostResponse {
  return {
    description: `${description} May be cached for 5 minutes.`,
    content: { 'application/json': { schema } },
  };
}

/** Authorization server metadata (RFC 8414 §2): everything that is served, and nothing else. */
export function serverMetadata(baseUrl: string) {
  return {
    // Equal to `iss` and `authorization_servers`: clients compare without normalising (RFC 9207 §2.4).
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${authorizePath}`,
    token_endpoint: `${baseUrl}${tokenPath}`,
    registration_endpoint: `${baseUrl}${registerPath}`,
    revocation_endpoint: `${baseUrl}${revokePath}`,
    jwks_uri: `${baseUrl}${jwksPath}`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: documentationOf(baseUrl),
  };
}

/** Protected resource metadata (RFC 9728 §2) of the resource at this path of the host. */
export function protectedResourceMetadata(baseUrl: string, path: string) {
  return {
    // The URL that the document's own is derived from (RFC 9728 §3.3).
    resource: `${baseUrl}${path}`,
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Task Management',
    resource_documentation: documentationOf(baseUrl),
  };
}

function documentationOf(baseUrl: string): string {
  return `${apiRootOf(baseUrl)}/docs`;
}
