import { type FaultProxy, openFaultProxy } from '../support/fault-proxy.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { leaseRedisDatabase } from '../support/redis-lease.ts';

/** A store of a test's own that is reached through a proxy, and the way past it. */
export type ProxiedStore = { proxy: FaultProxy; url: string; directUrl: string };

type Owner = { teardown(close: () => Promise<void>): void };

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

async function behindProxy(t: Owner, directUrl: string): Promise<ProxiedStore> {
  const url = new URL(directUrl);
  const proxy = await openFaultProxy({ port: Number(url.port) });
  t.teardown(proxy.close);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, url: url.href, directUrl };
}
