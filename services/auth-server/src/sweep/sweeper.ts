import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Config } from '../config/config.ts';
import { sweepExpired } from './expired-records.ts';

export type SweeperOptions = {
  em: EntityManager;
  clock: Clock;
  config: Pick<Config, 'auditRetentionSeconds'>;
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
  const { em, clock, config, logger, intervalMilliseconds = 60_000 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  const sweepOnce = async (): Promise<void> => {
    try {
      const removed = await sweepExpired(em, clock, config, signal);
      logger.debug({ removed }, 'what had expired was removed');
    } catch (error) {
      logger.error({ err: error }, 'expired records could not be removed');
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
