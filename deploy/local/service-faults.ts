import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { faultsOf } from '#shared/config/config-error.ts';
import type { Environment } from '#shared/config/read-env.ts';

/** What the start tells the services by itself, whatever the environment holds: anything that they accept. */
const toldByStart: Environment = {
  BASE_URL: 'http://localhost',
  DATABASE_URL: 'postgres://localhost/postgres',
  REDIS_URL: 'redis://localhost',
  KEY_ENCRYPTION_SECRET: '-'.repeat(43),
  PORT: '1',
  MANAGEMENT_PORT: '1',
};

/** What the services would find fault with in the environment that is handed on to them. */
export function findServiceFaults(env: Environment): string[] {
  return [readAuthServerConfig, readResourceApiConfig].flatMap((read) =>
    faultsOf(() => read({ ...env, ...toldByStart })),
  );
}
