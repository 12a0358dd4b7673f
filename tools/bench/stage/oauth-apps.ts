import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { type ConnectedApp, connectApp } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import type { Bench } from './bench.ts';
import type { ServerProcess } from './server-process.ts';
import { withConnection } from './stores.ts';

/** What all clients of the bench may ask from one address: the limits count, and refuse nobody. */
const limits = Object.fromEntries(
  [
    'REGISTRATIONS_PER_ADDRESS_PER_HOUR',
    'TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE',
    'PAGES_PER_ADDRESS_PER_MINUTE',
  ].map((name) => [name, '1000000']),
);

export function startAuthServer(
  bench: Bench,
  stores: { databaseUrl: string; redisUrl?: string },
): Promise<ServerProcess> {
  return bench.startService({ service: 'auth-server', ...stores, isPublic: true, environment: limits });
}

/** Connects apps, each by a whole flow, through a browser that is signed in. */
export type AppConnector = { connect(): Promise<ConnectedApp> };

/** An account with a browser that is signed in to it. */
export async function openConnector(
  { signal }: Bench,
  databaseUrl: string,
  { port }: ServerProcess,
): Promise<AppConnector> {
  signal.throwIfAborted();
  const baseUrl = `http://127.0.0.1:${port}`;
  const password = 'correct horse battery staple';
  const { email } = await withConnection(databaseUrl, ({ sql }) =>
    createTestAccounts(sql).createAccount({ password }),
  );
  const browser = createPageBrowser(baseUrl);
  await browser.signIn({ email, password });
  const endpoints = createOAuthEndpoints(baseUrl);
  return {
    connect() {
      signal.throwIfAborted();
      return connectApp({ endpoints, browser });
    },
  };
}
