import type { ExecutionContext } from 'ava';
import type { ApiResponse } from '../support/api-client.ts';
import type { Problem } from '../support/api-types.ts';

/** The one answer of a service whose database does not serve. */
export function expectUnavailable(t: ExecutionContext, answers: readonly ApiResponse<Problem>[]): void {
  for (const { status, headers, body } of answers) {
    t.is(status, 503);
    t.is(body.errorCode, 'service_unavailable');
    t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
}
