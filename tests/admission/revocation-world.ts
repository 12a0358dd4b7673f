import type { RecordSource } from '#resource-api/auth/token-cache.ts';
import { readMetrics } from '../observability/metrics-text.ts';
import { openProxiedDatabase, openProxiedRedis } from '../stores/store-proxies.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { Owner } from '../support/behind-proxy.ts';
import { type OwnStack, startStack } from '../support/stack.ts';
import { waitFor } from '../support/wait-for.ts';

/** On a busy machine the lease lapses now and then. */
export const patient = { timeoutMilliseconds: 60_000 };

/** resource-api on stores that can be broken for it alone; `stores`: the way past that, for who revokes. */
export async function startRevocationWorld(t: Owner) {
  const [database, redis] = [await openProxiedDatabase(t), await openProxiedRedis(t)];
  return {
    database,
    redis,
    stack: await startStack(t, { databaseUrl: database.url, redisUrl: redis.url }),
    stores: { databaseUrl: database.directUrl, redisUrl: redis.directUrl },
  };
}

export async function recordsFrom(stack: OwnStack, source: RecordSource): Promise<number> {
  return readMetrics(await stack.metrics('resource-api')).value('admission_records_total', { source });
}

/** Until PostgreSQL is not asked any more who the client is. */
export async function waitUntilRemembered(stack: OwnStack, client: ApiClient): Promise<void> {
  await waitFor(async () => {
    const before = await recordsFrom(stack, 'cached');
    await client.get('/me');
    return (await recordsFrom(stack, 'cached')) > before;
  }, patient);
}
