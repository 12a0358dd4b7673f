import { realpathSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type RunningInstance, readRunningInstance } from '#local/running-instance.ts';
import { createEnvReader, type Environment, type EnvReader } from '#shared/config/read-env.ts';
import {
  checkDatabaseTls,
  databaseUrl,
  readBaseUrl,
  readKeyEncryptionSecret,
  readRevocationWait,
  urlOf,
} from '#shared/config/service-env.ts';
import type { Instance } from './command.ts';

/**
 * The instance of DATABASE_URL, REDIS_URL and KEY_ENCRYPTION_SECRET, else the one running in DATA_DIR. Throws
 * an Error.
 */
export function findInstance(env: Environment, standardInput: Readable = process.stdin): Instance {
  const given = (name: string) => env[name]?.trim() || undefined;
  const dataDirectory = given('DATA_DIR') ?? '.data';
  const found = findRunning(dataDirectory);
  // One on another database has other secrets and settings.
  const running = [undefined, found?.databaseUrl].includes(given('DATABASE_URL')) ? found : undefined;
  const environment = { ...running?.settings, ...env };
  const reader = createEnvReader(environment);
  checkDatabaseTls(reader);
  const givenUrl = reader.optional('DATABASE_URL', databaseUrl);
  const givenRedisUrl = reader.optional('REDIS_URL', urlOf('redis:', 'rediss:'));
  const waitsAlways = readRevocationWait(reader);
  reader.finish();
  const url = givenUrl ?? requireRunning(running, dataDirectory).databaseUrl;
  /** As the services read it, else the running instance's. */
  const ofServices = (name: string, read: (reader: EnvReader) => string, ofRunning?: string): string => {
    if (given(name) === undefined) {
      if (ofRunning !== undefined) return ofRunning;
      throw new Error(`${name} must be set, to the one of the services`);
    }
    const own = createEnvReader(env);
    const value = read(own);
    own.finish();
    return value;
  };
  return {
    environment,
    databaseUrl: url,
    stores: { databaseUrl: url, redisUrl: givenRedisUrl ?? running?.redisUrl, waitsAlways },
    keyEncryptionSecret: () =>
      ofServices('KEY_ENCRYPTION_SECRET', readKeyEncryptionSecret, running?.keyEncryptionSecret),
    standardInput: async () => (await text(standardInput)).replace(/\r?\n$/, ''),
    baseUrl: () => ofServices('BASE_URL', readBaseUrl, running?.baseUrl),
  };
}

/** None of a copy of its data: a command for the copy must not change the original. */
function findRunning(dataDirectory: string): RunningInstance | undefined {
  const running = readRunningInstance(dataDirectory);
  return running && running.dataDirectory === realpathSync(dataDirectory) ? running : undefined;
}

function requireRunning(running: RunningInstance | undefined, dataDirectory: string): RunningInstance {
  if (running !== undefined) return running;
  throw new Error(
    `no running instance found in DATA_DIR (${dataDirectory}); start it with npm start or set DATABASE_URL`,
  );
}
