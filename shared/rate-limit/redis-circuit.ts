import type { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';

/** Runs a command, or rejects at once while Redis does not answer. */
export type RedisCircuit = { run<Reply>(command: () => Promise<Reply>): Promise<Reply> };

const pauseMilliseconds = 1_000;
const circuits = new WeakMap<Redis, RedisCircuit>();

/** The circuit of a connection: all limiters on it share what is known about its state, and one log line. */
export function circuitOf(redis: Redis, logger: Logger): RedisCircuit {
  const circuit = circuits.get(redis) ?? createRedisCircuit(logger);
  circuits.set(redis, circuit);
  return circuit;
}

/**
 * After a failure every command is refused for a second; then one is tried, and its caller is refused as well
 * instead of being kept waiting for the outcome. So a frozen Redis costs the command timeout once, not per request.
 * `now` counts milliseconds and never goes back.
 */
export function createRedisCircuit(
  logger: Logger,
  now: () => number = () => performance.now(),
): RedisCircuit {
  /** When Redis is tried next; undefined while it answers. */
  let nextTryAt: number | undefined;

  function open(failure: unknown): void {
    if (nextTryAt === undefined)
      logger.warn({ err: failure }, 'Redis does not answer: rate limits are counted in this process alone');
    nextTryAt = now() + pauseMilliseconds;
  }

  function close(): void {
    if (nextTryAt !== undefined) logger.info('Redis answers again: rate limits are shared between processes');
    nextTryAt = undefined;
  }

  return {
    async run(command) {
      if (nextTryAt === undefined) {
        return await command().catch((failure: unknown) => {
          open(failure);
          throw failure;
        });
      }
      if (now() >= nextTryAt) {
        nextTryAt = now() + pauseMilliseconds;
        void command().then(close, open);
      }
      throw new Error('Redis did not answer a moment ago');
    },
  };
}
