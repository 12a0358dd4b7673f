/**
 * The names under which the runner hands its servers to the processes that run the test files. Later releases hand
 * theirs to these tests by the same names.
 */
export const testVariables = {
  databaseUrl: 'TEST_DATABASE_URL',
  redisUrl: 'TEST_REDIS_URL',
} as const;

/** The migrated database that every fresh one is a copy of. */
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
