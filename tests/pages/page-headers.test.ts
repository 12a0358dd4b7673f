import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed, findElements } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { newVisit } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });

const newBrowser = () => createPageBrowser(stack.baseUrl);

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

type Visit = () => Promise<PageView>;

/** `cutsOpener`: whoever opened the page has no hold on it, since it shows an account. */
const pages: Record<string, { status: number; cutsOpener?: true; visit: Visit }> = {
  'the front page': { status: 200, cutsOpener: true, visit: () => newBrowser().get('/') },
  settings: {
    status: 200,
    cutsOpener: true,
    visit: async () => (await newVisit(stack)).browser.get('/settings/api'),
  },
  'sign-in': { status: 200, visit: () => newBrowser().get('/sign-in') },
  'sign-in refused': {
    status: 400,
    visit: async () => {
      const browser = newBrowser();
      return browser.submit(await browser.get('/sign-in'), '/sign-in', { email: 'a@b.c', password: 'x' });
    },
  },
  'sign-up': { status: 200, visit: () => newBrowser().get('/sign-up') },
  'sign-up refused': {
    status: 400,
    visit: async () => {
      const browser = newBrowser();
      return browser.submit(await browser.get('/sign-up'), '/sign-up', { email: 'x', password: 'x' });
    },
  },
  'sign-out': {
    status: 200,
    cutsOpener: true,
    visit: async () => (await newVisit(stack)).browser.get('/sign-out'),
  },
  'a path below a page': { status: 404, visit: () => newBrowser().get('/sign-in/elsewhere') },
  'a path below the settings': {
    status: 404,
    cutsOpener: true,
    visit: () => newBrowser().get('/settings/elsewhere'),
  },
  'a form nobody takes': { status: 405, visit: () => newBrowser().post('/', {}) },
  'a form of no page': { status: 403, visit: () => newBrowser().post('/sign-in', {}) },
  'a form that is damaged': {
    status: 400,
    visit: () => newBrowser().post('/sign-in', new URLSearchParams({ email: '\0' })),
  },
  'a form that is none': {
    status: 415,
    visit: () => newBrowser().post('/sign-in', { a: 'b' }, { 'content-type': 'text/plain' }),
  },
  'a form that is too long': {
    status: 413,
    visit: () => newBrowser().post('/sign-in', { email: 'x'.repeat(70_000) }),
  },
};

for (const [what, { status, cutsOpener, visit }] of Object.entries(pages)) {
  test(`${what}: a page with every header a page has, and nothing inline that the policy would stop`, async (t) => {
    const page = await visit();
    t.is(page.status, status);
    const headers = Object.keys(pageHeaders).map((name) => [name, page.headers.get(name)]);
    t.deepEqual(Object.fromEntries(headers), pageHeaders);
    t.is(page.headers.get('cross-origin-opener-policy'), cutsOpener ? 'same-origin' : null);
    t.is(page.headers.get('x-powered-by'), null);

    const [root] = elementsNamed(page.root, 'html');
    t.is(root?.attributes.get('lang'), 'en');
    t.is(elementsNamed(page.root, 'h1').length, 1);
    t.regex(page.title, /^Tasks$| · Tasks$/);
    t.deepEqual(elementsNamed(page.root, 'style'), []);
    for (const script of elementsNamed(page.root, 'script')) {
      t.true(script.attributes.has('src'));
      t.deepEqual(script.children, []);
    }
    const inline = findElements(page.root, ({ attributes }) =>
      [...attributes.keys()].some((name) => name === 'style' || name.startsWith('on')),
    );
    t.deepEqual(inline, []);
    for (const form of page.forms)
      t.true(form.method === 'POST' && form.names.has('csrf_token'), form.action);
  });
}

test('what a page loads is kept by browsers for ever, under an address that changes with it', async (t) => {
  const page = await newBrowser().get('/');
  const loaded = findElements(page.root, ({ name }) => ['link', 'script', 'img'].includes(name)).map(
    ({ attributes }) => attributes.get('href') ?? attributes.get('src') ?? '',
  );
  const mediaTypes = new Map<string, string | null>();
  for (const url of loaded) {
    t.regex(url, /^\/assets\/[a-z.-]+\?v=[\w-]{16}$/);
    const answer = await fetch(stack.baseUrl + url);
    t.is(answer.status, 200, url);
    t.is(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is(answer.headers.get('x-content-type-options'), 'nosniff');
    t.is(answer.headers.get('set-cookie'), null);
    mediaTypes.set(url.replace(/\?.*/, ''), answer.headers.get('content-type'));
  }
  t.deepEqual(Object.fromEntries(mediaTypes), {
    '/assets/style.css': 'text/css; charset=utf-8',
    '/assets/icon.svg': 'image/svg+xml',
    '/assets/touch-icon.png': 'image/png',
    '/assets/page.js': 'text/javascript; charset=utf-8',
  });
});

test('an error page names the request, leads back and says which methods there are', async (t) => {
  const page = await newBrowser().post('/sign-in/elsewhere', {});
  t.is(page.heading, 'Page not found');
  t.true(page.text.includes(page.headers.get('x-request-id') ?? 'no id'));
  t.true(page.links.some(({ href }) => href === '/'));
  const wrongMethod = await fetch(`${stack.baseUrl}/sign-out`, { method: 'DELETE' });
  t.is(wrongMethod.status, 405);
  t.is(wrongMethod.headers.get('allow'), 'GET, HEAD, POST');
});

test('a mistyped address is a page for people, and an error of the API for programs', async (t) => {
  const page = await newBrowser().get('/todya');
  t.is(page.status, 404);
  t.is(page.heading, 'Page not found');
  t.true(page.links.some(({ href }) => href === '/'));
  for (const accept of ['*/*', 'application/json', 'image/png']) {
    const answer = await fetch(`${stack.baseUrl}/register`, { method: 'POST', headers: { accept } });
    t.is(answer.status, 404);
    t.like(await answer.json(), { errorType: 'not_found', errorCode: 'not_found' });
    t.is(answer.headers.get('access-control-allow-origin'), '*');
  }
});

test('a fault of ours is told without a detail, and found in the log by the request it happened in', async (t) => {
  const broken = await startStack(t, { withAuthServer: true, own: true });
  const { browser } = await newVisit(broken);
  await broken.sql`alter table auth.browser_session rename to browser_session_gone`;
  const page = await browser.get('/');
  t.is(page.status, 500);
  t.is(page.heading, 'Something went wrong');
  t.notRegex(page.markup, /browser_session|select|relation/i);
  const requestId = page.headers.get('x-request-id');
  t.true(page.text.includes(requestId ?? 'no id'));
  t.true(broken.log.some((line) => line.requestId === requestId && line.level === 50));
});
