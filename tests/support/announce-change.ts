import { createRevoker } from '#shared/admission/revoker.ts';
import { connectRedisNow } from '#shared/redis/connect-redis.ts';

/** For tests that change rows of accounts, tokens or apps themselves: does what auth-server does after such a change. */
export async function announceChange(redisUrl: string, accountId: string): Promise<void> {
  const redis = await connectRedisNow(redisUrl);
  try {
    await createRevoker({ redis, waitsAlways: false }).confirm([accountId], performance.now());
  } finally {
    redis.disconnect();
  }
}
