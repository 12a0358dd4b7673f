import { rmSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runAdmin } from '#tests/admin/run-admin.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, refreshRequest } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { firstStart, startLocally, temporaryDataDirectory } from './local-start.ts';

test('browsers and apps outlive a restart and new signing keys, until the operator disconnects the app', async (t) => {
  const dataDirectory = temporaryDataDirectory(t);
  const first = await firstStart(t, { dataDirectory });
  const { account, baseUrl } = first;
  const port = Number(new URL(baseUrl).port);
  const browser = createPageBrowser(baseUrl);
  const endpoints = createOAuthEndpoints(baseUrl);
  await browser.signIn(account);
  let app = await connectApp({ endpoints, browser });
  const refresh = async () => {
    const { status, body } = await endpoints.token(refreshRequest(app));
    if (status === 200) app = { ...app, tokens: body };
    return status;
  };
  t.is(await endpoints.me(app.tokens.access_token), 200);
  await first.stop();

  const second = await startLocally(t, { dataDirectory, port });
  await second.ready();
  t.is((await browser.get('/settings')).status, 200);
  t.is(await endpoints.me(app.tokens.access_token), 200);
  t.is(await refresh(), 200);
  await second.stop();

  rmSync(path.join(dataDirectory, 'key-encryption-secret'));
  const third = await startLocally(t, { dataDirectory, port, parameters: ['--new-signing-keys'] });
  await third.ready();
  t.is(await endpoints.me(account.token), 200);
  t.is((await browser.get('/settings')).status, 200);
  t.is(await refresh(), 200);
  t.is(await endpoints.me(app.tokens.access_token), 200);

  const admin = async (...words: string[]) => {
    const { stdout, stderr } = await runAdmin(words, { DATA_DIR: dataDirectory });
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout);
  };
  t.is(typeof (await admin('keys', 'rotate')).currentKeyId, 'string');
  const [listed] = await admin('app', 'list', '--email', account.email);
  t.is(listed.appId, app.grantId);
  await admin('app', 'disconnect', '--app-id', listed.appId);
  t.is(await endpoints.me(app.tokens.access_token), 401);
  t.is(await refresh(), 400);
});
