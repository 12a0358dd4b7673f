import test, { type ExecutionContext } from 'ava';
import {
  authorizationRequest,
  type OAuthWorld,
  openConsentPage,
  registerClient,
  startOAuthWorld,
} from '#tests/oauth/oauth-flow.ts';
import type { PageView } from '#tests/support/page-view.ts';

const environment = { BASE_URL: 'https://tasks.example.com' };

type Waiting = { page: PageView; action: string; cookies: string[] };

/** A request that waits for its decision, with the cookies it brought. */
async function ask({ browser, endpoints }: OAuthWorld, clientId: string): Promise<Waiting> {
  const { parameters } = authorizationRequest(clientId);
  const page = await openConsentPage(browser, endpoints.authorizeUrl(parameters));
  const action = page.forms.find(({ names }) => names.has('scope'))?.action ?? '';
  const cookies = page.headers.getSetCookie().filter((cookie) => cookie.includes('oauth'));
  return { page, action, cookies };
}

/** Where the app is told of the decision; null when nobody is. */
async function allow({ browser }: OAuthWorld, { page, action }: Waiting): Promise<URL | null> {
  const decided = await browser.submit(page, action, {}, { button: 'Allow' });
  if (decided.location === null) return null;
  const { location } = await browser.get(new URL(decided.location).pathname);
  return location === null ? null : URL.parse(location);
}

async function startSecureWorld(t: ExecutionContext): Promise<{ world: OAuthWorld; clientId: string }> {
  const world = await startOAuthWorld(t, { environment });
  return { world, clientId: await registerClient(world) };
}

test('on https the cookies of a waiting authorization carry the prefix that only https can set (RFC 6265bis §4.1.3.1)', async (t) => {
  const { world, clientId } = await startSecureWorld(t);
  const waiting = await ask(world, clientId);
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
  t.true((await allow(world, waiting))?.searchParams.has('code'));
});

test('on https the cookies of a waiting authorization count for nothing without their prefix', async (t) => {
  const { world, clientId } = await startSecureWorld(t);
  const waiting = await ask(world, clientId);
  const gone = waiting.cookies.map((cookie) => cookie.replace(/=[^;]*/, '=').concat('; max-age=0'));
  world.browser.cookies.keep(gone);
  world.browser.cookies.keep(waiting.cookies.map((cookie) => cookie.replace('__Secure-', '')));
  t.is(await allow(world, waiting), null);
});

test('two authorizations wait in one browser side by side, each with its cookies', async (t) => {
  const { world, clientId } = await startSecureWorld(t);
  const first = await ask(world, clientId);
  const second = await ask(world, clientId);
  for (const waiting of [first, second]) t.true((await allow(world, waiting))?.searchParams.has('code'));
});
