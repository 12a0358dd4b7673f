import { type OAuthErrorCode, oauthErrorCodes } from '#shared/errors/oauth-error-codes.ts';
import type { HostOperation, HostResponse } from '#shared/http/operation.ts';
import { growingEnumeration, unlimitedErrors } from './error-responses.ts';
import { type HeaderName, headersWith, unlimitedHeadersWith } from './response-headers.ts';
import type { JsonObject, JsonSchema } from './yup-to-json-schema.ts';

/** The paths of the host outside the API root. */
export function hostPaths(operations: readonly HostOperation[]): Record<string, JsonObject> {
  return Object.fromEntries(
    operations.map((operation) => [operation.path, { [operation.method]: describeHostOperation(operation) }]),
  );
}

function describeHostOperation(operation: HostOperation): JsonObject {
  const { operationId, summary, description, parameters, requestBody } = operation;
  return {
    operationId,
    tags: ['OAuth'],
    summary,
    description,
    security: [],
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody: { required: true, content: requestBody } }),
    responses: responsesOf(operation),
  };
}

function responsesOf(operation: HostOperation): JsonObject {
  const { responses, oauthErrors = {}, sharedOAuthErrors = [], problems = [], isLimited } = operation;
  const own = Object.entries(responses).map(([status, response]) => [
    status,
    describeResponse(operation, response),
  ]);
  const errors = Object.entries(oauthErrors).map(([status, codes]) => [
    status,
    oauthErrorResponse(codes, { isLimited }),
  ]);
  const shared = sharedOAuthErrors.map((status) => [status, sharedOAuthError(status)]);
  return { ...Object.fromEntries([...own, ...errors, ...shared]), ...unlimitedErrors(problems) };
}

function describeResponse(
  { isLimited, isOpenToOrigins }: HostOperation,
  { description, headers = [], content }: HostResponse,
): JsonObject {
  const describeHeaders = isLimited ? headersWith : unlimitedHeadersWith;
  const origins = isOpenToOrigins ? (['Access-Control-Allow-Origin'] as const) : [];
  return {
    description,
    headers: describeHeaders(...origins, 'Cache-Control', ...headers),
    ...(content && { content }),
  };
}

export const oauthErrorSchema: JsonSchema = {
  type: 'object',
  description: 'The shape of every error of the OAuth endpoints (RFC 6749 §5.2).',
  properties: {
    error: growingEnumeration(Object.keys(oauthErrorCodes), 'The error, for programs.'),
    error_description: {
      type: 'string',
      // RFC 6749 §5.2
      pattern: '^[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]*$',
      description: 'What went wrong, for developers. Its wording may change.',
    },
  },
  required: ['error'],
};

type SharedError = { component: string; code: OAuthErrorCode; what?: string; header?: HeaderName };

/** What every OAuth endpoint may respond with besides its own errors, by status. */
const sharedErrors: Readonly<Record<number, SharedError>> = {
  405: {
    component: 'OAuthMethodNotAllowed',
    code: 'invalid_request',
    what: 'The path does not support that method.',
    header: 'Allow',
  },
  413: { component: 'OAuthBodyTooLarge', code: 'invalid_request', what: 'The request body is too large.' },
  429: {
    component: 'OAuthRateLimited',
    code: 'temporarily_unavailable',
    what: 'Too many requests.',
    header: 'Retry-After',
  },
  500: { component: 'OAuthServerError', code: 'server_error' },
  503: {
    component: 'OAuthUnavailable',
    code: 'temporarily_unavailable',
    what: 'The service is busy or restarting, or a client metadata document is unavailable.',
    header: 'Retry-After',
  },
};

export const sharedOAuthErrors: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.values(sharedErrors).map(({ component, code, what, header }) => [
    component,
    oauthErrorResponse([code], { what, headers: header ? [header] : [], isLimited: true }),
  ]),
);

function sharedOAuthError(status: number): JsonObject {
  const shared = sharedErrors[status];
  if (shared === undefined) throw new Error(`OAuth endpoints share no error of status ${status}`);
  return { $ref: `#/components/responses/${shared.component}` };
}

type Options = { what?: string | undefined; headers?: readonly HeaderName[]; isLimited: boolean };

function oauthErrorResponse(
  codes: readonly OAuthErrorCode[],
  { what, headers = [], isLimited }: Options,
): JsonObject {
  const describeHeaders = isLimited ? headersWith : unlimitedHeadersWith;
  const meaningOf = (code: OAuthErrorCode) => what ?? oauthErrorCodes[code];
  return {
    description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'),
    headers: describeHeaders('Access-Control-Allow-Origin', 'Cache-Control', ...headers),
    'x-error-codes': codes,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
  };
}
