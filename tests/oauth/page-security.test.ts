import test from 'ava';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import type { Parameters } from './oauth-endpoints.ts';
import {
  addOwner,
  authorizationRequest,
  consentAction,
  openConsentPage,
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

async function ask(): Promise<{ page: PageView; action: string }> {
  const page = await openConsentPage(browser, request());
  return { page, action: consentAction(page) };
}

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

test('the cookies of a request are for its own pages alone and for no script (RFC 6749 §10.12)', async (t) => {
  const page = await newBrowser().get(request());
  const cookies = page.headers.getSetCookie();
  t.deepEqual(cookies.map((cookie) => cookie.split('=')[0]).sort(), [
    'oauth_interaction',
    'oauth_interaction.sig',
    'oauth_resume',
    'oauth_resume.sig',
    'tasks_csrf',
  ]);
  for (const cookie of cookies) {
    t.regex(cookie, /; httponly/i);
    t.regex(cookie, /; samesite=lax/i);
    t.notRegex(cookie, /; domain/i);
    const path = /; path=([^;]+)/i.exec(cookie)?.[1] ?? '';
    if (!cookie.startsWith('tasks_csrf=')) t.regex(path, /^\/oauth\/(interaction|authorize)\/[\w-]{43}$/);
  }
});

type Forgery = (own: { token: string; action: string }) => Promise<{
  fields: Record<string, string>;
  headers?: Record<string, string>;
  from?: PageBrowser;
}>;
const allow = { decision: 'allow', scope: 'read' };

const forgeries: Record<string, Forgery> = {
  'without a token': async () => ({ fields: allow }),
  'with a token that is none': async () => ({ fields: { ...allow, csrf_token: 'A'.repeat(43) } }),
  'with the token of the form for signing out': async ({ action }) => {
    const page = await browser.get(action);
    return { fields: { ...allow, csrf_token: page.csrfToken('/sign-out') } };
  },
  'with the token of another request of the same browser': async () => {
    const other = await ask();
    return { fields: { ...allow, csrf_token: other.page.csrfToken(other.action) } };
  },
  'with the token that another browser got for the same address': async ({ action }) => {
    const page = await newBrowser().get('/sign-in');
    return { fields: { ...allow, csrf_token: page.csrfToken('/sign-in'), action } };
  },
  'from another site': async ({ token }) => ({
    fields: { ...allow, csrf_token: token },
    headers: { 'sec-fetch-site': 'cross-site' },
  }),
  'from another host of the same site': async ({ token }) => ({
    fields: { ...allow, csrf_token: token },
    headers: { 'sec-fetch-site': 'same-site' },
  }),
};

for (const [what, forge] of Object.entries(forgeries)) {
  test(`a decision ${what} is refused and decides nothing (RFC 9700 §4.7, RFC 6749 §10.12)`, async (t) => {
    const { page, action } = await ask();
    const { fields, headers } = await forge({ token: page.csrfToken(action), action });
    const answer = await browser.post(action, fields, headers);
    t.deepEqual([answer.status, answer.location], [403, null]);
    const decided = await browser.submit(page, action, {}, { button: 'Don’t allow' });
    const target = new URL((await browser.get(decided.location ?? '')).location ?? '');
    t.is(target.searchParams.get('error'), 'access_denied');
  });
}

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
  await limited.browser.get(url);
  const page = await limited.browser.get(url);
  t.is(page.status, 429);
  t.true(Number(page.headers.get('retry-after')) >= 1);
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
  t.is(page.headers.get('x-frame-options'), 'DENY');
  t.is(page.location, null);
});

const origin = 'https://inspector.example';
const form = 'application/x-www-form-urlencoded';

type Sent = { method?: string; body?: string; headers?: Record<string, string> };

function send(path: string, { method = 'GET', body, headers }: Sent = {}): Promise<Response> {
  return fetch(stack.baseUrl + path, { method, body, headers: { origin, ...headers }, redirect: 'manual' });
}

function corsOf({ headers }: Response): Record<string, string> {
  const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']));
}

const open = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After,WWW-Authenticate,X-Request-Id',
};

const sentForm = (body: string): Sent => ({ method: 'POST', body, headers: { 'content-type': form } });
const withSecret = { 'content-type': form, authorization: `Basic ${btoa('x:y')}` };

const answers: Record<string, [path: string, status: number, sent?: Sent]> = {
  'the key set': ['/oauth/jwks', 200],
  'the key set, asked wrongly (405)': ['/oauth/jwks', 405, { method: 'DELETE' }],
  'the server’s metadata': ['/.well-known/oauth-authorization-server', 200],
  'the host’s metadata': ['/.well-known/oauth-protected-resource', 200],
  'the API’s metadata': ['/.well-known/oauth-protected-resource/api/public/v1', 200],
  'the assistant server’s metadata': ['/.well-known/oauth-protected-resource/mcp', 200],
  'metadata of nothing (404)': ['/.well-known/oauth-protected-resource/other', 404],
  'a refused registration (400)': ['/oauth/register', 400, { method: 'POST', body: '{' }],
  'a registration that is too large (413)': [
    '/oauth/register',
    413,
    { method: 'POST', body: 'x'.repeat(2_100_000) },
  ],
  'registration, asked wrongly (405)': ['/oauth/register', 405],
  'a refused token request (400)': ['/oauth/token', 400, sentForm('grant_type=x')],
  'a token request of an unknown client (401)': [
    '/oauth/token',
    401,
    sentForm('grant_type=refresh_token&client_id=x'),
  ],
  'a token request with a secret (401)': ['/oauth/token', 401, { method: 'POST', headers: withSecret }],
  'the token endpoint, asked wrongly (405)': ['/oauth/token', 405],
  'a revocation': ['/oauth/revoke', 200, sentForm(`token=x&client_id=${clientId}`)],
  'a refused revocation (400)': ['/oauth/revoke', 400, sentForm('')],
  'revocation, asked wrongly (405)': ['/oauth/revoke', 405, { method: 'PUT' }],
};

for (const [what, [path, status, sent]] of Object.entries(answers)) {
  test(`${what}: read by pages of any origin, without credentials (RFC 9700 §2.6)`, async (t) => {
    const response = await send(path, sent);
    t.is(response.status, status);
    t.deepEqual(corsOf(response), open);
  });
}

const preflights = [
  ...['/oauth/register', '/oauth/token', '/oauth/revoke'].map((path) => [path, 'POST']),
  ...[
    '/oauth/jwks',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
  ].map((path) => [path, 'GET,HEAD']),
];

for (const [path = '', methods = ''] of preflights) {
  test(`a preflight of ${path} is granted whatever it asks for, but credentials (RFC 9700 §2.6)`, async (t) => {
    const response = await send(path, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': methods.slice(0, 4).replace(',', ''),
        'access-control-request-headers': 'content-type,mcp-protocol-version,authorization',
      },
    });
    t.is(response.status, 204);
    t.deepEqual(corsOf(response), {
      ...open,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'content-type,mcp-protocol-version,authorization',
      'access-control-max-age': '86400',
    });
  });
}

test('no script of another origin reads what is asked or answered at the authorization endpoint (RFC 9700 §2.6)', async (t) => {
  const { parameters } = authorizationRequest(clientId);
  const authorizePath = endpoints.authorizeUrl(parameters).slice(stack.baseUrl.length);
  const interaction = consentAction(await openConsentPage(browser, authorizePath));
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } };
  const paths = [authorizePath, `${authorizePath}&scope=admin`, '/oauth/authorize', interaction];
  for (const path of [...paths, interaction.replace('interaction', 'authorize')]) {
    for (const sent of [{}, preflight, { method: 'POST', headers: { 'content-type': form } }]) {
      t.deepEqual(corsOf(await send(path, sent)), {}, `${sent.method} ${path}`);
    }
  }
});

test('no script of another origin reads the pages of a person (RFC 9700 §2.6)', async (t) => {
  for (const path of [
    '/',
    '/sign-in',
    '/sign-up',
    '/sign-out',
    '/settings',
    '/settings/apps',
    '/settings/api',
  ]) {
    const preflight = await send(path, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST' },
    });
    t.deepEqual([corsOf(await send(path)), corsOf(preflight)], [{}, {}], path);
  }
});
