import type { ExecutionContext, TestFn } from 'ava';
import { type AccountClient, type OwnStack, startStack } from '#tests/support/stack.ts';
import { type Ids, makeIds } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';

/** Stands in every text that is sent, so that it can be searched for where it must not be. */
export const canary = 'Kanarienvogel';

const errorLevel = 50;
const tokens = /tms_|eyJ/;

/**
 * The stack of a file of bad input. When its tests are over, none of them may have been a failure of the
 * service, and nothing of what they sent may stand in its log.
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

type Refused = { api: AccountClient; ids: Ids };

/** Declares tests of what is refused: in the end nothing of their account has changed. */
export function testsOfRefusals(test: TestFn, stack: OwnStack) {
  return (title: string, refuse: (t: ExecutionContext, refused: Refused) => Promise<void>) =>
    test.serial(title, async (t) => {
      const api = await stack.newClient({ plan: 'premium' });
      const ids = await makeIds(api);
      const before = await storedStateOf(stack, api.account);
      await refuse(t, { api, ids });
      t.deepEqual(await storedStateOf(stack, api.account), before);
    });
}
