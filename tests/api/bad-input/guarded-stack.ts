import type { TestFn } from 'ava';
import { type OwnStack, startStack } from '#tests/support/stack.ts';

/** Stands in every text that is sent, so that it can be searched for where it must not be. */
export const canary = 'Kanarienvogel';

const errorLevel = 50;
const tokens = /tms_|eyJ/;

/**
 * The stack of a file of bad input. When its tests are over, none of them may have been a failure of the service,
 * and nothing of what they sent may stand in its log.
 */
export async function startGuardedStack(test: TestFn): Promise<OwnStack> {
  const stack = await startStack(undefined, { own: true });
  test.after.always('bad input is neither an error of the service nor logged', async (t) => {
    try {
      const lines = stack.log.map((line) => JSON.stringify(line));
      t.true(lines.some((line) => line.includes('/api/public/v1/')));
      t.deepEqual(
        stack.log.filter(({ level }) => level >= errorLevel),
        [],
      );
      t.deepEqual(
        lines.filter((line) => line.includes(canary) || tokens.test(line)),
        [],
      );
    } finally {
      await stack.close();
    }
  });
  return stack;
}
