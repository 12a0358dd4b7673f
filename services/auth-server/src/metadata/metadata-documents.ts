import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { scopes } from '#shared/scopes.ts';
import { authorizePath, jwksPath, registerPath, revokePath, tokenPath } from '../oauth/oauth-paths.ts';

/** Authorization server metadata (RFC 8414 §2): everything that is served, and nothing else. */
export function serverMetadata(baseUrl: string) {
  return {
    // Byte for byte what `iss` and `authorization_servers` say: clients compare without normalising (RFC 9207 §2.4).
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
    // The URL that the document's own was made from (RFC 9728 §3.3).
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
