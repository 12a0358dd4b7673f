import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type RunningInstance, readRunningInstance } from '#local/running-instance.ts';
import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { checkDatabaseTls, databaseUrl, readRevocationWait, urlOf } from '#shared/config/service-env.ts';
import type { Instance } from './command.ts';

/**
 * The instance of DATABASE_URL, REDIS_URL and KEY_ENCRYPTION_SECRET, else the one running in DATA_DIR. Throws
 * an Error.
 */
export function findInstance(env: Environment, standardInput: Readable = process.stdin): Instance {
  const reader = createEnvReader(env);
  checkDatabaseTls(reader);
  const givenUrl = reader.optional('DATABASE_URL', databaseUrl);
  const givenRedisUrl = reader.optional('REDIS_URL', urlOf('redis:', 'rediss:'));
  const waitsAlways = readRevocationWait(reader);
  reader.finish();
  const given = (name: string) => env[name]?.trim() || undefined;
  const dataDirectory = given('DATA_DIR') ?? '.data';
  const running = givenUrl === undefined ? requireRunning(dataDirectory) : undefined;
  const url = givenUrl ?? running?.databaseUrl ?? '';
  return {
    environment: env,
    standardOutput: process.stdout,
    databaseUrl: url,
    stores: { databaseUrl: url, redisUrl: givenRedisUrl ?? running?.redisUrl, waitsAlways },
    keyEncryptionSecret() {
      const secret =
        given('KEY_ENCRYPTION_SECRET') ?? readRunningInstance(dataDirectory)?.keyEncryptionSecret;
      if (secret === undefined)
        throw new Error('KEY_ENCRYPTION_SECRET must be set, to the one of the services');
      return secret;
    },
    standardInput: async () => (await text(standardInput)).replace(/\r?\n$/, ''),
    baseUrl() {
      const baseUrl = given('BASE_URL') ?? readRunningInstance(dataDirectory)?.baseUrl;
      if (baseUrl === undefined) throw new Error('BASE_URL must be set, to the one of the services');
      return baseUrl;
    },
  };
}

function requireRunning(dataDirectory: string): RunningInstance {
  const running = readRunningInstance(dataDirectory);
  if (running !== undefined) return running;
  throw new Error(
    `no running instance found in DATA_DIR (${dataDirectory}); start it with npm start or set DATABASE_URL`,
  );
}
