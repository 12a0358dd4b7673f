import { hkdfSync } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createLogger, type Logger } from '#shared/logging/logger.ts';
import { createRateLimiter, type RateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { createClientDocumentFetch, type FetchClientDocument } from './clients/fetch-client-document.ts';
import type { Config } from './config/config.ts';
import { connectAuthDatabase } from './database/auth-orm.ts';
import { createKeyCipher } from './keys/key-cipher.ts';
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { createFindClient, type FindClient } from './oauth/find-client.ts';
import { createProviderSource, type ProviderSource } from './oauth/provider-source.ts';
import { createSweeper, type Sweeper } from './sweep/sweeper.ts';
import { type AccessTokenReader, createAccessTokenReader } from './token-exchange/access-token-reader.ts';
import { type AccessTokenSigner, createAccessTokenSigner } from './token-exchange/access-token-signer.ts';

/** Everything a request may use, made once per process. */
export type Context = {
  config: Config;
  logger: Logger;
  clock: Clock;
  em: EntityManager;
  signingKeys: SigningKeys;
  accessTokenSigner: AccessTokenSigner;
  accessTokenReader: AccessTokenReader;
  oauthProvider: ProviderSource;
  findClient: FindClient;
  /** Signs the cookies and form tokens of pages; the same in every replica. */
  pageSecret: Buffer;
  tokenLimiter: RateLimiter;
  addressLimiter: RateLimiter;
  limiters: PageAndOAuthLimiters;
  /** Removes what has expired, once it is started; closing the context stops it. */
  sweeper: Sweeper;
  close(): Promise<void>;
};

/** The limits of what is not the API: OAuth's endpoints and the pages. All but the last but one count by address. */
export type PageAndOAuthLimiters = {
  registration: RateLimiter;
  tokenEndpoint: RateLimiter;
  pages: RateLimiter;
  signUp: RateLimiter;
  signInByAccount: RateLimiter;
  signInByAddress: RateLimiter;
};

export type ContextOverrides = Partial<Pick<Context, 'clock' | 'logger'>> & {
  /** How client metadata documents are fetched. */
  fetchDocument?: FetchClientDocument;
};

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
  const clock = overrides.clock ?? systemClock;
  const pageSecret = derivePageSecret(config.keyEncryptionSecret);
  const fetchDocument = overrides.fetchDocument ?? createClientDocumentFetch();
  const findClient = createFindClient({ em: orm.em, logger, fetchDocument });
  const sweeper = createSweeper({ em: orm.em, clock, config, logger });
  // The prefixes are shared with resource-api: a token or an address has one allowance for both services.
  const limit = (keyPrefix: string, points: number, durationSeconds = 60): RateLimiter =>
    createRateLimiter({ redis, logger, keyPrefix, points, durationSeconds });

  return {
    config,
    logger,
    clock,
    em: orm.em,
    signingKeys,
    pageSecret,
    accessTokenSigner: createAccessTokenSigner(config.baseUrl, signingKeys),
    accessTokenReader: createAccessTokenReader({ baseUrl: config.baseUrl, clock, keys: signingKeys }),
    oauthProvider: createProviderSource({
      config,
      logger,
      clock,
      em: orm.em,
      signingKeys,
      pageSecret,
      findClient,
    }),
    findClient,
    tokenLimiter: limit('rl:t', config.requestsPerTokenPerMinute),
    addressLimiter: limit('rl:a', config.requestsPerAddressPerMinute),
    limiters: {
      registration: limit('rl:r', config.registrationsPerAddressPerHour, 3_600),
      tokenEndpoint: limit('rl:o', config.tokenRequestsPerAddressPerMinute),
      pages: limit('rl:p', config.pagesPerAddressPerMinute),
      signUp: limit('rl:u', config.signUpsPerAddressPerHour, 3_600),
      signInByAccount: limit('rl:sa', config.signInFailuresPerAccount, 900),
      signInByAddress: limit('rl:si', config.signInFailuresPerAddress, 900),
    },
    sweeper,
    async close() {
      await sweeper.stop();
      redis.disconnect();
      await orm.close(true);
    },
  };
}

/** A key of its own, so that what signs a form says nothing about what encrypts the keys (RFC 5869). */
function derivePageSecret(keyEncryptionSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', keyEncryptionSecret, '', 'pages', 32));
}
