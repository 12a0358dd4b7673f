import { AppError } from '#shared/errors/app-error.ts';
import { retryAfterSecondsOf, whenToGoOn } from '#shared/rate-limit/limit-headers.ts';
import type { ToolCall } from './tool.ts';

/** Counts the next entry of a list as a request of the token. Returns how long to wait where it is refused. */
export async function countEntry(call: ToolCall): Promise<{ retryAfterSeconds: number } | undefined> {
  const verdict = await call.countEntry();
  return verdict.isAllowed ? undefined : { retryAfterSeconds: retryAfterSecondsOf(verdict) };
}

/** The same for all entries of a list of which all is done or nothing. Throws rate_limited. */
export async function countEntries(call: ToolCall, entries: readonly unknown[]): Promise<void> {
  for (const _further of entries.slice(1)) {
    const refused = await countEntry(call);
    if (refused === undefined) continue;
    throw new AppError('rate_limited', {
      message: `Nothing was done: each entry is a request of its own. ${whenToGoOn(refused.retryAfterSeconds)}`,
    });
  }
}
