import PQueue from 'p-queue';

/**
 * Runs `work` for each item, `atOnce` at a time, and returns the results. A failure does not stop the others;
 * an AggregateError reports it at the end.
 */
export async function runEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = 1,
): Promise<Result[]> {
  const queue = new PQueue({ concurrency: atOnce });
  const outcomes = await Promise.allSettled(items.map((item) => queue.add(() => work(item))));
  const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  // The log shows no error but the cause.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${items.length} failed`, {
      cause: failures[0],
    });
  return outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}
