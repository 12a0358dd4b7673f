import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { runUndoHistory } from './undo-history.ts';
import { createWebApps } from './web-app-client.ts';

const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

for (const seed of [1, 2, 3, 4]) {
  test(`any change and any call is taken back to the byte, and done again (${seed})`, async (t) => {
    await t.notThrowsAsync(runUndoHistory(stack, webApps, seed, 25));
  });
}
