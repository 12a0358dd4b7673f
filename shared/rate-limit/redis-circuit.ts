import type { Logger } from '../logging/logger.ts';
import type { RedisObserver } from '../redis/redis-observer.ts';
import { answerWithin } from '../time/answer-within.ts';

/** Runs a command, or rejects at once while Redis does not answer. One for all who use a connection. */
export type RedisCircuit = { run<Reply>(command: () => Promise<Reply>): Promise<Reply> };

export type RedisCircuitOptions = {
  logger: Logger;
  /** How long a command is waited for before it counts as failed. */
  waitMilliseconds: number;
  observer?: RedisObserver | undefined;
  /** Counts milliseconds and never goes back. */
  now?: () => number;
};

const pauseMilliseconds = 1_000;

/**
 * After a failure every command is refused for a second; then one is tried, and its caller is refused as well
 * instead of being kept waiting for the outcome. So a frozen Redis costs the wait once, not per request, and a slow
 * one does too: an answer that comes later than that closes nothing.
 */
export function createRedisCircuit(options: RedisCircuitOptions): RedisCircuit {
  const { logger, waitMilliseconds, observer, now = () => performance.now() } = options;
  /** When Redis is tried next; undefined while it answers. */
  let nextTryAt: number | undefined;

  function open(failure: unknown): void {
    if (nextTryAt === undefined) {
      logger.warn({ err: failure }, 'Redis does not answer: rate limits are counted in this process alone');
      observer?.circuitChanged('open');
    }
    nextTryAt = now() + pauseMilliseconds;
  }

  function close(): void {
    if (nextTryAt === undefined) return;
    logger.info('Redis answers again: rate limits are shared between processes');
    observer?.circuitChanged('closed');
    nextTryAt = undefined;
  }

  function ask<Reply>(command: () => Promise<Reply>): Promise<Reply> {
    const onSilence = (): Error => new Error(`Redis did not answer in ${waitMilliseconds} ms`);
    return answerWithin(waitMilliseconds, command(), onSilence);
  }

  async function askOrRefuse<Reply>(command: () => Promise<Reply>): Promise<Reply> {
    if (nextTryAt === undefined) {
      return await ask(command).catch((failure: unknown) => {
        open(failure);
        throw failure;
      });
    }
    if (now() >= nextTryAt) {
      nextTryAt = now() + pauseMilliseconds;
      void ask(command).then(close, open);
    }
    throw new Error('Redis did not answer a moment ago');
  }

  return {
    async run(command) {
      try {
        return await askOrRefuse(command);
      } catch (failure) {
        observer?.fellBack();
        throw failure;
      }
    },
  };
}
