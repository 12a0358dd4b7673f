import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logging/logger.ts';
import type { FailedCheck, StartupCheck } from './startup-check.ts';

export type WaitOptions = {
  check: StartupCheck;
  onFailed(failed: FailedCheck): void;
  logger: Logger;
  signal: AbortSignal;
};

const firstPauseMilliseconds = 50;
const longestPauseMilliseconds = 1_000;
/** A failure that lasts is logged again after this long. */
const repeatMilliseconds = 10_000;

/**
 * Resolves when the check passes, however long that takes: what an operator has to correct (a password, a missing
 * database) is corrected while the process runs. Rejects with the signal's reason when `signal` aborts.
 */
export async function waitUntilReady({ check, onFailed, logger, signal }: WaitOptions): Promise<void> {
  const startedAt = performance.now();
  let logged: { reason: string; at: number } | undefined;
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    const failed = await check();
    signal.throwIfAborted();
    if (failed === undefined) break;
    onFailed(failed);
    const { waitingFor, reason, code, needsOperator, error } = failed;
    if (logged?.reason !== reason || performance.now() - logged.at >= repeatMilliseconds) {
      const line = { waitingFor, reason, code, ...(error !== undefined && { err: error }) };
      logger[needsOperator ? 'error' : 'warn'](line, `waiting for ${waitingFor}`);
      logged = { reason, at: performance.now() };
    }
    await delay(pause, undefined, { signal });
  }
  if (logged === undefined) return;
  const waitedSeconds = Math.round((performance.now() - startedAt) / 100) / 10;
  logger.info({ waitedSeconds }, 'the wait is over');
}
