import path from 'node:path';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { ConfigError, configErrorsOf, createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { databaseUrl, logLevels, readBaseUrl, urlOf } from '#shared/config/service-env.ts';

/** The settings of `npm start`. */
export type LocalConfig = ReturnType<typeof readLocalConfig>;

const keyBytes = 32;

/** Settings that `npm start` overrides; valid placeholders for the check. */
const setByStart: Environment = {
  BASE_URL: 'http://localhost',
  DATABASE_URL: 'postgres://localhost/postgres',
  REDIS_URL: 'redis://localhost',
  KEY_ENCRYPTION_SECRET: '-'.repeat(43),
  PORT: '1',
  MANAGEMENT_PORT: '1',
};

/**
 * Reads the environment. Throws a ConfigError that lists every error, including those of the services'
 * settings.
 */
export function readLocalConfig(env: Environment) {
  const reader = createEnvReader(env);
  const port = reader.integer('PORT', { fallback: 8080, min: 1, max: 65_535 });
  const listenHost = reader.text('LISTEN_HOST', { fallback: 'localhost' });
  const config = {
    /** The gateway's. */
    port,
    host: listenHost === 'localhost' ? '127.0.0.1' : listenHost,
    baseUrl: readBaseUrl(reader, { fallback: `http://localhost:${port}` }),
    dataDirectory: path.resolve(reader.text('DATA_DIR', { fallback: '.data' })),
    /** Servers to use instead of the embedded ones. */
    databaseUrl: reader.optional('DATABASE_URL', databaseUrl),
    redisUrl: reader.optional('REDIS_URL', urlOf('redis:', 'rediss:')),
    embeddedRedis: reader.choice('EMBEDDED_REDIS', ['auto', 'js'], 'auto'),
    /** By default created and stored in the data directory. */
    keyEncryptionSecret: reader.optional('KEY_ENCRYPTION_SECRET', keyOf32Bytes),
    logLevel: reader.choice('LOG_LEVEL', logLevels, 'info'),
    isStartedByNpm: env.npm_lifecycle_event !== undefined,
    /** Passed to the services. */
    environment: env,
  };
  const faults = [readAuthServerConfig, readResourceApiConfig].flatMap((read) =>
    configErrorsOf(() => read({ ...env, ...setByStart })),
  );
  const all = new Set([...configErrorsOf(() => reader.finish()), ...faults]);
  if (all.size > 0) throw new ConfigError([...all]);
  return config;
}

function keyOf32Bytes(value: string): string | undefined {
  const bytes = /^[\w-]+$/.test(value) ? Buffer.from(value, 'base64url').length : 0;
  return bytes === keyBytes ? undefined : `must be ${keyBytes} random bytes in base64url (43 characters)`;
}
