import path from 'node:path';
import type { Environment } from '#shared/config/read-env.ts';

/** Limits that no variable sets, far above what tests send. */
export const unlimited = {
  requestsPerTokenPerMinute: 1_000_000,
  requestsPerSessionPerMinute: 1_000_000,
  requestsPerAddressPerMinute: 1_000_000,
};
export type Limits = Record<keyof typeof unlimited, number>;

/** All tests come from one address. */
const generousLimits = Object.fromEntries(
  [
    'REGISTRATIONS_PER_ADDRESS_PER_HOUR',
    'TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE',
    'PAGES_PER_ADDRESS_PER_MINUTE',
    'SIGN_UPS_PER_ADDRESS_PER_HOUR',
    'SIGN_IN_FAILURES_PER_ADDRESS',
  ].map((name) => [name, '1000000']),
);

/** Where a run of the tests builds the web app. */
export const webAppDirectoryOf = (folder: string): string => path.join(folder, 'test-output/web-app');

type ServiceStores = { databaseUrl: string; redisUrl: string };

/** The environment of a test's service, without its ports. */
export function serviceEnvironment(baseUrl: string, { databaseUrl, redisUrl }: ServiceStores): Environment {
  return {
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    // A store that is slow on a busy machine is not unavailable.
    DATABASE_WAIT_MILLISECONDS: '20000',
    KEY_ENCRYPTION_SECRET: 'the signing keys of a test are worth nothing',
    WEB_APP_DIRECTORY: webAppDirectoryOf(path.join(import.meta.dirname, '../..')),
    ...generousLimits,
  };
}
