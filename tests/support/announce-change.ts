import { once } from 'node:events';
import { createRevoker } from '#shared/admission/revoker.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';

/** For tests that change rows of accounts, tokens or apps themselves: does what auth-server does after such a change. */
export async function announceChange(redisUrl: string, accountId: string): Promise<void> {
  const redis = connectRedis(redisUrl);
  try {
    // If it cannot be reached, the revoker waits instead.
    await once(redis, 'ready').catch(() => undefined);
    await createRevoker({ redis, waitsAlways: false }).confirm([accountId], performance.now());
  } finally {
    redis.disconnect();
  }
}
