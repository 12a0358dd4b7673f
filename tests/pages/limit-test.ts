import test, { type ExecutionContext } from 'ava';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type LimitTest = (t: ExecutionContext, stack: Stack) => Promise<void>;

/**
 * A test of limits, on a stack of its own. Without Redis a process counts for itself, from nothing, and a machine that
 * is too busy for Redis to answer in time looks the same: what happened across such a change is tried again.
 */
export function testLimit(title: string, environment: Record<string, string>, run: LimitTest): void {
  test.serial(title, async (t) => {
    const attempt = async (): Promise<boolean> => {
      const stack = await startStack(undefined, { withAuthServer: true, environment });
      const result = await t.try((attempted) => run(attempted, stack));
      await stack.close();
      const isOneCount = !stack.log.some(({ msg }) => msg.startsWith('Redis is unavailable'));
      if (isOneCount) result.commit();
      else result.discard();
      return isOneCount;
    };
    await waitFor(attempt, { timeoutMilliseconds: 120_000, what: 'a minute in which Redis answers' });
  });
}
