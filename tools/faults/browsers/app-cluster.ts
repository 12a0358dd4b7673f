import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildWebApp } from '#local/web-app.ts';
import { connectSql, type Sql } from '#tests/support/connect-sql.ts';
import { createTestAccounts, type TestAccount } from '#tests/support/test-accounts.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { openSession, type Session } from './session.ts';

/** Two replicas of each service behind HAProxy, with the built app, and somebody who has an account. */
export type AppCluster = {
  cluster: Cluster;
  sql: Sql;
  account: TestAccount;
  openSession(): Promise<Session>;
};

const password = 'seven quiet harbours';

export async function startAppCluster(parts: AsyncDisposableStack): Promise<AppCluster> {
  const webApp = mkdtempSync(path.join(os.tmpdir(), 'web-app-'));
  parts.defer(() => rmSync(webApp, { recursive: true, force: true }));
  await buildWebApp(webApp, AbortSignal.timeout(120_000));
  const environment = { WEB_APP_DIRECTORY: webApp };
  const cluster = parts.use(await startCluster({ behindHaproxy: true, environment }));
  const connection = connectSql(cluster.database.url);
  parts.defer(connection.close);
  const account = await createTestAccounts(connection.sql).createAccount({ password, plan: 'premium' });
  const person = { email: account.email, password };
  return {
    cluster,
    sql: connection.sql,
    account,
    openSession: () => openSession(cluster.baseUrl, person),
  };
}
