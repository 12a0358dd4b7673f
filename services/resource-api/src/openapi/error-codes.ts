import { type ErrorCode, errorCatalogue } from '#shared/errors/error-catalogue.ts';
import type { Operation } from '#shared/http/operation.ts';
import { takesIdempotencyKey } from '../idempotency/run-idempotent.ts';

// Object.keys forgets the literal names.
export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

const always: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'service_unavailable'];
const ofToken: readonly ErrorCode[] = ['token_missing', 'token_invalid', 'insufficient_scope'];
const ofWriting: readonly ErrorCode[] = ['account_suspended'];
const ofParameters: readonly ErrorCode[] = ['validation_error'];
const ofBody: readonly ErrorCode[] = ['validation_error', 'body_too_large', 'unsupported_media_type'];
const ofIdempotencyKey: readonly ErrorCode[] = ['validation_error', 'idempotency_key_reused'];
const ofPath: readonly ErrorCode[] = ['not_found'];

/** Every code that an operation can answer, in the order of the catalogue: its own, and those of the checks before it. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const { scope, method, path } = operation;
  const hasParameters = Object.keys(operation.query?.describe().fields ?? {}).length > 0;
  const readsBody = method !== 'get';
  const codes = new Set<ErrorCode>([
    ...always,
    ...(scope === null ? [] : ofToken),
    ...(scope === 'write' ? ofWriting : []),
    ...(hasParameters ? ofParameters : []),
    // An operation without a body refuses one all the same.
    ...(readsBody ? ofBody : []),
    ...(takesIdempotencyKey(operation) ? ofIdempotencyKey : []),
    ...(path.includes('{') ? ofPath : []),
    ...(operation.errors ?? []),
  ]);
  return errorCodes.filter((code) => codes.has(code));
}
