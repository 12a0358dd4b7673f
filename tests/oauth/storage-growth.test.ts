import test from 'ava';
import { sweepExpired } from '#auth-server/sweep/expired-records.ts';
import { auditRetentionSeconds, countRows, daySeconds, openAsAuthServer } from '#tests/auth/sweep-world.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import {
  authorizationRequest,
  connectApp,
  obtainCode,
  openConsentPage,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined, { own: true });
const { stack, endpoints, browser, owner } = world;
const database = await openAsAuthServer(stack.databaseUrl);
test.after.always(database.close);
test.after.always(stack.close);

const dayMilliseconds = daySeconds * 1_000;

const nothing = {
  oauth_token: 0,
  oauth_interaction: 0,
  oauth_grant: 0,
  browser_session: 0,
  password_reset: 0,
  revoked_access_token: 0,
  audit_event: 0,
  oauth_client: 0,
};

/** What is there after a sweep, so much later. */
async function rowsAfter(milliseconds: number): Promise<Record<string, number>> {
  stack.clock.advance(milliseconds);
  await sweepExpired(database.em, stack.clock, { auditRetentionSeconds });
  return countRows(stack.sql);
}

// One after the other: they move the clock.
test.beforeEach(async () => {
  stack.clock.reset();
  await stack.sql`truncate auth.oauth_client, auth.oauth_grant, auth.oauth_token, auth.oauth_interaction,
    auth.revoked_access_token, auth.browser_session, auth.audit_event`;
});

test.serial('requests that are refused leave no row', async (t) => {
  const clientId = await registerClient(world);
  const { parameters } = authorizationRequest(clientId);
  const before = await countRows(stack.sql);
  const visitor = createPageBrowser(stack.baseUrl);

  t.is((await endpoints.authorize({ ...parameters, client_id: 'app_unknown' })).status, 400);
  t.is((await endpoints.authorize({ ...parameters, redirect_uri: 'https://evil.example' })).status, 400);
  t.is((await endpoints.authorize({ ...parameters, code_challenge: undefined })).status, 303);
  t.is((await endpoints.authorize({ ...parameters, resource: 'https://evil.example' })).status, 303);
  t.is((await endpoints.register({ redirect_uris: ['javascript:alert(1)'] })).status, 400);
  const code = { grant_type: 'authorization_code', code: 'unknown', redirect_uri: 'https://app.example.com' };
  t.is((await endpoints.token({ ...code, client_id: clientId, code_verifier: 'x'.repeat(43) })).status, 400);
  const refresh = { grant_type: 'refresh_token', refresh_token: 'unknown' };
  t.is((await endpoints.token({ ...refresh, client_id: clientId })).status, 400);
  t.is((await endpoints.token({ ...refresh, client_id: 'app_unknown' })).status, 401);
  t.is((await endpoints.revoke({ token: 'unknown', client_id: clientId })).status, 200);
  t.is((await visitor.get('/settings')).status, 303);
  const wrong = { email: owner.email, password: 'not the password' };
  t.is((await visitor.submit(await visitor.get('/sign-in'), '/sign-in', wrong)).status, 400);
  const taken = { email: owner.email, password: 'long enough to be one' };
  t.is((await visitor.submit(await visitor.get('/sign-up'), '/sign-up', taken)).status, 400);

  t.deepEqual(await countRows(stack.sql), before);
});

test.serial(
  'an authorization that nobody decides is gone after 15 minutes, its client after a week',
  async (t) => {
    for (let count = 0; count < 3; count += 1) {
      const { parameters } = authorizationRequest(await registerClient(world));
      t.is((await endpoints.authorize(parameters)).status, 200);
    }
    t.deepEqual(await rowsAfter(14 * 60_000), { ...nothing, oauth_interaction: 3, oauth_client: 3 });
    t.deepEqual(await rowsAfter(60_000), { ...nothing, oauth_client: 3 });
    t.deepEqual(await rowsAfter(7 * dayMilliseconds), nothing);
  },
);

test.serial('an app that refreshes for months has as many tokens as one month gives it', async (t) => {
  await browser.signIn(owner);
  let app = await connectApp(world);
  const tokens: (number | undefined)[] = [];
  for (let round = 0; round < 12; round += 1) {
    const { status, body } = await endpoints.token(refreshRequest(app));
    t.is(status, 200);
    app = { ...app, tokens: body };
    tokens.push((await rowsAfter(10 * dayMilliseconds)).oauth_token);
  }
  // With the used code, which is recognised when it comes again.
  t.deepEqual(tokens.slice(2), Array(10).fill(3));
  t.like(await rowsAfter(0), { oauth_grant: 1, oauth_client: 1 });
});

test.serial('in the end nothing is left of what anybody did', async (t) => {
  await browser.signIn(owner);
  for (let count = 0; count < 3; count += 1) {
    await createPageBrowser(stack.baseUrl).signIn(owner);
    const { parameters } = authorizationRequest((await connectApp(world)).clientId);
    await openConsentPage(browser, endpoints.authorizeUrl(parameters));
    await obtainCode(world);
  }
  const rows = await countRows(stack.sql);
  for (const table of ['oauth_token', 'oauth_interaction', 'oauth_grant', 'browser_session', 'audit_event'])
    t.true((rows[table] ?? 0) >= 3, table);
  await rowsAfter(auditRetentionSeconds * 1_000 - dayMilliseconds);
  t.deepEqual(await rowsAfter(8 * dayMilliseconds), nothing);
});
