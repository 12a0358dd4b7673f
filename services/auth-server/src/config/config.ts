import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { readServiceEnv, type ServiceEnv } from '#shared/config/service-env.ts';
import { checkKeyEncryptionSecret } from './key-encryption-secret.ts';

export type Config = ServiceEnv & {
  keyEncryptionSecret: string;
  accessTokenTtlSeconds: number;
  requestsPerTokenPerMinute: number;
  requestsPerAddressPerMinute: number;
};

/** Throws a ConfigError that lists every fault. */
export function readConfig(env: Environment): Config {
  const reader = createEnvReader(env);
  const config = {
    ...readServiceEnv(reader),
    keyEncryptionSecret: reader.text('KEY_ENCRYPTION_SECRET', { check: checkKeyEncryptionSecret }),
    accessTokenTtlSeconds: reader.integer('ACCESS_TOKEN_TTL_SECONDS', { fallback: 600, min: 1, max: 86_400 }),
    requestsPerTokenPerMinute: 120,
    requestsPerAddressPerMinute: 600,
  };
  reader.finish();
  return config;
}
