import { behindProxy, type Owner, type ProxiedStore } from '../support/behind-proxy.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { leaseRedisDatabase } from '../support/redis-lease.ts';

export async function openProxiedDatabase(t: Owner): Promise<ProxiedStore> {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  return await behindProxy(t, database.url);
}

export async function openProxiedRedis(t: Owner): Promise<ProxiedStore> {
  const lease = await leaseRedisDatabase();
  t.teardown(lease.release);
  return await behindProxy(t, lease.url);
}
