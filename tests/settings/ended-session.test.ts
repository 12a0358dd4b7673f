import { once } from 'node:events';
import { request } from 'node:http';
import test from 'ava';
import { beginSetUp, securityPath, setUpApp } from '#tests/second-factor/second-factors.ts';
import type { PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { signedInOwner, whileSignedOut } from './signed-in-owner.ts';

const now = new Date('2026-03-02T09:00:00Z');
const stack = await startStack(test, { withAuthServer: true, now });

/** What lets somebody in. */
async function accessOf(accountId: string): Promise<{ name: string }[]> {
  return stack.sql`select name from auth.api_token where account_id = ${accountId}
    union all select encode(secret_encrypted, 'hex') from auth.authenticator_app where account_id = ${accountId}
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

for (const [what, open] of Object.entries(forms))
  test(`${what} is not added by a browser that is signed out meanwhile`, async (t) => {
    const { account, browser } = await signedInOwner(stack);
    const send = await open(browser);
    const before = await accessOf(account.accountId);
    const answer = await whileSignedOut(stack, account, send);
    t.deepEqual(await accessOf(account.accountId), before);
    t.is(answer.status, 303);
    t.regex((await browser.follow(answer)).text, /You were signed out meanwhile: nothing was changed/);
  });

test('a form that comes in slowly does nothing once its session has ended', async (t) => {
  const { account, browser } = await signedInOwner(stack);
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
