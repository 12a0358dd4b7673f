import { constantSchema } from '#shared/http/constant-schema.ts';
import type { HostOperation } from '#shared/http/operation.ts';
import { everyScope } from '#shared/scopes.ts';
import { registerPath } from './oauth-paths.ts';

/** null and '' count as omitted: some clients send them. */
const optionalText = (description: string, limits: object = {}) => ({
  type: ['string', 'null'],
  ...limits,
  description,
});
const optionalTexts = (description: string) => ({
  type: ['array', 'string', 'null'],
  items: { type: 'string' },
  maxLength: 0,
  description,
});

const clientRegistration = {
  type: 'object',
  description:
    'Client metadata (RFC 7591 §2). ' +
    'Members that are not listed are ignored, `null` and `""` count as absent.',
  required: ['redirect_uris'],
  additionalProperties: true,
  properties: {
    redirect_uris: {
      type: 'array',
      items: { type: 'string', maxLength: 2_048 },
      minItems: 1,
      description:
        'At most 20. https; http on `localhost`, `127.0.0.1` or `[::1]`, where any port will do later; ' +
        'or a scheme of the app’s own, such as `com.example.app:`.',
    },
    client_name: optionalText('The app’s name, shown to users as unverified.', {
      maxLength: 200,
    }),
    client_uri: optionalText('The app’s page on the web.'),
    logo_uri: optionalText(
      'Fetched when the user is asked, and shown as a small PNG: a PNG, JPEG, WebP or GIF under https.',
    ),
    tos_uri: optionalText('Stored and returned.'),
    policy_uri: optionalText('Stored and returned.'),
    contacts: optionalTexts('E-mail addresses; invalid ones are dropped.'),
    software_id: optionalText('Stored and returned.', { maxLength: 200 }),
    software_version: optionalText('Stored and returned.', { maxLength: 200 }),
    grant_types: optionalTexts('`authorization_code` and `refresh_token` are always registered.'),
    response_types: optionalTexts('Must include `code` when given.'),
    token_endpoint_auth_method: optionalText(
      'Clients are public: `none` is registered, and no secret is ever issued.',
    ),
    scope: optionalText('Not a limit: an app may ask for any scope at any time, and the user decides.'),
    application_type: optionalText('Derived from the redirect URIs.'),
  },
};

const keptTexts = [
  'client_name',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'software_id',
  'software_version',
];
const kept = { type: 'string', description: 'Absent if the client sent none.' };

const registeredClient = {
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
  properties: {
    client_id: { type: 'string', description: 'The id of the client. It has no secret.' },
    client_id_issued_at: { type: 'integer', description: 'Unix timestamp, in seconds.' },
    redirect_uris: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
    ...Object.fromEntries(keptTexts.map((name) => [name, kept])),
    contacts: { ...kept, type: 'array', items: { type: 'string' } },
    grant_types: constantSchema(['authorization_code', 'refresh_token']),
    response_types: constantSchema(['code']),
    token_endpoint_auth_method: constantSchema('none'),
    scope: constantSchema(everyScope),
    application_type: { type: 'string', enum: ['native', 'web'] },
  },
};

export const registrationSchemas = {
  ClientRegistration: clientRegistration,
  RegisteredClient: registeredClient,
};

const example = {
  client_name: 'Notes assistant',
  redirect_uris: ['http://127.0.0.1/callback', 'com.example.notes:/callback'],
  client_uri: 'https://notes.example.com',
  token_endpoint_auth_method: 'none',
};

export const registerOperation: HostOperation = {
  operationId: 'registerClient',
  method: 'post',
  path: registerPath,
  summary: 'Register an app',
  description:
    'Dynamic client registration (RFC 7591), for public clients only. A registration that is unused ' +
    'for 7 days is removed; one with a connected app never is. 60 an hour for each address, ' +
    'unless configured otherwise. An app whose `client_id` is the URL of its metadata document ' +
    'need not register. Needs no token.',
  isLimited: true,
  isOpenToOrigins: true,
  requestBody: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ClientRegistration' },
      example,
    },
  },
  responses: {
    201: {
      description: 'The registered client; requested values may have been replaced.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/RegisteredClient' } } },
    },
  },
  oauthErrors: { 400: ['invalid_redirect_uri', 'invalid_client_metadata', 'invalid_request'] },
  sharedOAuthErrors: [405, 413, 429, 500, 503],
};
