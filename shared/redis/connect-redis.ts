import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';

/** Half a reconnection that stands still, or a whole one that is slow. */
const leastSilenceMilliseconds = 1_000;

/**
 * A client that fails at once instead of queueing: by default ioredis waits for ever on a frozen server, and
 * whoever asks it has a fall-back to go to. How long an answer is waited for is the circuit's matter; here
 * `waitMilliseconds` only keeps silence from being noticed sooner than that.
 */
export function connectRedis(url: string, logger: Logger, waitMilliseconds: number): Redis {
  const redis = new Redis(url, {
    // Silence, not slowness, is what says that a connection is dead: replies that keep coming count as an answer.
    socketTimeout: Math.max(leastSilenceMilliseconds, 2 * waitMilliseconds),
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // After a failover the old primary says so: a new connection finds the new one behind the same address.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
  });
  redis.on('error', (error: Error) => logger.warn({ err: error }, 'Redis is not reachable'));
  redis.on('ready', () => logger.info('Redis is ready'));
  return redis;
}
