import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';
import { furtherBrowser, signedInOwner } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });
const title = 'Confirm it’s you';
const sent = { name: '"<b>Backup</b>"', scope: ['read', 'write'], expires_on: '2099-01-02' };

/** As if the owner had proved who they are that long ago. */
async function letMinutesPass({ accountId }: TestAccount, minutes: number): Promise<void> {
  await stack.sql`update auth.browser_session set created_at = created_at - make_interval(mins => ${minutes}),
    confirmed_at = confirmed_at - make_interval(mins => ${minutes}) where account_id = ${accountId}`;
}

async function tokensOf({ accountId }: TestAccount) {
  return stack.sql`select name, array_to_string(scopes, ' ') as scopes from auth.api_token
    where account_id = ${accountId}`;
}

test('ten minutes after the sign-in a token is made once the password was given; nothing is typed twice', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  const form = await browser.get('/settings/api');
  await letMinutesPass(account, 11);
  const asked = await browser.submit(form, '/settings/api', sent);
  t.is(asked.heading, title);
  t.deepEqual(await tokensOf(account), []);

  const refused = await browser.submit(asked, '/settings/api', { confirm_password: 'a wrong guess' });
  t.is(refused.status, 400);
  t.deepEqual(refused.invalidFields, ['confirm_password']);
  t.true(refused.description('confirm_password').includes('This is not your password.'));
  t.false(refused.markup.includes('a wrong guess'));
  t.deepEqual(await tokensOf(account), []);

  const made = await browser.submit(refused, '/settings/api', { confirm_password: password });
  t.is(made.heading, 'Copy your new token');
  t.deepEqual(await tokensOf(account), [{ name: sent.name, scopes: 'read write' }]);
  const next = { ...sent, name: 'Another' };
  t.is(
    (await browser.submit(await browser.get('/settings/api'), '/settings/api', next)).heading,
    made.heading,
  );
  await letMinutesPass(account, 11);
  t.is((await browser.submit(await browser.get('/settings/api'), '/settings/api', next)).heading, title);
});

test('who proved again who they are has another cookie, and the earlier one ends', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  await letMinutesPass(account, 11);
  const before = browser.cookies.get('tasks_session');
  const asked = await browser.submit(await browser.get('/settings/api'), '/settings/api', sent);
  await browser.submit(asked, '/settings/api', { confirm_password: password });
  const after = browser.cookies.get('tasks_session');
  t.truthy(before);
  t.not(after, before);
  const visit = (cookie = '') =>
    fetch(`${stack.baseUrl}/settings`, {
      headers: { Cookie: `tasks_session=${cookie}` },
      redirect: 'manual',
    });
  t.is((await visit(after)).status, 200);
  t.is((await visit(before)).status, 303);
});

test('a fresh sign-in belongs to one browser, and wrong passwords are counted', async (t) => {
  const owner = await signedInOwner(stack);
  await letMinutesPass(owner.account, 11);
  const other = await signedInOwner(stack);
  const { browser } = owner;
  t.is(
    (await other.browser.submit(await other.browser.get('/settings/api'), '/settings/api', sent)).status,
    200,
  );
  let page = await browser.submit(await browser.get('/settings/api'), '/settings/api', sent);
  for (let guesses = 0; page.status !== 429; guesses += 1) {
    t.true(guesses < 11);
    page = await browser.submit(page, '/settings/api', { confirm_password: 'a wrong guess' });
  }
  t.true(Number(page.headers.get('retry-after')) > 0);
  const last = await browser.submit(page, '/settings/api', { confirm_password: owner.password });
  t.is(last.status, 429);
  t.deepEqual(await tokensOf(owner.account), []);
});

test('ten minutes after the sign-in other browsers are signed out once the password was given', async (t) => {
  const owner = await signedInOwner(stack);
  const other = await furtherBrowser(stack, owner);
  await letMinutesPass(owner.account, 11);
  const [one, all] = [/\/settings\/sessions\/[0-9a-f-]+\/end$/, /\/settings\/sessions\/end-others$/];
  for (const button of [one, all]) {
    const sessions = await owner.browser.get('/settings/sessions');
    const action = sessions.forms.find((form) => button.test(form.action))?.action ?? '';
    t.is((await owner.browser.submit(sessions, action)).heading, title, action);
  }
  t.is((await other.get('/settings')).status, 200);
  const sessions = await owner.browser.get('/settings/sessions');
  const asked = await owner.browser.submit(sessions, '/settings/sessions/end-others');
  await owner.browser.submit(asked, '/settings/sessions/end-others', { confirm_password: owner.password });
  t.is((await other.get('/settings')).status, 303);
  t.is((await owner.browser.get('/settings')).status, 200);
});
