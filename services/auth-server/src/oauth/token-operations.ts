import { constantSchema } from '#shared/http/constant-schema.ts';
import type { HostOperation } from '#shared/http/operation.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { scopeListPattern } from '#shared/scopes.ts';
import { exampleRedirectUri } from './authorize-operation.ts';
import { revokePath, tokenPath } from './oauth-paths.ts';

const formMediaType = 'application/x-www-form-urlencoded';
const text = (description: string, limits: object = {}) => ({ type: 'string', ...limits, description });

export const tokenResponseSchema = {
  type: 'object',
  description: 'The tokens of a connected app (RFC 6749 §5.1).',
  required: ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
  properties: {
    access_token: text('A bearer token for the API (a JWT, RFC 9068).'),
    token_type: constantSchema('Bearer'),
    expires_in: { type: 'integer', minimum: 1, description: 'Lifetime of the access token in seconds.' },
    refresh_token: text('Valid for one use: each refresh returns a new one.'),
    scope: text('The granted scopes.', {
      pattern: scopeListPattern,
    }),
  },
};

export function tokenOperation(baseUrl: string): HostOperation {
  const examples = tokenRequestExamples(baseUrl);
  return {
    operationId: 'requestToken',
    method: 'post',
    path: tokenPath,
    summary: 'Get or refresh an app’s tokens',
    description:
      'The token endpoint (RFC 6749 §3.2) for the grant types `authorization_code` and ' +
      '`refresh_token`. A code is valid for one use within a minute; reusing it disconnects the ' +
      'app. A refresh token is replaced by each use; its predecessor works for 30 seconds; using it' +
      ' later disconnects the app. A refused request consumes nothing. 300 requests a minute for ' +
      'each address. All lifetimes and limits can be configured. Takes no bearer header.',
    isLimited: true,
    isOpenToOrigins: true,
    requestBody: {
      [formMediaType]: { schema: tokenRequestSchema(baseUrl), examples },
    },
    responses: {
      200: {
        description: 'The tokens.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/TokenResponse' } } },
      },
    },
    oauthErrors: {
      400: [
        'invalid_request',
        'invalid_grant',
        'unauthorized_client',
        'unsupported_grant_type',
        'invalid_scope',
        'invalid_target',
      ],
      401: ['invalid_client'],
    },
    sharedOAuthErrors: [405, 413, 429, 500, 503],
  };
}

function tokenRequestSchema(baseUrl: string): object {
  return {
    type: 'object',
    required: ['grant_type', 'client_id'],
    additionalProperties: true,
    properties: {
      grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
      client_id: text('Public clients have no secret; they use PKCE.'),
      code: text('For `authorization_code`: the received code.'),
      redirect_uri: text('For `authorization_code`: as at the authorization request.'),
      code_verifier: text('For `authorization_code`: the code verifier (RFC 7636 §4.1).', {
        pattern: '^[A-Za-z0-9._~-]{43,128}$',
      }),
      refresh_token: text('For `refresh_token`: the newest one.'),
      scope: text('For `refresh_token`: no more than the user allowed. Not given: all of it.'),
      resource: {
        type: 'array',
        items: { type: 'string', format: 'uri' },
        description: `As at the authorization request: ${baseUrl} or a resource below it.`,
      },
    },
  };
}

function tokenRequestExamples(baseUrl: string) {
  return {
    authorization_code: {
      summary: 'A code for the first tokens',
      value: {
        grant_type: 'authorization_code',
        client_id: '<CLIENT_ID>',
        code: '<CODE>',
        redirect_uri: exampleRedirectUri,
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        resource: [apiRootOf(baseUrl)],
      },
    },
    refresh_token: {
      summary: 'A refresh token for the next tokens',
      value: { grant_type: 'refresh_token', client_id: '<CLIENT_ID>', refresh_token: '<REFRESH_TOKEN>' },
    },
  };
}

const revocation = { token: '<REFRESH_TOKEN>', token_type_hint: 'refresh_token', client_id: '<CLIENT_ID>' };

export const revokeOperation: HostOperation = {
  operationId: 'revokeToken',
  method: 'post',
  path: revokePath,
  summary: 'Revoke an app’s token',
  description:
    'Token revocation (RFC 7009). A refresh token disconnects the app; an access token is refused ' +
    'from the next request on and leaves the refresh token. Unknown tokens and those of other ' +
    'clients get the same response. Takes no bearer header.',
  isLimited: true,
  isOpenToOrigins: true,
  requestBody: {
    [formMediaType]: {
      schema: {
        type: 'object',
        required: ['token', 'client_id'],
        additionalProperties: true,
        properties: {
          token: text('A refresh token or an access token.', { minLength: 1 }),
          token_type_hint: text('Ignored: the service detects the type.', { examples: ['refresh_token'] }),
          client_id: text('The client that the token was issued to.', { minLength: 1 }),
        },
      },
      example: revocation,
    },
  },
  responses: { 200: { description: 'The token is not valid (any more). The body is empty.' } },
  oauthErrors: { 400: ['invalid_request', 'invalid_client'] },
  sharedOAuthErrors: [405, 413, 429, 500, 503],
};
