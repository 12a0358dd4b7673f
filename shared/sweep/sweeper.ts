import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logging/logger.ts';

export type SweeperOptions = {
  /** What a sweep does, for the log. */
  purpose?: string;
  /** One sweep: how many records it removed or mended, by the name of their table. Ends early when `signal` aborts. */
  sweep(signal: AbortSignal): Promise<Record<string, number>>;
  logger: Logger;
  /** From the end of a sweep to the next one, on average. */
  intervalMilliseconds?: number;
};

export type Sweeper = {
  /** Sweeps from now on again and again; never two sweeps at once. Starting twice is starting once. */
  start(): void;
  /** Resolves when the batch under way is done, or is given up as too slow. */
  stop(): Promise<void>;
};

/** Longer than a statement may take. */
const stopMilliseconds = 6_000;

export function createSweeper(options: SweeperOptions): Sweeper {
  const { purpose = 'remove expired records', sweep, logger, intervalMilliseconds = 60_000 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  const sweepOnce = async (): Promise<void> => {
    try {
      const records = await sweep(signal);
      logger.debug({ purpose, records }, 'a sweep was done');
    } catch (error) {
      logger.error({ err: error, purpose }, 'a sweep failed');
    }
  };
  const sweepUntilStopped = async (): Promise<void> => {
    while (await hasPassed(jittered(intervalMilliseconds), signal)) await sweepOnce();
  };

  return {
    start() {
      running ??= sweepUntilStopped();
    },
    async stop() {
      stopping.abort();
      await Promise.race([running, delay(stopMilliseconds, undefined, { ref: false })]);
    },
  };
}

/** Replicas that start together do not sweep together. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + Math.random() / 2);
}

/** Whether the time went by; false when `signal` aborted before. Keeps no process alive. */
async function hasPassed(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
