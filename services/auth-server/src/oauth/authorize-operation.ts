import type { HostOperation, HostResponse } from '#shared/http/operation.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { everyScope, scopes } from '#shared/scopes.ts';
import { authorizePath } from './oauth-paths.ts';

export function authorizeOperation(baseUrl: string): HostOperation {
  return {
    operationId: 'authorize',
    method: 'get',
    path: authorizePath,
    summary: 'Ask the user to allow an app',
    description:
      'Where an app sends its user’s browser (RFC 6749 §4.1.1, with PKCE). The response is the page' +
      ' on which the user signs in and decides; it redirects the browser to `redirect_uri` with ' +
      '`code`, `state` and `iss`, or with `error=access_denied`. Consent is asked every time. Other' +
      ' parameters are ignored. 120 requests a minute for each address, unless configured ' +
      'otherwise. Needs no token.',
    isLimited: true,
    isOpenToOrigins: false,
    parameters: parametersOf(baseUrl),
    responses: {
      200: page('The page on which the user signs in and decides.'),
      303: {
        description:
          'The request was refused: redirects to `redirect_uri` with ' +
          '`error`, `error_description`, `state` and `iss` (RFC 9207) in its query. `error` is one of ' +
          '`invalid_request`, `unsupported_response_type`, `unsupported_response_mode`, `invalid_scope`, ' +
          '`invalid_target`, `interaction_required`, ' +
          '`request_not_supported` and `request_uri_not_supported`.',
        headers: ['Location'],
        content: { 'text/html': textBody, 'text/plain': textBody },
      },
      400: page(
        'The client is unknown, or `redirect_uri` is not registered: an error page, without a redirect.',
      ),
      405: page('Only GET is supported.', 'Allow'),
      429: page('Too many requests.', 'Retry-After'),
      500: page('Something went wrong on our side.'),
      503: page(
        'The service is busy or restarting, or the client’s metadata document can’t be fetched now.',
        'Retry-After',
      ),
    },
  };
}

export const exampleRedirectUri = 'http://127.0.0.1:49152/callback';
/** Of the verifier in the example of a token request (RFC 7636, appendix B). */
const exampleChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const textBody = { schema: { type: 'string' } };

function page(description: string, ...headers: NonNullable<HostResponse['headers']>): HostResponse {
  return { description, headers, content: { 'text/html': textBody } };
}

type Parameter = [name: string, required: boolean, schema: object, description: string];

function parametersOf(baseUrl: string): object[] {
  const string = { type: 'string' };
  const rows: Parameter[] = [
    ['response_type', true, { ...string, enum: ['code'] }, 'Only the authorization code grant.'],
    ['response_mode', false, { ...string, enum: ['query'], default: 'query' }, 'The only supported mode.'],
    [
      'client_id',
      true,
      { ...string, examples: ['app_sVYi8XlpLEvKViR-YGXD3w'] },
      'As registered, or the https URL of the client’s metadata document.',
    ],
    [
      'redirect_uri',
      true,
      { ...string, examples: [exampleRedirectUri] },
      'One of the client’s own, exactly; on a loopback address with any port.',
    ],
    [
      'code_challenge',
      true,
      {
        ...string,
        pattern: '^[A-Za-z0-9_-]{43}$',
        examples: [exampleChallenge],
      },
      'SHA-256 of the code verifier, base64url (RFC 7636 §4.2).',
    ],
    ['code_challenge_method', true, { ...string, enum: ['S256'] }, 'The only supported method.'],
    [
      'scope',
      false,
      { ...string, default: everyScope, examples: ['read'] },
      `Of ${scopes.map((name) => `\`${name}\``).join(' and ')}, separated by blanks; ` +
        'unknown ones are dropped as ' +
        'long as a known one remains. The user may allow less.',
    ],
    ['state', false, string, 'Returned unchanged.'],
    [
      'resource',
      false,
      { type: 'array', items: { type: 'string', format: 'uri' }, examples: [[apiRootOf(baseUrl)]] },
      'The target of the token (RFC 8707): the host, the API or the assistant server. All have the ' +
        'same audience; others are refused.',
    ],
  ];
  return rows.map(([name, required, schema, description]) => ({
    name,
    in: 'query',
    ...(required && { required }),
    description,
    schema,
  }));
}
