import type { IncomingHttpHeaders } from 'node:http';
import { invalidField } from '#shared/errors/errors.ts';
import type { Operation } from '#shared/http/operation.ts';

/** Whether the operation may be asked to be done once: GET, PATCH and DELETE can be repeated as they are. */
export function takesIdempotencyKey({ method, scope }: Pick<Operation, 'method' | 'scope'>): boolean {
  return method === 'post' && scope === 'write';
}

/** 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = /^[!-~]{1,255}$/;

/**
 * The request's `Idempotency-Key`; undefined when it has none. Throws validation_error for a malformed one. Node joins
 * a header that came twice with a comma and a blank, and no key holds a blank.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && idempotencyKeyPattern.test(key)) return key;
  throw invalidField(
    'Idempotency-Key',
    'Idempotency-Key must be 1 to 255 visible ASCII characters, sent once.',
  );
}
