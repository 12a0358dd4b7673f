import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';

const leastSocketTimeoutMilliseconds = 1_000;

/**
 * A client that fails at once instead of queueing: ioredis by default waits for ever on a frozen server. How long a
 * reply is waited for is the circuit's matter; the socket's timeout, which is longer, ends a dead connection.
 */
export function connectRedis(url: string, logger: Logger, waitMilliseconds: number): Redis {
  const redis = new Redis(url, {
    socketTimeout: Math.max(leastSocketTimeoutMilliseconds, 2 * waitMilliseconds),
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // A primary that became a replica in a failover: a new connection reaches the new primary at the same address.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
  });
  redis.on('error', (error: Error) => logger.warn({ err: error }, 'Redis is not reachable'));
  redis.on('ready', () => logger.info('Redis is ready'));
  return redis;
}
