/** Removes at most `limit` records, and answers how many it removed. */
export type RemoveBatch = (limit: number) => Promise<number>;

const batchSize = 500;

/**
 * Removes what no longer counts, kind by kind in the order given, and answers how many of each. Any number of
 * processes may do so at once when their batches wait for nobody's locks: they share the records.
 * What fails keeps nothing else from being removed; an AggregateError tells of it afterwards.
 * When `signal` aborts, it ends after the batch under way.
 */
export async function removeInBatches(
  kinds: Readonly<Record<string, RemoveBatch>>,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [kind, removeBatch] of Object.entries(kinds)) {
    try {
      removed[kind] = await removeAll(removeBatch, signal);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return removed;
  const [cause] = failures;
  throw new AggregateError(failures, 'some records that ended could not be removed', { cause });
}

/** Batches until one is not full: what it left is locked by others, who will remove it or still use it. */
async function removeAll(removeBatch: RemoveBatch, signal: AbortSignal | undefined): Promise<number> {
  let total = 0;
  while (!signal?.aborted) {
    const count = await removeBatch(batchSize);
    total += count;
    if (count < batchSize) break;
  }
  return total;
}
