import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type AppConnections, type AppSessionToken, connectedAppsPath } from '#shared/app/app-protocol.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { addOwner, connectApp } from '#tests/oauth/oauth-flow.ts';
import { newVisit, sessionsOf } from '#tests/pages/visitors.ts';
import type { Problem } from '#tests/support/api-types.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(undefined, { withAuthServer: true });

const tokenPath = '/app/session/token';
/** What Chromium sends with a fetch of the app. */
const ofApp = { 'content-type': 'application/json', 'sec-fetch-mode': 'cors', origin: stack.baseUrl };

const askForToken = (browser: PageBrowser, headers = {}, body = '{}') =>
  browser.post(tokenPath, body, { ...ofApp, ...headers });

const get = (path: string, headers = {}) => fetch(`${stack.baseUrl}${path}`, { headers });

const shell = await (await get('/app/')).text();
const assetUrls = [...shell.matchAll(/(?:href|src)="(\/app\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
// Only now: once a hook is declared, ava does not wait for what this file prepares.
test.after.always(stack.close);

test('the app gets an access token of its session, for its own and the public API', async (t) => {
  const { browser, person } = await newVisit(stack, { plan: 'premium', timezone: 'Europe/Berlin' });
  const page = await askForToken(browser);
  t.is(page.status, 200);
  t.is(page.headers.get('cache-control'), 'no-store');
  const { accessToken, expiresIn, account }: AppSessionToken = JSON.parse(page.markup);
  const { accountId: id, email } = person;
  t.deepEqual(account, { id, email, timezone: 'Europe/Berlin', plan: 'premium', status: 'active' });
  t.is(expiresIn, 300);
  t.is(decodeProtectedHeader(accessToken).typ, 'at+jwt');
  const [session] = await sessionsOf(stack, person);
  const { iat = 0, exp, jti, ...claims } = decodeJwt(accessToken);
  t.is(exp, iat + 300);
  t.truthy(jti);
  t.deepEqual(claims, {
    iss: stack.baseUrl,
    aud: stack.apiRoot,
    sub: id,
    client_id: 'first-party-app',
    grant_id: session?.id,
    scope: 'read write',
  });
  t.is((await stack.client(accessToken).get('/me')).status, 200);
});

test('signing out in the app ends the session and its tokens, and clears the storage', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { accessToken }: AppSessionToken = JSON.parse((await askForToken(browser)).markup);
  const answer = await browser.post('/app/session/sign-out', '{}', ofApp);
  t.is(answer.status, 204);
  t.is(answer.headers.get('clear-site-data'), '"storage"');
  t.deepEqual(await sessionsOf(stack, person), []);
  t.is((await stack.client(accessToken).get('/me')).status, 401);
  t.is((await askForToken(browser)).status, 401);
});

test('a screen that is opened by somebody who is not signed in leads to the sign-in and back', async (t) => {
  const { browser } = await newVisit(stack);
  const opened = { 'sec-fetch-dest': 'document' };
  const path = '/app/inbox?add=milk';
  const answer = await createPageBrowser(stack.baseUrl).get(path, opened);
  t.is(answer.status, 303);
  t.is(answer.headers.get('location'), `/sign-in?${new URLSearchParams({ return_to: path })}`);
  t.is((await browser.get(path, opened)).status, 200);
  // The service worker keeps the page, whoever is signed in while it is installed.
  t.is((await get('/app/', { 'sec-fetch-dest': 'empty' })).status, 200);
});

const strangers = {
  'another site': { 'sec-fetch-site': 'cross-site' },
  'another host of the site': { 'sec-fetch-site': 'same-site' },
  'no page at all': { 'sec-fetch-site': 'none' },
  'another origin, in a browser that says no more': {
    'sec-fetch-site': undefined,
    origin: 'https://evil.example',
  },
  'a page without an origin': { 'sec-fetch-site': undefined, origin: 'null' },
  'a program that names no origin': { 'sec-fetch-site': undefined, origin: undefined },
};

for (const [who, headers] of Object.entries(strangers)) {
  test(`a request of ${who} gets no token and signs nobody out`, async (t) => {
    const { browser, person } = await newVisit(stack);
    for (const path of [tokenPath, '/app/session/sign-out']) {
      const page = await browser.post(path, '{}', { ...ofApp, ...headers });
      t.is(page.status, 400, path);
      t.truthy((JSON.parse(page.markup) as Problem).errors?.Origin);
    }
    t.is((await sessionsOf(stack, person)).length, 1);
  });
}

test('a browser that says no more than its origin is believed', async (t) => {
  const { browser } = await newVisit(stack);
  t.is((await askForToken(browser, { 'sec-fetch-site': undefined })).status, 200);
});

test('what is not an empty JSON object is refused in the API’s shape', async (t) => {
  const { browser } = await newVisit(stack);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [status, headers, body] of [
    [415, form, 'a=b'],
    [400, {}, '{"scope":"read"}'],
    [400, {}, '[]'],
    [400, {}, '{'],
    [400, {}, ''],
  ] as const) {
    const page = await askForToken(browser, headers, body);
    t.is(page.status, status, body);
    t.is(JSON.parse(page.markup).requestId, page.headers.get('x-request-id'));
  }
  t.is((await browser.get(tokenPath)).status, 405);
});

test('a browser has thirty tokens a minute, and another browser of the account its own thirty', async (t) => {
  const { browser, person } = await newVisit(stack);
  for (let count = 0; count < 30; count += 1) t.is((await askForToken(browser)).status, 200);
  const refused = await askForToken(browser);
  t.is(refused.status, 429);
  t.true(Number(refused.headers.get('retry-after')) >= 1);
  const other = createPageBrowser(stack.baseUrl);
  await other.signIn(person);
  t.is((await askForToken(other)).status, 200);
});

test('every screen is one page without an account’s data, under the strictest headers', async (t) => {
  const { browser, person } = await newVisit(stack);
  const id = person.accountId;
  for (const path of ['/app/', '/app/upcoming?task=1', `/app/project/${id}`]) {
    const page = await browser.get(path);
    t.is(page.status, 200, path);
    t.is(page.markup, shell);
    t.like(Object.fromEntries(page.headers), {
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types notes worker",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    t.regex(page.headers.get('permissions-policy') ?? '', /^clipboard-write=\(self\)(, [\w-]+=\(\))+$/);
  }
  t.notRegex(shell, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  // Its texts change in their places.
  t.regex(shell, /<html [^>]*translate="no"/);
});

test('an unknown address shows the app as not found; the app’s own address ends in a slash', async (t) => {
  t.is((await get('/app/today')).status, 200);
  for (const path of ['/app/nothing', '/app/project/', '/app/inbox/x']) {
    const response = await get(path);
    t.is(response.status, 404, path);
    t.regex(await response.text(), /^<!doctype html>/);
  }
  const response = await fetch(`${stack.baseUrl}/app?add=milk`, { redirect: 'manual' });
  t.deepEqual([response.status, response.headers.get('location')], [308, '/app/?add=milk']);
});

test('the page’s assets are compressed and cached for ever, with a hash in their name', async (t) => {
  t.true(assetUrls.length >= 4);
  for (const url of assetUrls) {
    const plain = await get(url, { 'accept-encoding': 'identity' });
    t.is(plain.status, 200, url);
    t.is(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is(plain.headers.get('content-encoding'), null);
    const content = await plain.text();
    if (url.endsWith('.png')) continue;
    for (const encoding of ['br', 'gzip']) {
      const compressed = await get(url, { 'accept-encoding': `${encoding};q=1, x` });
      t.is(compressed.headers.get('content-encoding'), encoding, url);
      t.is(await compressed.text(), content);
    }
    const withoutBrotli = await get(url, { 'accept-encoding': 'br;q=0, gzip' });
    t.is(withoutBrotli.headers.get('content-encoding'), 'gzip', url);
  }
  const style = assetUrls.find((url) => url.endsWith('.css')) ?? '';
  const hash = createHash('sha256')
    .update(await (await get(style)).text())
    .digest('hex');
  t.true(style.includes(hash.slice(0, 12)));
});

test('an asset that no build has is not found, and nothing outside the build is reached', async (t) => {
  for (const name of ['main-OLD.js', '..%2Findex.html', '..%2f..%2fpackage.json', 'x', 'build.json', '.js']) {
    t.is((await get(`/app/assets/${name}`)).status, 404, name);
  }
});

test('the app can be installed: name, start, and icons of every size, one of them maskable', async (t) => {
  const response = await get('/app/manifest.webmanifest');
  t.regex(response.headers.get('content-type') ?? '', /^application\/manifest\+json/);
  t.is(response.headers.get('cache-control'), 'no-cache');
  const manifest: { icons: { src: string; sizes: string; purpose: string; type: string }[] } = JSON.parse(
    await response.text(),
  );
  t.like(manifest, { name: 'Tasks', start_url: '/app/', scope: '/app/', display: 'standalone' });
  t.true(manifest.icons.some(({ purpose }) => purpose === 'maskable'));
  for (const size of ['192x192', '512x512']) t.true(manifest.icons.some(({ sizes }) => sizes === size));
  for (const { src, type } of manifest.icons) t.is((await get(src)).headers.get('content-type'), type);
});

test('without a build only the app is unavailable; a build is served at once', async (t) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'web-app-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const environment = { WEB_APP_DIRECTORY: directory };
  const { baseUrl } = await startStack(t, { withAuthServer: true, environment });
  t.is((await fetch(`${baseUrl}/app/`)).status, 503);
  t.is((await fetch(`${baseUrl}/app/sw.js`)).status, 404);
  t.is((await fetch(`${baseUrl}/sign-in`)).status, 200);
  for (const name of ['index.html', 'sw.js']) writeFileSync(path.join(directory, name), '/* built */');
  t.is((await fetch(`${baseUrl}/app/`)).status, 200);
  const { status, headers } = await fetch(`${baseUrl}/app/sw.js`);
  t.is(status, 200);
  t.like(Object.fromEntries(headers), {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
});

const askForApps = (browser: PageBrowser) => browser.get(connectedAppsPath);

test('the first run sees by name what its owner has connected, and nothing of others', async (t) => {
  const { browser } = await addOwner(stack);
  const { browser: other } = await addOwner(stack);
  const namesFor = async (of: PageBrowser): Promise<string[]> => {
    const { apps }: AppConnections = JSON.parse((await askForApps(of)).markup);
    return apps.map(({ name }) => name);
  };
  t.deepEqual(await namesFor(browser), []);
  await connectApp({ endpoints: createOAuthEndpoints(stack.baseUrl), browser });
  t.is((await namesFor(browser)).length, 1);
  t.deepEqual(await namesFor(other), []);
  t.is((await askForApps(browser)).headers.get('cache-control'), 'no-store');
  t.is((await askForApps(createPageBrowser(stack.baseUrl))).status, 401);
});
