import type { MikroORM } from '@mikro-orm/postgresql';
import type { ExecutionContext } from 'ava';
import { connectOrm } from '#shared/database/connect-orm.ts';

/** Statements with the rights of `role`, over the connections that a service makes; closed when the test ends. */
export async function connectAsRole(
  t: ExecutionContext,
  url: string,
  role: string,
  poolSize = 1,
): Promise<MikroORM> {
  const orm = await connectOrm({
    url,
    role,
    applicationName: 'tests',
    poolSize,
    waitMilliseconds: 20_000,
    entities: [],
  });
  t.teardown(() => orm.close(true));
  return orm;
}

/** Likewise, as whoever the URL logs in. */
export function connectAsOwner(t: ExecutionContext, url: string): Promise<MikroORM> {
  return connectAsRole(t, url, decodeURIComponent(new URL(url).username) || 'postgres');
}
