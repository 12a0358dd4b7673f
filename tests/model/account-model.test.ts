import test from 'ava';
import fc from 'fast-check';
import { startStack } from '#tests/support/stack.ts';
import { beginningsOn, operationsOn } from './history-arbitraries.ts';
import { runHistory } from './run-history.ts';

/** At this hour it is another day in each of the time zones that a history may move its account to. */
const stack = await startStack(test, { now: '2026-11-20T10:30:00Z' });
const today = '2026-11-20';

const histories = fc.tuple(
  fc.constantFrom('free' as const, 'premium' as const),
  fc.array(beginningsOn(today), { minLength: 6, maxLength: 6 }),
  fc.array(operationsOn(today), { minLength: 25, maxLength: 50, size: 'max' }),
);

/** `npm test` runs the first alone. */
const seeds = process.env.TEST_SCOPE === 'fast' ? [1] : [1, 2];

for (const seed of seeds) {
  test(`an account answers and holds what the reference model says after any history (${seed})`, async (t) => {
    t.timeout(300_000);
    const property = fc.asyncProperty(histories, ([plan, beginnings, history]) =>
      runHistory(stack, plan, [...beginnings, ...history]),
    );
    // The limit is for the search of a shorter history, which takes long where one has failed.
    const options = { numRuns: 10, seed, includeErrorInReport: true, interruptAfterTimeLimit: 200_000 };
    await t.notThrowsAsync(() => fc.assert(property, options));
  });
}
