import { randomBytes } from 'node:crypto';
import test from 'ava';
import { decodeProtectedHeader } from 'jose';
import { runAdmin } from '#tests/admin/run-admin.ts';
import { createOAuthEndpoints, type OAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { type ConnectedApp, connectApp, refreshRequest } from '#tests/oauth/oauth-flow.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { firstStart } from './first-start.ts';
import { startLocally, temporaryDataDirectory } from './local-start.ts';

async function refreshed(endpoints: OAuthEndpoints, app: ConnectedApp): Promise<ConnectedApp> {
  const { status, body } = await endpoints.token(refreshRequest(app));
  if (status !== 200) throw new Error(`a refresh is answered with ${status} ${body.error}`);
  return { ...app, tokens: body };
}

async function isSignedIn(browser: PageBrowser): Promise<boolean> {
  return (await browser.get('/settings')).status === 200;
}

test.serial('the first account signs in and connects an app, and both outlive a restart', async (t) => {
  const dataDirectory = temporaryDataDirectory(t);
  const first = await firstStart(t, { dataDirectory });
  const { account, baseUrl } = first;
  t.true(first.output().includes(`An account was made for you; sign in with it at ${baseUrl}/sign-in\n`));
  const browser = createPageBrowser(baseUrl);
  const endpoints = createOAuthEndpoints(baseUrl);
  await browser.signIn(account);
  t.true(await isSignedIn(browser));
  const app = await connectApp({ endpoints, browser });
  t.is(await endpoints.me(app.tokens.access_token), 200);
  first.process.kill('SIGTERM');
  t.is(await first.ended, 0);

  const port = Number(new URL(baseUrl).port);
  const second = await startLocally(t, { dataDirectory, port });
  await second.ready();
  t.true(await isSignedIn(browser));
  t.is(await endpoints.me(app.tokens.access_token), 200);
  const later = await refreshed(endpoints, app);
  t.is(await endpoints.me(later.tokens.access_token), 200);
});

test.serial('the operator’s command finds the running instance’s apps, and rotates its keys', async (t) => {
  const dataDirectory = temporaryDataDirectory(t);
  const { account, baseUrl } = await firstStart(t, { dataDirectory });
  const admin = async (...args: string[]) => {
    const { stdout, stderr } = await runAdmin(args, { DATA_DIR: dataDirectory });
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const browser = createPageBrowser(baseUrl);
  const endpoints = createOAuthEndpoints(baseUrl);
  await browser.signIn(account);
  const app = await connectApp({ endpoints, browser });

  const { currentKeyId } = await admin('keys', 'rotate');
  t.not(decodeProtectedHeader(app.tokens.access_token).kid, currentKeyId);
  let latest = app;
  const isSignedWithNewKey = async () => {
    latest = await refreshed(endpoints, latest);
    return decodeProtectedHeader(latest.tokens.access_token).kid === currentKeyId;
  };
  await waitFor(isSignedWithNewKey, { timeoutMilliseconds: 20_000, what: 'a token of the new key' });
  t.is(await endpoints.me(app.tokens.access_token), 200);
  t.is(await endpoints.me(latest.tokens.access_token), 200);

  const [listed] = await admin('app', 'list', '--email', account.email);
  t.is(listed.appId, app.grantId);
  await admin('app', 'disconnect', '--app-id', listed.appId);
  t.is(await endpoints.me(latest.tokens.access_token), 401);
  const [disconnected] = await admin('audit', 'list', '--email', account.email);
  t.like(disconnected, { event: 'app_disconnected', actor: 'operator', subjectId: app.grantId });
});

test.serial(
  'after a change of the secret apps go on by their refresh tokens, and browsers stay',
  async (t) => {
    const database = await createFreshDatabase({ migrated: false });
    t.teardown(database.drop);
    const dataDirectory = temporaryDataDirectory(t);
    const environment = { DATABASE_URL: database.url, REDIS_URL: testRedisUrl() };
    const first = await firstStart(t, { dataDirectory, environment });
    const { account, baseUrl } = first;
    const browser = createPageBrowser(baseUrl);
    const endpoints = createOAuthEndpoints(baseUrl);
    await browser.signIn(account);
    const app = await connectApp({ endpoints, browser });
    first.process.kill('SIGTERM');
    t.is(await first.ended, 0);

    const connection = connectSql(database.url);
    t.teardown(connection.close);
    await connection.run('delete from auth.signing_key');
    const second = await startLocally(t, {
      dataDirectory,
      port: Number(new URL(baseUrl).port),
      environment: {
        ...environment,
        KEY_ENCRYPTION_SECRET: randomBytes(32).toString('base64url'),
      },
    });
    await second.ready();
    t.is(await endpoints.me(app.tokens.access_token), 401);
    t.is(await endpoints.me(account.token), 200);
    const later = await refreshed(endpoints, app);
    t.is(await endpoints.me(later.tokens.access_token), 200);
    t.true(await isSignedIn(browser));
    const token = await browser.submit(await browser.get('/settings/api'), '/settings/api', { name: 'New' });
    t.is(token.status, 200);
  },
);
