import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';

/**
 * A client that fails at once instead of queueing, and sends nothing twice: ioredis by default waits for ever on a
 * frozen server and repeats what a lost connection left open. A connection that is silent for a second is ended.
 */
export function connectRedis(url: string, logger?: Logger): Redis {
  const redis = new Redis(url, {
    socketTimeout: 1_000,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // A primary that became a replica in a failover: a new connection reaches the new primary at the same address.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
  });
  redis.on('error', (error: Error) => logger?.warn({ err: error }, 'Redis is not reachable'));
  redis.on('ready', () => logger?.info('Redis is ready'));
  return redis;
}
