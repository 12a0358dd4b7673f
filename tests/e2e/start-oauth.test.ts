import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runAdmin } from '#tests/admin/run-admin.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, refreshRequest } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { firstStart, startLocally, temporaryDataDirectory } from './local-start.ts';

test('browsers and apps outlive a restart, and new signing keys once their secret is lost, until the operator disconnects the app', async (t) => {
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

  const secretFile = path.join(dataDirectory, 'key-encryption-secret');
  rmSync(secretFile);
  const stopped = await startLocally(t, { dataDirectory });
  t.is(await stopped.ended, 1);
  t.deepEqual(stopped.output().split('\n').slice(0, 3), [
    `${secretFile} is missing, and nothing else opens the signing keys in the database.`,
    'Put it back, or set KEY_ENCRYPTION_SECRET to what it held.',
    'If it is lost: npm start -- --new-signing-keys, which loses nothing else.',
  ]);
  const third = await startLocally(t, { dataDirectory, port, parameters: ['--new-signing-keys'] });
  await third.ready();
  t.true(existsSync(secretFile), 'a later start needs no parameter');
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
