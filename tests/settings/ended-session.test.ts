import { once } from 'node:events';
import { request } from 'node:http';
import test from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import {
  authorizationRequest,
  consentAction,
  openConsentPage,
  registerClient,
} from '#tests/oauth/oauth-flow.ts';
import { untilWaiting, whileLocked } from '#tests/oauth/while-locked.ts';
import { newVisit } from '#tests/pages/visitors.ts';
import { beginSetUp, securityPath, setUpApp } from '#tests/second-factor/second-factors.ts';
import type { PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { whileSignedOut } from './signed-in-owner.ts';

const now = new Date('2026-03-02T09:00:00Z');
const stack = await startStack(test, { withAuthServer: true, now });

/** What lets somebody in. */
async function accessOf(accountId: string): Promise<{ name: string }[]> {
  return stack.sql`select name from auth.api_token where account_id = ${accountId}
    union all select encode(secret_encrypted, 'hex') from auth.authenticator_app
    where account_id = ${accountId}
    union all select code_hash from auth.recovery_code where account_id = ${accountId} order by name`;
}

/** Opens a page; the returned function sends its form. */
type Form = (browser: PageBrowser) => Promise<() => Promise<PageView>>;

const forms: Readonly<Record<string, Form>> = {
  'a personal token': async (browser) => {
    const page = await browser.get('/settings/api');
    return () => browser.submit(page, '/settings/api', { name: 'left behind', scope: ['read'] });
  },
  'an authenticator app': async (browser) => {
    const { page, app } = await beginSetUp(browser);
    return () => browser.submit(page, `${securityPath}/authenticator/confirm`, { code: app.codeAt(now) });
  },
  'a set of recovery codes': async (browser) => {
    await setUpApp(browser, now);
    const page = await browser.get(securityPath);
    return () => browser.submit(page, `${securityPath}/recovery-codes`);
  },
};

const formsOfOthers: Readonly<Record<string, Form>> = {
  'a personal token': forms['a personal token'] as Form,
  'an app': async (browser) => {
    const endpoints = createOAuthEndpoints(stack.baseUrl);
    const { parameters } = authorizationRequest(await registerClient({ endpoints }));
    const page = await openConsentPage(browser, endpoints.authorizeUrl(parameters));
    return () => browser.submit(page, consentAction(page), {}, { button: 'Allow' });
  },
};

for (const [what, open] of Object.entries(formsOfOthers))
  test.serial(`${what} is not added with a browser’s cookie while its password is changed`, async (t) => {
    const { person: account, browser } = await newVisit(stack);
    const send = await open(browser);
    const page = await browser.get('/settings');
    const statement = 'select from auth.account where id = $1 for no key update';
    const held = { table: 'account', statement, values: [account.accountId], end: 'rollback' } as const;
    const fields = {
      current_password: account.password,
      new_password: 'another password',
      revoke_tokens: 'yes',
    };
    const answers = await whileLocked(stack, held, () => [
      browser.submit(page, '/settings/password', fields),
      untilWaiting(stack.sql, 'account', 1).then(send),
    ]);
    t.is(answers[0]?.location, '/settings', 'the password is changed');
    t.is((await browser.get('/settings')).status, 200, 'its browser stays signed in');
    const added = await stack.sql`select id from auth.api_token where account_id = ${account.accountId}
      union all select id from auth.oauth_grant where account_id = ${account.accountId}`;
    t.deepEqual(added, []);
  });

for (const [what, open] of Object.entries(forms))
  test(`${what} is not added by a browser that is signed out meanwhile`, async (t) => {
    const { person: account, browser } = await newVisit(stack);
    const send = await open(browser);
    const before = await accessOf(account.accountId);
    const answer = await whileSignedOut(stack, account, send);
    t.deepEqual(await accessOf(account.accountId), before);
    t.is(answer.status, 303);
    t.regex((await browser.follow(answer)).text, /You were signed out meanwhile: nothing was changed/);
  });

test('a form that comes in slowly does nothing once its session has ended', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  await setUpApp(browser, now);
  const before = await accessOf(account.accountId);
  const path = `${securityPath}/authenticator/remove`;
  const page = await browser.get(securityPath);
  const body = `csrf_token=${page.csrfToken(path)}`;
  const headers = {
    cookie: browser.cookies.header(path),
    origin: 'null',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
  };
  const sending = request(new URL(path, stack.baseUrl), { method: 'POST', headers });
  const answered = once(sending, 'response');
  sending.write(body.slice(0, -1));
  // Answered after the form's first part was received.
  for (let count = 0; count < 5; count += 1) await browser.get(securityPath);
  await stack.sql`delete from auth.browser_session where account_id = ${account.accountId}`;
  sending.end(body.slice(-1));
  const [{ statusCode, headers: answer }] = await answered;
  t.is(statusCode, 303);
  t.regex(answer.location, /notice=signed-out/);
  t.deepEqual(await accessOf(account.accountId), before);
});
