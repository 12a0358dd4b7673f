import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logging/logger.ts';
import type { Obstacle } from './obstacle.ts';

export type WaitOptions = {
  /** The obstacle there is, undefined when the way is clear. */
  find(): Promise<Obstacle | undefined>;
  /** Told of each that was found. */
  onObstacle(obstacle: Obstacle): void;
  logger: Logger;
  signal: AbortSignal;
};

const firstPauseMilliseconds = 50;
const longestPauseMilliseconds = 1_000;
/** An obstacle that stays is named again after this long. */
const repeatMilliseconds = 10_000;

/**
 * Resolves when nothing stands in the way any more, however long that takes: what an operator has to mend (a
 * password, a missing database) is mended while the process runs, and until then it says so as an error.
 * Rejects with the signal's reason when `signal` aborts.
 */
export async function waitUntilClear({ find, onObstacle, logger, signal }: WaitOptions): Promise<void> {
  const startedAt = performance.now();
  let said: { reason: string; at: number } | undefined;
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    const obstacle = await find();
    signal.throwIfAborted();
    if (obstacle === undefined) break;
    onObstacle(obstacle);
    const { waitingFor, reason, code, needsOperator, error } = obstacle;
    if (said?.reason !== reason || performance.now() - said.at >= repeatMilliseconds) {
      const line = { waitingFor, reason, code, ...(error !== undefined && { err: error }) };
      logger[needsOperator ? 'error' : 'warn'](line, `waiting for ${waitingFor}`);
      said = { reason, at: performance.now() };
    }
    await delay(pause, undefined, { signal });
  }
  if (said === undefined) return;
  const waitedSeconds = Math.round((performance.now() - startedAt) / 100) / 10;
  logger.info({ waitedSeconds }, 'the wait is over');
}
