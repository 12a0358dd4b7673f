import { authorizePath } from '#shared/contracts/oauth-paths.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import type { JsonSchema } from './json-schema.ts';
import { type HeaderName, headersWith } from './response-headers.ts';

type JsonObject = Record<string, unknown>;

export function authorizationPath(baseUrl: string): Record<string, JsonObject> {
  return {
    [authorizePath]: {
      get: {
        operationId: 'authorize',
        tags: ['OAuth'],
        summary: 'Ask the user to allow an app',
        description:
          'Where an app sends its user’s browser (RFC 6749 §4.1.1, with PKCE). The answer is the page on which the ' +
          'user signs in and decides; from there the browser returns to `redirect_uri` with `code`, `state` and ' +
          '`iss`, or with `error=access_denied`. Consent is asked every time. Other parameters are ignored. 120 ' +
          'requests a minute for each address, unless configured otherwise. Needs no token.',
        security: [],
        parameters: parametersOf(baseUrl),
        responses: {
          200: page('The page on which the user signs in and decides.'),
          303: {
            description:
              'The request was refused and the client can be trusted with the reason: back to `redirect_uri`, with ' +
              '`error`, `error_description`, `state` and `iss` (RFC 9207) in its query. `error` is one of ' +
              '`invalid_request`, `unsupported_response_type`, `unsupported_response_mode`, `invalid_scope`, ' +
              '`invalid_target`, `interaction_required`, `request_not_supported` and `request_uri_not_supported`.',
            headers: headersWith('Location', 'Cache-Control'),
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
          400: page(
            'The client is not known, or `redirect_uri` is not one of its own: the user is told, and stays here.',
          ),
          405: page('The path answers GET alone.', 'Allow'),
          429: page('Too many requests.', 'Retry-After'),
          500: page('Something went wrong on our side.'),
          503: page(
            'The service is busy or restarting, or the client’s metadata document can’t be fetched now.',
            'Retry-After',
          ),
        },
      },
    },
  };
}

function page(description: string, ...headers: HeaderName[]): JsonObject {
  return {
    description,
    headers: headersWith('Cache-Control', ...headers),
    content: { 'text/html': { schema: { type: 'string' } } },
  };
}

function parametersOf(baseUrl: string): JsonObject[] {
  return [
    required('response_type', { type: 'string', enum: ['code'] }, 'The authorization code grant alone.'),
    optional(
      'response_mode',
      { type: 'string', enum: ['query'], default: 'query' },
      'No other mode is served.',
    ),
    required(
      'client_id',
      { type: 'string', examples: ['app_sVYi8XlpLEvKViR-YGXD3w'] },
      'As registered, or the https URL of the client’s metadata document.',
    ),
    required(
      'redirect_uri',
      { type: 'string', examples: ['http://127.0.0.1:49152/callback'] },
      'One of the client’s own, to the letter; on a loopback address with any port.',
    ),
    required(
      'code_challenge',
      {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]{43}$',
        examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
      },
      'SHA-256 of the code verifier, base64url (RFC 7636 §4.2).',
    ),
    required('code_challenge_method', { type: 'string', enum: ['S256'] }, 'The one method there is.'),
    optional(
      'scope',
      { type: 'string', default: 'read write', examples: ['read'] },
      'Of `read` and `write`, separated by blanks; unknown ones are dropped as long as a known one remains. The ' +
        'user may allow less.',
    ),
    optional('state', { type: 'string' }, 'Comes back as it was sent.'),
    optional(
      'resource',
      {
        type: 'array',
        items: { type: 'string', format: 'uri' },
        examples: [[apiRootOf(baseUrl)]],
      },
      'What the token is for (RFC 8707): the host, the API or the assistant server. All are one audience; another ' +
        'is refused.',
    ),
  ];
}

function required(name: string, schema: JsonSchema, description: string): JsonObject {
  return { name, in: 'query', required: true, description, schema };
}

function optional(name: string, schema: JsonSchema, description: string): JsonObject {
  return { name, in: 'query', description, schema };
}
