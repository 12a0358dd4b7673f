import test from 'ava';
import { decodeJwt } from 'jose';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';
import { createOAuthEndpoints, type Parameters } from './oauth-endpoints.ts';
import {
  addOwner,
  authorizationRequest,
  connectApp,
  consentAction,
  openConsentPage,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack, browser } = world;

const request = (changes: Parameters = {}, id = clientId) =>
  endpoints.authorizeUrl(authorizationRequest(id, changes).parameters);
const newBrowser = () => createPageBrowser(stack.baseUrl);

test('a client’s logo, site and terms are neither loaded nor linked to (RFC 9700 §4.2.4)', async (t) => {
  const { body } = await endpoints.register({
    redirect_uris: ['https://app.example.com/callback'],
    client_name: 'https://evil.example/name',
    ...Object.fromEntries(
      ['logo_uri', 'client_uri', 'tos_uri', 'policy_uri'].map((name) => [
        name,
        `https://evil.example/${name}`,
      ]),
    ),
  });
  const page = await browser.get(request({}, String(body.client_id)));
  t.is(page.status, 200);
  t.deepEqual(new Set(page.markup.match(/evil\.example\/\w+/g)), new Set(['evil.example/name']));
  t.notRegex(page.markup, /(href|src|action)="[^"]*evil/);
});

test('cookies of a request are for its own pages and no script (RFC 6749 §10.12)', async (t) => {
  const page = await newBrowser().get(request());
  const cookies = page.headers.getSetCookie();
  t.deepEqual(
    cookies.map((cookie) => cookie.split('=')[0]).sort(),
    words(`oauth_interaction
    oauth_interaction.sig oauth_resume oauth_resume.sig tasks_csrf`),
  );
  for (const cookie of cookies) {
    t.regex(cookie, /; httponly/i);
    t.regex(cookie, /; samesite=lax/i);
    t.notRegex(cookie, /; domain/i);
    const path = /; path=([^;]+)/i.exec(cookie)?.[1] ?? '';
    if (!cookie.startsWith('tasks_csrf=')) t.regex(path, /^\/oauth\/(interaction|authorize)\/[\w-]{43}$/);
  }
});

test('a decision without the cookie of its request is refused (RFC 9700 §4.7)', async (t) => {
  const { owner } = await addOwner(stack);
  const visitor = newBrowser();
  await visitor.signIn(owner);
  const page = await openConsentPage(visitor, request());
  const action = consentAction(page);
  for (const name of ['oauth_interaction', 'oauth_interaction.sig']) {
    const value = visitor.cookies.get(name) ?? '';
    for (const other of ['', `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`]) {
      visitor.cookies.keep([`${name}=${other}; path=${action}`]);
      const answer = await visitor.submit(page, action, {}, { button: 'Allow' });
      t.deepEqual([answer.status, answer.location], [400, null], name);
    }
    visitor.cookies.keep([`${name}=${value}; path=${action}`]);
  }
  t.is((await visitor.submit(page, action, {}, { button: 'Allow' })).status, 303);
});

test.serial('a page that is asked for too often is a page with Retry-After (RFC 6585 §4)', async (t) => {
  const limited = await startOAuthWorld(t, { environment: { PAGES_PER_ADDRESS_PER_MINUTE: '3' } });
  const id = await registerClient(limited);
  const url = limited.endpoints.authorizeUrl(authorizationRequest(id).parameters);
  t.is((await limited.browser.get('/sign-up')).status, 303);
  const page = await limited.browser.get(url);
  t.is(page.status, 429);
  t.is(page.heading, 'Too many requests');
  t.regex(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.regex(page.text, /Try again in \d+ seconds?\./);
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
  t.is(page.headers.get('x-frame-options'), 'DENY');
  t.is(page.location, null);
});

const publicUrl = 'https://tasks.example';
type Sent = { host?: string; headers?: Record<string, string> };

const lies: Sent[] = [
  {},
  { host: 'evil.example' },
  { host: 'evil.example:8443' },
  { host: 'tasks.example.evil.example' },
  { headers: { 'X-Forwarded-Host': 'evil.example' } },
  { headers: { 'X-Forwarded-Host': 'tasks.example, evil.example' } },
  { headers: { 'X-Forwarded-Proto': 'http' } },
  { headers: { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-Host': 'evil.example' } },
  { headers: { 'X-Forwarded-Port': '8081', 'X-Forwarded-Prefix': '/evil', 'X-Forwarded-Path': '/evil' } },
  { headers: { Forwarded: 'for=192.0.2.1;host=evil.example;proto=http', 'X-Host': 'evil.example' } },
  { headers: { 'X-Original-URL': '/evil', 'X-Rewrite-URL': '/evil', 'X-Original-Host': 'evil.example' } },
  { headers: { 'X-Forwarded-Scheme': 'http', 'X-Forwarded-Ssl': 'off', 'Front-End-Https': 'off' } },
];

/** The request as these very bytes, past what a well-behaved client lets its user choose. */
async function send(there: Stack, target: string, { host, headers = {} }: Sent) {
  const lines = Object.entries({
    Host: host ?? new URL(there.baseUrl).host,
    Connection: 'close',
    ...headers,
  });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  return there.site.raw(`GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
}

for (const hops of ['0', '1']) {
  test.serial(`with ${hops} proxies no header moves address, issuer, cookie (RFC 9700 §4.13)`, async (t) => {
    const environment = { BASE_URL: publicUrl, TRUSTED_PROXY_HOPS: hops };
    const there = await startStack(t, { withAuthServer: true, environment });
    const at = createOAuthEndpoints(there.baseUrl);
    const { body } = await at.register();
    const { parameters } = authorizationRequest(String(body.client_id));
    const target = at.authorizeUrl(parameters).slice(there.baseUrl.length);
    const documents = [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp?issuer=https://evil.example',
    ];
    const documentsTo = (lie: Sent) =>
      Promise.all(documents.map(async (path) => (await send(there, path, lie)).body));
    const plain = await documentsTo({});
    for (const lie of lies) {
      const what = JSON.stringify(lie);
      const page = await send(there, target, lie);
      t.is(page.status, 200, what);
      const cookies = page.headers.getSetCookie();
      t.is(cookies.length, 5, what);
      for (const cookie of cookies) t.regex(cookie, /; secure/i, what);
      t.notRegex(page.body, /evil/, what);
      const refused = await send(there, `${target}&scope=admin`, lie);
      const location = new URL(refused.headers.get('location') ?? 'about:blank');
      t.is(location.searchParams.get('iss'), publicUrl, what);
      t.deepEqual(await documentsTo(lie), plain, what);
      const challenge = (await send(there, '/api/public/v1/me', lie)).headers.get('www-authenticate') ?? '';
      t.true(
        challenge.includes(`resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`),
        what,
      );
    }
  });
}

test('tokens, redirects and pages use the base URL, never request headers (RFC 9700 §4.13)', async (t) => {
  const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' };
  const url = endpoints.authorizeUrl(authorizationRequest(clientId).parameters);
  const page = await openConsentPage(browser, url);
  const decided = await browser.submit(page, consentAction(page), {}, { button: 'Allow', headers: forged });
  t.true(decided.location?.startsWith(`${stack.baseUrl}/oauth/authorize/`));
  const back = new URL((await browser.get(decided.location ?? '', forged)).location ?? '');
  t.deepEqual([back.origin, back.searchParams.get('iss')], ['https://app.example.com', stack.baseUrl]);

  const refresh = refreshRequest(await connectApp(world, { clientId }));
  const { body } = await endpoints.token(refresh, {
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
  });
  const { iss, aud } = decodeJwt(body.access_token);
  t.deepEqual([iss, aud], [stack.baseUrl, stack.apiRoot]);
});
