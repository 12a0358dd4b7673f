import { AppError } from '#shared/errors/app-error.ts';
import { retryAfterSecondsOf, whenToGoOn } from '#shared/rate-limit/limit-headers.ts';
import type { ToolCall } from './tool.ts';

/** Counts the next entry of a list as a request of the token. Returns the wait if it is refused. */
export async function countEntry(call: ToolCall): Promise<{ retryAfterSeconds: number } | undefined> {
  const verdict = await call.countEntry();
  return verdict.isAllowed ? undefined : { retryAfterSeconds: retryAfterSecondsOf(verdict) };
}

/**
 * Counts all entries of a list that succeeds or fails as a whole. Throws rate_limited for the first entry
 * beyond the limit; a refused list does not count.
 */
export async function countEntries(call: ToolCall, entries: readonly unknown[]): Promise<void> {
  for (let left = entries.length - 1; left > 0; left -= 1) {
    const verdict = await call.countEntry();
    if (verdict.isAllowed && verdict.remaining >= left - 1) continue;
    const wait = whenToGoOn(retryAfterSecondsOf(verdict));
    throw new AppError('rate_limited', {
      message: `Nothing was done: each entry is a request of its own. ${wait}`,
    });
  }
}
