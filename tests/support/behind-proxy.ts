import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';

/** A store of a test's own that is reached through a proxy, and the way past it. */
export type ProxiedStore = { proxy: FaultProxy; url: string; directUrl: string };

export type Owner = { teardown(close: () => Promise<void>): void };

export async function behindProxy(t: Owner, directUrl: string): Promise<ProxiedStore> {
  const proxy = await openFaultProxy({ port: Number(new URL(directUrl).port) });
  t.teardown(proxy.close);
  return { proxy, url: throughPort(directUrl, proxy.port), directUrl };
}

/** The URL of the same store by way of what listens at `port` of this machine. */
export function throughPort(directUrl: string, port: number): string {
  const url = new URL(directUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
