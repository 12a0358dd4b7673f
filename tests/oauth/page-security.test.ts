import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
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
