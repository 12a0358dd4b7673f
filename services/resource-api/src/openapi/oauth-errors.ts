import type { JsonSchema } from './json-schema.ts';
import { type HeaderName, headersWith, unlimitedHeadersWith } from './response-headers.ts';

type ResponseObject = Record<string, unknown>;

/** What an OAuth endpoint answers with: `error`, and when (RFC 6749 §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2, RFC 8707 §2). */
const meanings = {
  invalid_request: 'The request is malformed: a parameter is missing, repeated or of the wrong form.',
  invalid_client: 'The client is not known; it has to register again.',
  invalid_grant:
    'The code or the refresh token is unknown, expired, used before, or was issued for something else.',
  unauthorized_client: 'The client may not use this grant type.',
  unsupported_grant_type: 'The grant type is neither `authorization_code` nor `refresh_token`.',
  invalid_scope: 'None of the scopes is known, or one goes beyond what the user allowed.',
  invalid_target: 'The resource is not one of this service.',
  invalid_redirect_uri: 'A redirect URI is not one that can be registered.',
  invalid_client_metadata: 'Another member of the metadata is not acceptable.',
  temporarily_unavailable: 'Try again when `Retry-After` has passed.',
  server_error: 'Something went wrong on our side.',
} as const;

export type OAuthErrorCode = keyof typeof meanings;

export const oauthErrorSchema: JsonSchema = {
  type: 'object',
  description: 'The shape of every error of the OAuth endpoints (RFC 6749 §5.2).',
  properties: {
    error: { type: 'string', enum: Object.keys(meanings), description: 'What went wrong, for programs.' },
    error_description: {
      type: 'string',
      // RFC 6749 §5.2
      pattern: '^[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]*$',
      description: 'What went wrong, for developers. Its wording may change.',
    },
  },
  required: ['error'],
  additionalProperties: false,
};

/** The answers that every OAuth endpoint may give besides its own. */
const shared: Readonly<
  Record<string, { component: string; code: OAuthErrorCode; what: string; headers: readonly HeaderName[] }>
> = {
  405: {
    component: 'OAuthMethodNotAllowed',
    code: 'invalid_request',
    what: 'The path does not answer that method.',
    headers: ['Allow'],
  },
  413: {
    component: 'OAuthBodyTooLarge',
    code: 'invalid_request',
    what: 'The request body is too large.',
    headers: [],
  },
  429: {
    component: 'OAuthRateLimited',
    code: 'temporarily_unavailable',
    what: 'Too many requests.',
    headers: ['Retry-After'],
  },
  500: { component: 'OAuthServerError', code: 'server_error', what: meanings.server_error, headers: [] },
  503: {
    component: 'OAuthUnavailable',
    code: 'temporarily_unavailable',
    what: 'The service is busy or restarting, or a client metadata document is out of reach.',
    headers: ['Retry-After'],
  },
};

export type OAuthErrorResponses = {
  /** References to the shared answers of these statuses: status → reference. */
  referTo(statuses: readonly number[]): Record<string, ResponseObject>;
  components: Readonly<Record<string, ResponseObject>>;
};

export function createOAuthErrorResponses(): OAuthErrorResponses {
  const components = Object.fromEntries(
    Object.values(shared).map(({ component, code, what, headers }) => [
      component,
      oauthErrorResponse([code], { what, headers }),
    ]),
  );
  return {
    components,
    referTo: (statuses) =>
      Object.fromEntries(
        statuses.map((status) => [
          status,
          { $ref: `#/components/responses/${sharedResponse(status).component}` },
        ]),
      ),
  };
}

/** The same of a path that no limit counts, each described in full. */
export function unlimitedOAuthErrors(statuses: readonly number[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    statuses.map((status) => {
      const { code, what, headers } = sharedResponse(status);
      return [status, oauthErrorResponse([code], { what, headers, isLimited: false })];
    }),
  );
}

function sharedResponse(status: number) {
  const response = shared[status];
  if (response === undefined) throw new Error(`no OAuth endpoint shares an answer of status ${status}`);
  return response;
}

/** The answer of one endpoint that has these errors. */
export function oauthErrorResponse(
  codes: readonly OAuthErrorCode[],
  {
    what,
    headers = [],
    isLimited = true,
  }: { what?: string; headers?: readonly HeaderName[]; isLimited?: boolean } = {},
): ResponseObject {
  const describeHeaders = isLimited ? headersWith : unlimitedHeadersWith;
  const examples = codes.map((code) => [
    code,
    { value: { error: code, error_description: (what ?? meanings[code]).replaceAll('`', "'") } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${what ?? meanings[code]}`).join('\n\n'),
    headers: describeHeaders('Access-Control-Allow-Origin', 'Cache-Control', ...headers),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/OAuthError' }, { properties: { error: { enum: codes } } }],
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
