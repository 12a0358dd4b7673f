import type { MikroORM } from '@mikro-orm/postgresql';
import type { ExecutionContext } from 'ava';
import { createOrm } from '#shared/database/connect-orm.ts';
import { openDatabase } from '#shared/database/database.ts';

/**
 * Runs statements with the rights of `role`, over connections as a service opens them; closed when the test
 * ends.
 */
export async function connectAsRole(
  t: ExecutionContext,
  url: string,
  role: string,
  poolSize = 1,
): Promise<MikroORM> {
  const database = openDatabase({
    url,
    role,
    applicationName: 'tests',
    poolSize,
    waitMilliseconds: 20_000,
    hasTextTimestamps: true,
  });
  const orm = createOrm(database, url, []);
  t.teardown(() => orm.close(true));
  return orm;
}
