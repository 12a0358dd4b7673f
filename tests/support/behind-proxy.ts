import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';

/** A test's own store behind a proxy; `url` leads through the proxy. */
export type ProxiedStore = { proxy: FaultProxy; url: string; directUrl: string };

export type Owner = { teardown(close: () => Promise<void>): void };

export async function behindProxy(t: Owner, directUrl: string): Promise<ProxiedStore> {
  const proxy = await openFaultProxy({ port: Number(new URL(directUrl).port) });
  t.teardown(proxy.close);
  return { proxy, url: throughPort(directUrl, proxy.port), directUrl };
}

/** The URL of the same store through a local port. */
export function throughPort(directUrl: string, port: number): string {
  const url = new URL(directUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
