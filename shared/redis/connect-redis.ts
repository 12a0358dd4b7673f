import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.ts';

/**
 * Fails at once instead of queueing, and never resends a command: by default ioredis waits for ever for an
 * unresponsive server and resends after a lost connection. A connection without a reply for a second is
 * closed.
 */
export function connectRedis(url: string, logger?: Logger): Redis {
  const redis = new Redis(url, {
    socketTimeout: 1_000,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // ioredis leaves a failure of it unhandled, as when the connection is closed meanwhile.
    autoResubscribe: false,
    // After a failover a new connection to the same address reaches the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
  });
  redis.on('error', (error: Error) => logger?.warn({ err: error }, 'connection to Redis failed'));
  redis.on('ready', () => logger?.info('Redis is ready'));
  return redis;
}

/** For work that is over soon: resolves once the connection is ready, or has failed. */
export async function connectRedisNow(url: string): Promise<Redis> {
  const redis = connectRedis(url);
  await once(redis, 'ready').catch(() => undefined);
  return redis;
}
