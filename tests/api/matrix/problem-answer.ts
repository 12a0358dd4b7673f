import assert from 'node:assert/strict';
import type { ApiResponse } from '#tests/support/api-client.ts';

/** An answer as the matrices compare it: a success is its status, a refusal what a caller can act on. */
export type Answer = {
  status: number;
  errorType?: string;
  errorCode?: string;
  /** The members of `errors`. */
  fields?: string[];
  /** The parameters of the Bearer challenge. */
  challenge?: Record<string, string>;
};

/** Throws when a refusal has not exactly the documented form: its members, its request id, its headers. */
export function answerOf({ status, headers, body }: ApiResponse<unknown>): Answer {
  if (status < 400) return { status };
  const problem = asProblem(body);
  const members = ['errorType', 'errorCode', 'message', ...(problem.errors ? ['errors'] : []), 'requestId'];
  assert.deepEqual(Object.keys(problem), members);
  assert.equal(problem.requestId, headers.get('x-request-id'));
  assert.match(problem.requestId, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.ok(problem.message.length > 0);
  const challenge = readChallenge(headers.get('www-authenticate'));
  return {
    status,
    errorType: problem.errorType,
    errorCode: problem.errorCode,
    ...(problem.errors && { fields: Object.keys(problem.errors) }),
    ...(challenge && { challenge }),
  };
}

type ProblemBody = {
  errorType: string;
  errorCode: string;
  message: string;
  errors?: Record<string, string[]>;
  requestId: string;
};

function asProblem(body: unknown): ProblemBody {
  if (typeof body === 'object' && body !== null && 'errorCode' in body) return body as ProblemBody;
  throw new Error(`no error of the API: ${JSON.stringify(body)}`);
}

/** The messages of a refusal, by field. */
export function errorsOf(body: unknown): Record<string, string[]> {
  return asProblem(body).errors ?? {};
}

/** RFC 9110 §11.6.1, as far as quoted parameters go. */
function readChallenge(header: string | null): Record<string, string> | undefined {
  if (header === null) return undefined;
  const parameters = /^Bearer ((?:\w+="[^"]*"(?:, |$))+)$/.exec(header)?.[1];
  assert.ok(parameters, `no Bearer challenge: ${header}`);
  return Object.fromEntries(
    [...parameters.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

export function invalid(...fields: string[]): Answer {
  return { status: 400, errorType: 'validation', errorCode: 'validation_error', fields };
}

export const notFound: Answer = { status: 404, errorType: 'not_found', errorCode: 'not_found' };
export const suspended: Answer = { status: 423, errorType: 'account', errorCode: 'account_suspended' };
export const rateLimited: Answer = { status: 429, errorType: 'rate_limit', errorCode: 'rate_limited' };
export const invalidState: Answer = { status: 409, errorType: 'conflict', errorCode: 'invalid_state' };
export const premiumRequired: Answer = {
  status: 403,
  errorType: 'plan_limit',
  errorCode: 'premium_required',
};

/** The refusals that carry a challenge, which names the service's own metadata document (RFC 9728 §5.1). */
export function authenticationAnswers(baseUrl: string) {
  const metadata = { resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource` };
  const everyScope = { ...metadata, scope: 'read write' };
  const missing: Answer = {
    status: 401,
    errorType: 'authentication',
    errorCode: 'token_missing',
    challenge: everyScope,
  };
  const refused: Answer = {
    status: 401,
    errorType: 'authentication',
    errorCode: 'token_invalid',
    challenge: { ...everyScope, error: 'invalid_token' },
  };
  const outOfScope = (scope: string): Answer => ({
    status: 403,
    errorType: 'authorization',
    errorCode: 'insufficient_scope',
    challenge: { ...metadata, scope, error: 'insufficient_scope' },
  });
  return { missing, refused, outOfScope };
}
