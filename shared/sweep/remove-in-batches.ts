import { runBatches } from './sweeper.ts';

/** Deletes at most `limit` rows, without locked ones: a batch that is not full leaves those. Returns their number. */
export type RemoveBatch = (limit: number) => Promise<number>;

const batchSize = 500;

/**
 * Deletes expired rows, table by table, and returns the numbers. A failure does not stop the others; an
 * AggregateError reports it at the end. When `signal` aborts, the current batch is the last.
 */
export async function removeInBatches(
  kinds: Readonly<Record<string, RemoveBatch>>,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [kind, removeBatch] of Object.entries(kinds)) {
    try {
      removed[kind] = await runBatches(batchSize, removeBatch, signal);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return removed;
  const [cause] = failures;
  throw new AggregateError(failures, 'some expired records could not be removed', { cause });
}
