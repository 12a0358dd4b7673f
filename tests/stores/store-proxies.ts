import { behindProxy, type Owner, type ProxiedStore } from '../support/behind-proxy.ts';
import { freshDatabaseUrl } from '../support/fresh-database.ts';
import { leaseRedisDatabase } from '../support/redis-lease.ts';

export async function openProxiedDatabase(t: Owner): Promise<ProxiedStore> {
  const databaseUrl = await freshDatabaseUrl(t);
  return await behindProxy(t, databaseUrl);
}

export async function openProxiedRedis(t: Owner): Promise<ProxiedStore> {
  const lease = await leaseRedisDatabase();
  t.teardown(lease.release);
  return await behindProxy(t, lease.url);
}
