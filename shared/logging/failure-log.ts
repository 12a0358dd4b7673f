import type { Logger } from './logger.ts';

const quietMilliseconds = 10_000;

/** Logs a failure that an outage repeats every second, at most once in ten seconds. */
export function createFailureLog(
  logger: Logger,
  message: string,
  fields: Record<string, unknown> = {},
): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - loggedAt < quietMilliseconds) return;
    loggedAt = performance.now();
    logger.error({ err: error, ...fields }, message);
  };
}
