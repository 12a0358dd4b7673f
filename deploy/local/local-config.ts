import path from 'node:path';
import { readBaseUrl } from '#shared/config/base-url.ts';
import { ConfigError, faultsOf } from '#shared/config/config-error.ts';
import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { databaseUrl, urlOf } from '#shared/config/url-rules.ts';
import { type LogLevel, logLevels } from '#shared/logging/log-levels.ts';
import { findServiceFaults } from './service-faults.ts';

/** What `npm start` is told by the environment. */
export type LocalConfig = {
  /** The gateway's port: the one that people use. */
  port: number;
  /** The addresses it listens on. */
  hosts: readonly string[];
  baseUrl: string;
  dataDirectory: string;
  /** Servers to use instead of the embedded ones. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  embeddedRedis: 'auto' | 'js';
  /** 32 bytes, base64url; made and kept in the data directory when not given. */
  keyEncryptionSecret: string | undefined;
  logLevel: LogLevel;
  trustedProxyHops: number;
  /** npm does not always pass a signal on, and may itself be killed: then its going away is the signal. */
  isStartedByNpm: boolean;
  /** Handed on to the services as it is; their own readers have judged their own settings. */
  environment: Environment;
};

/** `localhost` is two addresses, and clients try either first. */
const LOOPBACK = ['127.0.0.1', '::1'];
const KEY_BYTES = 32;

/** The only reader of the environment here. Throws a ConfigError that lists every fault, those of the services' settings too. */
export function readLocalConfig(env: Environment): LocalConfig {
  const reader = createEnvReader(env);
  const port = reader.integer('PORT', { fallback: 8080, min: 1, max: 65_535 });
  const listenHost = reader.text('LISTEN_HOST', { fallback: 'localhost' });
  const config: LocalConfig = {
    port,
    hosts: listenHost === 'localhost' ? LOOPBACK : [listenHost],
    baseUrl: readBaseUrl(reader, { fallback: `http://localhost:${port}` }),
    dataDirectory: path.resolve(reader.text('DATA_DIR', { fallback: '.data' })),
    databaseUrl: reader.optional('DATABASE_URL', databaseUrl),
    redisUrl: reader.optional('REDIS_URL', urlOf('redis:', 'rediss:')),
    embeddedRedis: reader.choice('EMBEDDED_REDIS', ['auto', 'js'], 'auto'),
    keyEncryptionSecret: reader.optional('KEY_ENCRYPTION_SECRET', keyOf32Bytes),
    logLevel: reader.choice('LOG_LEVEL', logLevels, 'info'),
    trustedProxyHops: reader.integer('TRUSTED_PROXY_HOPS', { fallback: 0, min: 0, max: 10 }),
    isStartedByNpm: env.npm_lifecycle_event !== undefined,
    environment: env,
  };
  const faults = new Set([...faultsOf(() => reader.finish()), ...findServiceFaults(env)]);
  if (faults.size > 0) throw new ConfigError([...faults]);
  return config;
}

function keyOf32Bytes(value: string): string | undefined {
  const bytes = /^[\w-]+$/.test(value) ? Buffer.from(value, 'base64url').length : 0;
  return bytes === KEY_BYTES ? undefined : `must be ${KEY_BYTES} random bytes in base64url (43 characters)`;
}
