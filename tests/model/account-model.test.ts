import test from 'ava';
import fc from 'fast-check';
import { startStack } from '#tests/support/stack.ts';
import { histories, today } from './histories.ts';
import { runHistory } from './run-history.ts';

/** At this hour it is another day in each of the time zones that a history may move its account to. */
const stack = await startStack(test, { now: `${today}T10:30:00Z` });

/** `npm test` runs the first alone. */
const seeds = process.env.TEST_SCOPE === 'fast' ? [1] : [1, 2];

for (const seed of seeds) {
  test(`an account responds and stores as the reference model after any history (${seed})`, async (t) => {
    t.timeout(300_000);
    const property = fc.asyncProperty(histories, (history) => runHistory(stack, history));
    // The limit is for the search of a shorter history, which takes long where one has failed.
    const options = { numRuns: 11, seed, includeErrorInReport: true, interruptAfterTimeLimit: 200_000 };
    await t.notThrowsAsync(() => fc.assert(property, options));
  });
}
