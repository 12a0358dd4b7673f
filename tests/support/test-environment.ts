/**
 * Variables by which the runner passes its servers to the test processes. Later releases run these tests with
 * the same names.
 */
export const testVariables = {
  databaseUrl: 'TEST_DATABASE_URL',
  redisUrl: 'TEST_REDIS_URL',
} as const;

/** The shared services and their stores; see shared-services.ts. */
export const sharedServicesVariables = {
  baseUrl: 'TEST_SERVICES_URL',
  databaseUrl: 'TEST_SERVICES_DATABASE_URL',
  redisUrl: 'TEST_SERVICES_REDIS_URL',
} as const;

export const sharedDatabaseName = 'test_shared';
/** The last of Redis' databases; the others are leased. */
export const sharedRedisNumber = 15;

/** The migrated database that fresh ones are copied from. */
export const templateDatabaseName = 'template_migrated';

/** A superuser's URL of the runner's PostgreSQL. */
export function testDatabaseServerUrl(): string {
  return variable(testVariables.databaseUrl);
}

export function testRedisUrl(): string {
  return variable(testVariables.redisUrl);
}

function variable(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: run this file with «npm test -- <path of the file>»`);
}

export type SharedServiceUrls = { baseUrl: string; databaseUrl: string; redisUrl: string };

/** Undefined if none run: then each file starts a stack. */
export function sharedServiceUrls(): SharedServiceUrls | undefined {
  if (!process.env[sharedServicesVariables.baseUrl]) return undefined;
  return {
    baseUrl: variable(sharedServicesVariables.baseUrl),
    databaseUrl: variable(sharedServicesVariables.databaseUrl),
    redisUrl: variable(sharedServicesVariables.redisUrl),
  };
}
