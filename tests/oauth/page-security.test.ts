import test from 'ava';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { findElements } from '#tests/support/page-markup.ts';
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

type Shown = { status: number; allowsAnyFormAction?: true; show(): Promise<PageView> };

const pages: Record<string, Shown> = {
  'sign-in for an app': { status: 200, show: () => newBrowser().get(request()) },
  'the consent page': { status: 200, allowsAnyFormAction: true, show: () => browser.get(request()) },
  'the consent page opened again': {
    status: 200,
    allowsAnyFormAction: true,
    show: async () => browser.get((await ask()).action),
  },
  'the consent page with a problem': {
    status: 400,
    allowsAnyFormAction: true,
    async show() {
      const { page, action } = await ask();
      return browser.submit(page, action, { scope: [] }, { button: 'Allow' });
    },
  },
  'a client nobody knows': { status: 400, show: () => browser.get(request({}, 'app_unknown')) },
  'an unregistered redirect_uri': {
    status: 400,
    show: () => browser.get(request({ redirect_uri: 'https://evil.example' })),
  },
  'a request that is not UTF-8': { status: 400, show: () => browser.get('/oauth/authorize?state=%ff') },
  'a request that waits no longer': { status: 400, show: () => browser.get('/oauth/interaction/expired') },
  'a decision that nobody made': { status: 400, show: () => browser.get('/oauth/authorize/expired') },
  'a decision without its token': {
    status: 403,
    show: async () => browser.post((await ask()).action, { decision: 'allow', scope: 'read' }),
  },
  'an authorization request by POST': { status: 405, show: () => browser.post('/oauth/authorize', {}) },
};

for (const [what, { status, allowsAnyFormAction, show }] of Object.entries(pages)) {
  test(`${what}: can’t be framed, tells no other site, and loads nothing from one (RFC 9700 §4.2.4, §4.16)`, async (t) => {
    const page = await show();
    t.is(page.status, status);
    const policy = [
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'",
      "frame-ancestors 'none'",
      ...(allowsAnyFormAction ? [] : ["form-action 'self'"]),
    ];
    t.is(page.headers.get('content-security-policy'), policy.join('; '));
    t.is(page.headers.get('x-frame-options'), 'DENY');
    t.is(page.headers.get('referrer-policy'), 'no-referrer');
    t.is(page.headers.get('cache-control'), 'no-store');
    t.is(page.headers.get('cross-origin-opener-policy'), null);
    t.is(page.headers.get('x-content-type-options'), 'nosniff');
    t.regex(page.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/);
    const addresses = findElements(page.root, () => true).flatMap(({ attributes }) =>
      ['src', 'href', 'action', 'srcset', 'data', 'poster', 'formaction'].flatMap(
        (name) => attributes.get(name) ?? [],
      ),
    );
    t.true(addresses.length > 0);
    t.deepEqual(
      addresses.filter((address) => !/^(\/(?![/\\])|#)/.test(address)),
      [],
    );
  });
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
