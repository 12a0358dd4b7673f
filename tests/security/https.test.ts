import test from 'ava';
import { missingIds, operations, send } from '#tests/api/matrix/request-fixtures.ts';
import {
  addOwner,
  authorizationRequest,
  openConsentPage,
  registerClient,
  startOAuthWorld,
} from '#tests/oauth/oauth-flow.ts';
import { isSignedIn, newVisit } from '#tests/pages/visitors.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { hostRequests } from './host-requests.ts';

const world = await startOAuthWorld(undefined, { environment: { BASE_URL: 'https://tasks.example.com' } });
const clientId = await registerClient(world);
const { stack } = world;
test.after.always(() => stack.close());

type Waiting = { page: PageView; action: string; cookies: string[] };

/** A request that waits for its decision, with the cookies it brought. */
async function ask(browser: PageBrowser): Promise<Waiting> {
  const { parameters } = authorizationRequest(clientId);
  const page = await openConsentPage(browser, world.endpoints.authorizeUrl(parameters));
  const action = page.forms.find(({ names }) => names.has('scope'))?.action ?? '';
  const cookies = page.headers.getSetCookie().filter((cookie) => cookie.includes('oauth'));
  return { page, action, cookies };
}

/** Where the app is told of the decision; null when nobody is. */
async function allow(browser: PageBrowser, { page, action }: Waiting): Promise<URL | null> {
  const decided = await browser.submit(page, action, {}, { button: 'Allow' });
  if (decided.location === null) return null;
  const { location } = await browser.get(new URL(decided.location).pathname);
  return location === null ? null : URL.parse(location);
}

test('on https a waiting authorization has __Secure- cookies (RFC 6265bis §4.1.3.1)', async (t) => {
  const { browser } = await addOwner(stack);
  const waiting = await ask(browser);
  t.deepEqual(waiting.cookies.map((cookie) => cookie.split('=')[0]).sort(), [
    '__Secure-oauth_interaction',
    '__Secure-oauth_interaction.sig',
    '__Secure-oauth_resume',
    '__Secure-oauth_resume.sig',
  ]);
  for (const cookie of waiting.cookies) {
    t.regex(cookie, /; secure(;|$)/i);
    t.notRegex(cookie, /; domain/i);
  }
  t.true((await allow(browser, waiting))?.searchParams.has('code'));
});

test('on https the cookies of a waiting authorization count for nothing without their prefix', async (t) => {
  const { browser } = await addOwner(stack);
  const waiting = await ask(browser);
  const gone = waiting.cookies.map((cookie) => cookie.replace(/=[^;]*/, '=').concat('; max-age=0'));
  browser.cookies.keep(gone);
  browser.cookies.keep(waiting.cookies.map((cookie) => cookie.replace('__Secure-', '')));
  t.is(await allow(browser, waiting), null);
});

test('two authorizations wait in one browser side by side, each with its cookies', async (t) => {
  const { browser } = await addOwner(stack);
  const first = await ask(browser);
  const second = await ask(browser);
  for (const waiting of [first, second]) t.true((await allow(browser, waiting))?.searchParams.has('code'));
});

test('on https session and form cookies have the __Host- prefix (RFC 6265bis §4.1.3.2)', async (t) => {
  const { browser, person } = await newVisit(stack);
  t.truthy(browser.cookies.get('__Host-session'));
  t.truthy(browser.cookies.get('__Host-csrf'));
  const saved = await browser.submit(await browser.get('/settings'), '/settings/timezone');
  const left = await browser.submit(await browser.get('/settings'), '/sign-out');
  for (const line of [saved, left].flatMap(({ headers }) => headers.getSetCookie())) {
    t.regex(line, /^__Host-[^=]+=.*; Secure(;|$)/);
    t.notRegex(line, /Domain/i);
  }
  const other = createPageBrowser(stack.baseUrl);
  await other.signIn(person);
  const plain = createPageBrowser(stack.baseUrl);
  plain.cookies.set('tasks_session', other.cookies.get('__Host-session') ?? '');
  t.false(await isSignedIn(plain), 'a cookie without the prefix counts for nothing');
});

test('on https every answer keeps browsers to https for a year (RFC 6797 §6.1)', async (t) => {
  const policies = new Map<string, string | null>();
  const keep = (what: string, headers: Headers) =>
    policies.set(what, headers.get('strict-transport-security'));
  for (const [method, path, headers = {}, body] of hostRequests) {
    const answer = await fetch(stack.baseUrl + path, { method, headers, body, redirect: 'manual' });
    await answer.body?.cancel();
    keep(`${method} ${path} ${answer.status}`, answer.headers);
  }
  for (const operation of operations) {
    const answer = await send(stack.anonymous, operation, missingIds());
    keep(`${operation.operationId} ${answer.status}`, answer.headers);
  }
  t.deepEqual(
    [...policies].filter(([, policy]) => policy !== 'max-age=31536000'),
    [],
  );
});
