import type { OwnStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/**
 * Without Redis each process counts requests for itself, from nothing. A machine that is too busy for Redis
 * to answer in time looks the same, so what was counted across such a change is counted again, from the
 * start.
 */
export async function withOneCounter<Result>(
  { log }: OwnStack,
  count: () => Promise<Result>,
): Promise<Result> {
  const changes = () => log.filter(({ msg }) => /^Redis (is unavailable|recovered)/.test(msg)).length;
  const attempt = async () => {
    const before = changes();
    const result = await count();
    return changes() === before ? { result } : undefined;
  };
  const what = 'a minute in which Redis answers';
  return (await waitFor(attempt, { timeoutMilliseconds: 120_000, what })).result;
}
