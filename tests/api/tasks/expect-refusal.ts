import type { ExecutionContext } from 'ava';
import type { ApiResponse } from '#tests/support/api-client.ts';

const refusals = {
  not_found: { status: 404, body: { errorType: 'not_found', errorCode: 'not_found' } },
  invalid_state: { status: 409, body: { errorType: 'conflict', errorCode: 'invalid_state' } },
  premium_required: { status: 403, body: { errorType: 'plan_limit', errorCode: 'premium_required' } },
  insufficient_scope: { status: 403, body: { errorType: 'authorization', errorCode: 'insufficient_scope' } },
  account_suspended: { status: 423, body: { errorType: 'account', errorCode: 'account_suspended' } },
};

export function expectRefusal(
  t: ExecutionContext,
  answer: ApiResponse<unknown>,
  code: keyof typeof refusals,
  about?: string,
): void {
  t.like(answer, refusals[code], about);
}

/** A validation failure that names these fields and no others. */
export function expectInvalid(
  t: ExecutionContext,
  { status, body }: ApiResponse<unknown>,
  fields: readonly string[],
  about?: string,
): void {
  const faults = { errorType: 'validation', errorCode: 'validation_error' };
  t.like({ status, body }, { status: 400, body: faults }, about);
  t.deepEqual(Object.keys(errorsOf(body)).sort(), [...fields].sort(), about);
}

export function errorsOf(body: unknown): Record<string, string[]> {
  const isObject = typeof body === 'object' && body !== null && 'errors' in body;
  return isObject ? (body.errors as Record<string, string[]>) : {};
}
