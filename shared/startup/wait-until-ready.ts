import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logging/logger.ts';
import type { FailedCheck, StartupCheck } from './startup-check.ts';

type WaitOptions = {
  check: StartupCheck;
  onFailed(failed: FailedCheck): void;
  logger: Logger;
  signal: AbortSignal;
};

const firstPauseMilliseconds = 50;
const longestPauseMilliseconds = 1_000;
/** A lasting failure is logged at this interval. */
const repeatMilliseconds = 10_000;

/**
 * Resolves when the check passes, without a timeout: an operator may fix a password or a missing database
 * meanwhile. Rejects with the reason of `signal` when it aborts.
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
    const isNew = logged?.reason !== reason;
    if (isNew || performance.now() - (logged?.at ?? 0) >= repeatMilliseconds) {
      const line = { waitingFor, reason, code, ...(isNew && error !== undefined && { err: error }) };
      logger[needsOperator ? 'error' : 'warn'](line, `waiting for ${waitingFor}`);
      logged = { reason, at: performance.now() };
    }
    await delay(pause, undefined, { signal });
  }
  if (logged === undefined) return;
  const waitedSeconds = Math.round((performance.now() - startedAt) / 100) / 10;
  logger.info({ waitedSeconds }, 'startup checks passed');
}
