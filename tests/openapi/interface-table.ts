/** The published interface's own list of endpoints: method, path, scope, and the statuses it names (specification §4). */
export const interfaceTable = [
  ['get', '/me', 'read', [200]],
  ['post', '/auth/token', null, [200, 400]],
  ['get', '/tasks', 'read', [200, 404]],
  ['get', '/projects/{id}/tasks', 'read', [200, 404]],
  ['get', '/tasks/{id}', 'read', [200, 404]],
  ['post', '/tasks', 'write', [201, 400, 404]],
  ['patch', '/tasks/{id}', 'write', [200, 400, 404]],
  ['post', '/tasks/{id}/move', 'write', [200, 400, 404]],
  ['post', '/tasks/{id}/complete', 'write', [200, 404]],
  ['post', '/tasks/{id}/uncomplete', 'write', [200, 404]],
  ['post', '/tasks/{id}/cancel', 'write', [200, 404]],
  ['post', '/tasks/{id}/uncancel', 'write', [200, 404]],
  ['delete', '/tasks/{id}', 'write', [204, 404]],
  ['post', '/tasks/{id}/restore', 'write', [200, 404]],
  ['get', '/projects', 'read', [200]],
  ['get', '/projects/{id}', 'read', [200, 404]],
  ['get', '/projects/{id}/sections', 'read', [200, 404]],
  ['post', '/projects', 'write', [201, 400, 403]],
  ['patch', '/projects/{id}', 'write', [200, 400, 404]],
  ['post', '/projects/{id}/complete', 'write', [200, 404]],
  ['post', '/projects/{id}/uncomplete', 'write', [200, 404]],
  ['delete', '/projects/{id}', 'write', [204, 404]],
  ['get', '/areas', 'read', [200]],
  ['get', '/areas/{id}', 'read', [200, 404]],
  ['post', '/areas', 'write', [201, 400, 403]],
  ['patch', '/areas/{id}', 'write', [200, 400, 404]],
  ['delete', '/areas/{id}', 'write', [204, 404]],
] as const;

/** The same of the OAuth and metadata endpoints, which need no bearer token. */
export const hostInterfaceTable = [
  ['post', '/oauth/register', [201, 400]],
  ['get', '/oauth/authorize', [200]],
  ['post', '/oauth/token', [200, 400, 401]],
  ['post', '/oauth/revoke', [200, 400]],
  ['get', '/.well-known/oauth-authorization-server', [200]],
  ['get', '/.well-known/oauth-protected-resource', [200]],
  ['get', '/.well-known/oauth-protected-resource/{resourcePath}', [200, 404]],
] as const;

/** The fields and parameters that it names for them. */
export const hostInterfaceFields = {
  '/oauth/authorize': [
    'response_type',
    'response_mode',
    'client_id',
    'redirect_uri',
    'code_challenge',
    'code_challenge_method',
    'scope',
    'state',
    'resource',
  ],
  '/oauth/token': [
    'grant_type',
    'code',
    'redirect_uri',
    'client_id',
    'code_verifier',
    'refresh_token',
    'resource',
    'scope',
  ],
  '/oauth/revoke': ['token', 'token_type_hint', 'client_id'],
} as const;
