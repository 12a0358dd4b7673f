import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { findElements } from '#tests/support/page-markup.ts';
import { startStack } from '#tests/support/stack.ts';
import { newVisit } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });

const newBrowser = () => createPageBrowser(stack.baseUrl);

test('what a page loads is kept by browsers for ever, under an address that changes with it', async (t) => {
  const page = await newBrowser().get('/');
  const loaded = findElements(page.root, ({ name }) => ['link', 'img'].includes(name)).map(
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
  });
});

test('the script of pages is asked for anew, and names files that are kept for ever', async (t) => {
  const page = await newBrowser().get('/');
  const [script] = findElements(page.root, ({ name }) => name === 'script');
  const url = `${stack.baseUrl}${script?.attributes.get('src')}`;
  const answer = await fetch(url);
  t.is(answer.headers.get('cache-control'), 'no-cache');
  const imports = [...(await answer.text()).matchAll(/import '(.+?)'/g)];
  t.not(imports.length, 0);
  for (const [, name = ''] of imports) {
    const { status, headers } = await fetch(new URL(name, url));
    t.is(status, 200, name);
    t.is(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is(headers.get('content-type'), 'text/javascript; charset=utf-8');
  }
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

test('an internal error shows no details, and its request id is in the log', async (t) => {
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
