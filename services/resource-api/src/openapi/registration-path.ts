import { registerPath } from '#shared/contracts/oauth-paths.ts';
import type { JsonSchema } from './json-schema.ts';
import { type OAuthErrorResponses, oauthErrorResponse } from './oauth-errors.ts';
import { headersWith } from './response-headers.ts';

/** null and '' count as left out: clients write them. */
const optionalText = { type: ['string', 'null'] };
const optionalTexts = { type: ['array', 'string', 'null'], items: { type: 'string' }, maxLength: 0 };

export const clientRegistrationSchema: JsonSchema = {
  type: 'object',
  description:
    'Client metadata (RFC 7591 §2). Members that are not listed are ignored, `null` and `""` count as absent.',
  required: ['redirect_uris'],
  additionalProperties: true,
  properties: {
    redirect_uris: {
      type: 'array',
      items: { type: 'string', maxLength: 2_048 },
      minItems: 1,
      description:
        'At most 20. https; http on `localhost`, `127.0.0.1` or `[::1]`, where any port will do later; or a scheme ' +
        'of the app’s own, such as `com.example.app:`.',
    },
    client_name: {
      ...optionalText,
      maxLength: 200,
      description: 'What the user is shown as the app’s name, marked as not checked.',
    },
    client_uri: { ...optionalText, description: 'The app’s page on the web.' },
    logo_uri: { ...optionalText, description: 'Kept and echoed; never fetched or shown.' },
    tos_uri: { ...optionalText, description: 'Kept and echoed.' },
    policy_uri: { ...optionalText, description: 'Kept and echoed.' },
    contacts: { ...optionalTexts, description: 'E-mail addresses; what is none is left out.' },
    software_id: { ...optionalText, maxLength: 200, description: 'Kept and echoed.' },
    software_version: { ...optionalText, maxLength: 200, description: 'Kept and echoed.' },
    grant_types: {
      ...optionalTexts,
      description: 'Whatever is sent, `authorization_code` and `refresh_token` are registered.',
    },
    response_types: { ...optionalTexts, description: 'Must include `code` when given.' },
    token_endpoint_auth_method: {
      ...optionalText,
      description: 'Clients are public: `none` is registered, and no secret is ever issued.',
    },
    scope: {
      ...optionalText,
      description: 'Not a limit: an app may ask for `read` and `write` at any time, and the user decides.',
    },
    application_type: { ...optionalText, description: 'Follows from the redirect URIs, whatever is sent.' },
  },
};

const kept = (description: string): JsonSchema => ({ type: 'string', description });

export const registeredClientSchema: JsonSchema = {
  type: 'object',
  description: 'The client as it was registered (RFC 7591 §3.2.1).',
  required: [
    'client_id',
    'client_id_issued_at',
    'redirect_uris',
    'grant_types',
    'response_types',
    'token_endpoint_auth_method',
    'scope',
    'application_type',
  ],
  additionalProperties: false,
  properties: {
    client_id: { type: 'string', description: 'What the client calls itself from now on. It has no secret.' },
    client_id_issued_at: { type: 'integer', description: 'Seconds since 1970.' },
    redirect_uris: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
    client_name: kept('Absent when the client gave none.'),
    client_uri: kept('Absent when the client gave none.'),
    logo_uri: kept('Absent when the client gave none.'),
    tos_uri: kept('Absent when the client gave none.'),
    policy_uri: kept('Absent when the client gave none.'),
    contacts: { type: 'array', items: { type: 'string' }, description: 'Absent when the client gave none.' },
    software_id: kept('Absent when the client gave none.'),
    software_version: kept('Absent when the client gave none.'),
    grant_types: { const: ['authorization_code', 'refresh_token'] },
    response_types: { const: ['code'] },
    token_endpoint_auth_method: { const: 'none' },
    scope: { const: 'read write' },
    application_type: { type: 'string', enum: ['native', 'web'] },
  },
};

const exampleRequest = {
  client_name: 'Notes assistant',
  redirect_uris: ['http://127.0.0.1/callback', 'com.example.notes:/callback'],
  client_uri: 'https://notes.example.com',
  token_endpoint_auth_method: 'none',
};

const exampleAnswer = {
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  client_id_issued_at: 1_795_288_956,
  client_id: 'app_sVYi8XlpLEvKViR-YGXD3w',
  client_name: exampleRequest.client_name,
  client_uri: exampleRequest.client_uri,
  redirect_uris: exampleRequest.redirect_uris,
  scope: 'read write',
};

export function registrationPath(errors: OAuthErrorResponses): Record<string, Record<string, unknown>> {
  return {
    [registerPath]: {
      post: {
        operationId: 'registerClient',
        tags: ['OAuth'],
        summary: 'Register an app',
        description:
          'Dynamic client registration (RFC 7591), for public clients alone. A registration that nobody has used ' +
          'for 7 days is removed; one with a connected app never is. 60 an hour for each address, unless configured ' +
          'otherwise. An app whose `client_id` is the URL of its metadata document need not register. Needs no token.',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ClientRegistration' },
              example: exampleRequest,
            },
          },
        },
        responses: {
          201: {
            description: 'The client, as it was registered: what was asked for may have been replaced.',
            headers: headersWith('Access-Control-Allow-Origin', 'Cache-Control'),
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/RegisteredClient' },
                example: exampleAnswer,
              },
            },
          },
          400: oauthErrorResponse(['invalid_redirect_uri', 'invalid_client_metadata', 'invalid_request']),
          ...errors.referTo([405, 413, 429, 500, 503]),
        },
      },
    },
  };
}
