import { findFreePort } from '#local/free-port.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import type { Owner } from './container.ts';

/** An empty database; its URL. */
export async function openDatabase(owner: Owner): Promise<string> {
  const database = await createFreshDatabase({ migrated: false });
  owner.teardown(database.drop);
  return database.url;
}

/** What a service of the image is given. */
export async function serviceVariables(databaseUrl: string): Promise<Record<string, string>> {
  return {
    BASE_URL: 'https://tasks.example.com',
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    KEY_ENCRYPTION_SECRET: 'the signing keys of a test are worth nothing',
    // A busy machine is no unavailable store.
    DATABASE_WAIT_MILLISECONDS: '20000',
    HOST: '127.0.0.1',
    PORT: String(await findFreePort()),
    MANAGEMENT_PORT: String(await findFreePort()),
  };
}
