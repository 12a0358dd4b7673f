import { setTimeout as delay } from 'node:timers/promises';
import { createFailureLog } from '../logging/failure-log.ts';
import type { Logger } from '../logging/logger.ts';
import { waitAtMost } from '../time/wait-at-most.ts';

type SweeperOptions = {
  /** The purpose of the sweep, for the log. */
  purpose?: string;
  /** Runs one sweep; returns the numbers of processed rows by table. Ends early when `signal` aborts. */
  sweep(signal: AbortSignal): Promise<Record<string, number>>;
  logger: Logger;
  /** From the end of a sweep to the next one, on average. */
  intervalMilliseconds?: number;
};

/** What a service does beside its requests. */
export type BackgroundJobs = { start(): void };

/** Longer than the statement timeout. */
const stopMilliseconds = 6_000;

export function createSweeper(options: SweeperOptions) {
  const { purpose = 'remove expired records', sweep, logger, intervalMilliseconds = 60_000 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  const logFailure = createFailureLog(logger, 'a sweep failed', { purpose });

  const sweepOnce = async (): Promise<void> => {
    try {
      const records = await sweep(signal);
      logger.debug({ purpose, records }, 'sweep finished');
    } catch (error) {
      logFailure(error);
    }
  };
  const sweepUntilStopped = async (): Promise<void> => {
    while (await hasPassed(jittered(intervalMilliseconds), signal)) await sweepOnce();
  };

  return {
    /** Sweeps repeatedly, one at a time. Idempotent. */
    start(): void {
      running ??= sweepUntilStopped();
    },
    /** Resolves when the current batch is done or has timed out. */
    async stop(): Promise<void> {
      stopping.abort();
      if (running !== undefined) await waitAtMost(stopMilliseconds, running);
    },
  };
}

/** Runs batches of at most `size` rows until one is not full, or `signal` aborts. Returns all rows. */
export async function runBatches(
  size: number,
  runBatch: (size: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  while (!signal?.aborted) {
    const count = await runBatch(size);
    total += count;
    if (count < size) break;
  }
  return total;
}

/** Spreads the sweeps of replicas that start together. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + Math.random() / 2);
}

/** Returns false if `signal` aborted. Does not keep the process alive. */
async function hasPassed(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
