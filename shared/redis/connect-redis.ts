import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';

/**
 * A client that fails at once instead of queueing: by default ioredis waits for ever on a frozen server, and
 * whoever asks it has a fall-back to go to.
 */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    // Silence, not slowness, is what says that Redis is gone: replies that keep coming count as an answer.
    socketTimeout: 250,
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2_000),
  });
  redis.on('error', (error: Error) => logger.warn({ err: error }, 'Redis is not reachable'));
  redis.on('ready', () => logger.info('Redis is ready'));
  return redis;
}
