import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { findFreePort } from '#local/free-port.ts';
import { openPathGateway } from '#local/path-gateway.ts';
import { buildWebApp } from '#local/web-app.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { addCookies } from '#tests/support/shown-page.ts';
import { createTestAccounts, type TestAccount } from '#tests/support/test-accounts.ts';
import type { Bench } from './bench.ts';
import { withConnection } from './stores.ts';
import { fillTasks } from './task-rows.ts';

const password = 'correct horse battery staple';
/** A fifth of them is completed. */
const tasks = 6_250;

export type App = AsyncDisposable & {
  baseUrl: string;
  databaseUrl: string;
  account: TestAccount;
  /** A new browser context, signed in. */
  openContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext>;
};

/** Both services behind the gateway of `npm start`, and an account with 5,000 open tasks. */
export async function startApp({ stores, directory, signal, startService }: Bench): Promise<App> {
  await using parts = new AsyncDisposableStack();
  const databaseUrl = await stores.createDatabase('web_app');
  const account = await withConnection(databaseUrl, async (connection) => {
    const made = await createTestAccounts(connection.sql).createAccount({ password, plan: 'premium' });
    await fillTasks(connection, { accountIds: [made.accountId], tasks });
    await connection.sql`update tasks.task set list = 'inbox', due_date = null where recurrence is null`;
    await connection.run('vacuum analyze');
    return made;
  });
  const webAppDirectory = path.join(directory, 'web-app');
  await buildWebApp(webAppDirectory, signal);
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const environment = {
    BASE_URL: baseUrl,
    WEB_APP_DIRECTORY: webAppDirectory,
    // The client that changes tasks has the browser's address.
    ADDRESS_LIMIT_EXEMPT: '127.0.0.0/8',
  };
  const authServer = await startService({ service: 'auth-server', databaseUrl, environment });
  parts.use(authServer);
  const resourceApi = await startService({ service: 'resource-api', databaseUrl, environment });
  parts.use(resourceApi);
  const ports = { 'auth-server': authServer.port, 'resource-api': resourceApi.port };
  const gateway = await openPathGateway({ port, host: '127.0.0.1', portOf: (service) => ports[service] });
  parts.defer(() => gateway.close());
  const visitor = createPageBrowser(baseUrl);
  await visitor.signIn({ email: account.email, password });
  const kept = parts.move();
  return {
    ...{ baseUrl, databaseUrl, account },
    async openContext(browser, options) {
      const context = await browser.newContext(options);
      await addCookies(context, baseUrl, visitor.cookies.header('/'));
      return context;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
