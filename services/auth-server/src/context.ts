import type { EntityManager } from '@mikro-orm/postgresql';
import { createLogger, type Logger } from '#shared/logging/logger.ts';
import { createRateLimiter, type RateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import type { Config } from './config/config.ts';
import { connectAuthDatabase } from './database/auth-orm.ts';
import { createKeyCipher } from './keys/key-cipher.ts';
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { type AccessTokenSigner, createAccessTokenSigner } from './token-exchange/access-token-signer.ts';

/** Everything a request may use, made once per process. */
export type Context = {
  config: Config;
  logger: Logger;
  clock: Clock;
  em: EntityManager;
  signingKeys: SigningKeys;
  accessTokenSigner: AccessTokenSigner;
  tokenLimiter: RateLimiter;
  addressLimiter: RateLimiter;
  close(): Promise<void>;
};

export type ContextOverrides = Partial<Pick<Context, 'clock' | 'logger'>>;

/** The composition root. Connects when first asked: the stores may come later than this process. */
export async function createContext(config: Config, overrides: ContextOverrides = {}): Promise<Context> {
  const logger = overrides.logger ?? createLogger('auth-server', config.logLevel);
  const orm = await connectAuthDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    waitMilliseconds: config.databaseWaitMilliseconds,
    applicationName: 'auth-server',
  });
  const redis = connectRedis(config.redisUrl, logger);
  const signingKeys = createSigningKeys({
    em: orm.em,
    cipher: createKeyCipher(config.keyEncryptionSecret),
    logger,
    tokenLifetimeSeconds: config.accessTokenTtlSeconds,
  });
  // The prefixes are shared with resource-api: a token or an address has one allowance for both services.
  const limit = (keyPrefix: string, points: number): RateLimiter =>
    createRateLimiter({ redis, logger, keyPrefix, points, durationSeconds: 60 });

  return {
    config,
    logger,
    clock: overrides.clock ?? systemClock,
    em: orm.em,
    signingKeys,
    accessTokenSigner: createAccessTokenSigner(config.baseUrl, signingKeys),
    tokenLimiter: limit('rl:t', config.requestsPerTokenPerMinute),
    addressLimiter: limit('rl:a', config.requestsPerAddressPerMinute),
    async close() {
      redis.disconnect();
      await orm.close(true);
    },
  };
}
