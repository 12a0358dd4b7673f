import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { runUndoHistory } from './undo-history.ts';
import { createWebApps } from './web-app-client.ts';

const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

const firstSeed = Number(process.env.UNDO_SEED ?? 1);
/** A change of the history deserves 2,000, which take half an hour. */
const histories = Number(process.env.UNDO_HISTORIES ?? 8);
const lanes = 4;

test('in random histories any change and any call is taken back to the byte, and done again', async (t) => {
  t.timeout(3_600_000);
  let next = firstSeed;
  const work = async () => {
    while (next < firstSeed + histories) await runUndoHistory(stack, webApps, next++, 20);
  };
  await t.notThrowsAsync(Promise.all(Array.from({ length: lanes }, work)));
});
