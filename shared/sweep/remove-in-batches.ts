import { runEach } from './run-each.ts';
import { runBatches } from './sweeper.ts';

/** Deletes at most `limit` rows and skips locked ones: such a batch is not full. Returns their number. */
export type RemoveBatch = (limit: number) => Promise<number>;

const batchSize = 500;

/**
 * Deletes expired rows, table by table, and returns the numbers. Fails as `runEach` does. When `signal`
 * aborts, the current batch is the last.
 */
export async function removeInBatches(
  kinds: Readonly<Record<string, RemoveBatch>>,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const removed = await runEach(
    Object.entries(kinds),
    async ([kind, removeBatch]) => [kind, await runBatches(batchSize, removeBatch, signal)] as const,
  );
  return Object.fromEntries(removed);
}
