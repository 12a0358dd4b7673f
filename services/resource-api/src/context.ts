import type { MikroORM } from '@mikro-orm/postgresql';
import { createLogger, type Logger } from '#shared/logging/logger.ts';
import { createRateLimiter, type RateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { createAccessTokenVerifier } from './auth/access-token-verifier.ts';
import { type Authenticator, createAuthenticator } from './auth/authenticate.ts';
import { createTokenUseRecorder } from './auth/token-use-recorder.ts';
import { writeTokenUses } from './auth/token-use-repository.ts';
import { createVerificationKeys } from './auth/verification-keys.ts';
import { cacheVerifiedTokens } from './auth/verified-token-cache.ts';
import type { Config } from './config/config.ts';
import { readCursorSecret } from './database/cursor-secret.ts';
import { connectTasksDatabase } from './database/tasks-orm.ts';
import { type CursorCodec, createCursorCodec } from './http/cursor.ts';
import { createNotesRenderer, type NotesRenderer } from './notes/notes-renderer.ts';

/** Everything a request may use, made once per process. */
export type Context = {
  config: Config;
  logger: Logger;
  clock: Clock;
  orm: MikroORM;
  notes: NotesRenderer;
  cursors: CursorCodec;
  authenticate: Authenticator;
  tokenLimiter: RateLimiter;
  addressLimiter: RateLimiter;
  close(): Promise<void>;
};

export type ContextOverrides = Partial<Pick<Context, 'clock' | 'logger'>>;

/** The composition root. Throws what the database throws when it can't be reached. */
export async function createContext(config: Config, overrides: ContextOverrides = {}): Promise<Context> {
  const logger = overrides.logger ?? createLogger('resource-api', config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const orm = await connectTasksDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    waitMilliseconds: config.databaseWaitMilliseconds,
  });
  const redis = connectRedis(config.redisUrl, logger);
  const notes = createNotesRenderer(config.notes);
  const keys = createVerificationKeys(orm.em, logger);
  const verifier = createAccessTokenVerifier({ baseUrl: config.baseUrl, clock, keys });
  const accessTokens = cacheVerifiedTokens({ verifier, keys, clock });
  const tokenUses = createTokenUseRecorder({
    clock,
    logger,
    write: (uses) => writeTokenUses(orm.em.fork(), uses),
  });
  const limit = (keyPrefix: string, points: number): RateLimiter =>
    createRateLimiter({ redis, logger, keyPrefix, points, durationSeconds: 60 });

  return {
    config,
    logger,
    clock,
    orm,
    notes,
    cursors: createCursorCodec(await readCursorSecret(orm.em)),
    authenticate: createAuthenticator({ em: orm.em, clock, accessTokens, tokenUses }),
    tokenLimiter: limit('rl:t', config.requestsPerTokenPerMinute),
    addressLimiter: limit('rl:a', config.requestsPerAddressPerMinute),
    async close() {
      await notes.close();
      await tokenUses.close();
      redis.disconnect();
      await orm.close(true);
    },
  };
}
