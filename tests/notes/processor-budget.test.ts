import test from 'ava';
import { watchProcessorBudget } from '#resource-api/notes/processor-budget.ts';

/** Watches a thread that tells these figures one after another; resolves with how many it was asked for. */
function asksUntilExceeded(figures: readonly number[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let asks = 0;
  watchProcessorBudget({
    milliseconds: 30,
    used: async () => figures[Math.min(asks++, figures.length - 1)] ?? 0,
    onExceeded: () => resolve(asks),
  });
  return promise;
}

test('a thread that is given little of the processor has its budget all the same', async (t) => {
  t.is(await asksUntilExceeded([5, 10, 29, 30]), 4);
});

test('a thread that makes no use of the processor is not waited for without end', async (t) => {
  t.true((await asksUntilExceeded([0])) > 1);
});

test('a thread that cannot tell is not waited for without end', async (t) => {
  await t.notThrowsAsync(
    new Promise<void>((resolve) => {
      watchProcessorBudget({
        milliseconds: 10,
        used: () => Promise.reject(new Error('The thread has ended.')),
        onExceeded: resolve,
      });
    }),
  );
});
