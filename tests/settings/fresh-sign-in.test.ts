import test from 'ava';
import { newVisit } from '#tests/pages/visitors.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';
import { connectApp, furtherBrowser, trailOf } from './signed-in-owner.ts';

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

test('ten minutes after sign-in a new token needs the password; the form keeps its fields', async (t) => {
  const { person: account, browser } = await newVisit(stack);
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

  const made = await browser.submit(refused, '/settings/api', { confirm_password: account.password });
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
  const { person: account, browser } = await newVisit(stack);
  await letMinutesPass(account, 11);
  const before = browser.cookies.get('tasks_session');
  const asked = await browser.submit(await browser.get('/settings/api'), '/settings/api', sent);
  await browser.submit(asked, '/settings/api', { confirm_password: account.password });
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
  const owner = await newVisit(stack);
  await letMinutesPass(owner.person, 11);
  const other = await newVisit(stack);
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
  const last = await browser.submit(page, '/settings/api', { confirm_password: owner.person.password });
  t.is(last.status, 429);
  t.deepEqual(await tokensOf(owner.person), []);
});

test('ten minutes after the sign-in other browsers are signed out once the password was given', async (t) => {
  const owner = await newVisit(stack);
  const other = await furtherBrowser(stack, owner);
  await letMinutesPass(owner.person, 11);
  const [one, all] = [/\/settings\/sessions\/[0-9a-f-]+\/end$/, /\/settings\/sessions\/end-others$/];
  for (const button of [one, all]) {
    const sessions = await owner.browser.get('/settings/sessions');
    const action = sessions.forms.find((form) => button.test(form.action))?.action ?? '';
    t.is((await owner.browser.submit(sessions, action)).heading, title, action);
  }
  t.is((await other.get('/settings')).status, 200);
  const sessions = await owner.browser.get('/settings/sessions');
  const asked = await owner.browser.submit(sessions, '/settings/sessions/end-others');
  await owner.browser.submit(asked, '/settings/sessions/end-others', {
    confirm_password: owner.person.password,
  });
  t.is((await other.get('/settings')).status, 303);
  t.is((await owner.browser.get('/settings')).status, 200);
});

const newPassword = 'quite another password';

async function submitPasswords(
  browser: PageBrowser,
  current: string,
  next: string,
  more: { revoke_tokens?: string[] } = {},
): Promise<PageView> {
  const fields = { current_password: current, new_password: next, ...more };
  return browser.submit(await browser.get('/settings'), '/settings/password', fields);
}

async function canSignIn(email: string, password: string): Promise<boolean> {
  const browser = createPageBrowser(stack.baseUrl);
  const fields = { email, password };
  return (await browser.submit(await browser.get('/sign-in'), '/sign-in', fields)).status === 303;
}

test('the password that is in use is no new one', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const answer = await submitPasswords(browser, account.password, account.password);
  t.deepEqual([answer.status, answer.invalidFields], [400, ['new_password']]);
  t.true(answer.description('new_password').startsWith('The new password is the password you have.'));
});

test('a wrong current password changes nothing', async (t) => {
  const owner = await newVisit(stack);
  const other = await furtherBrowser(stack, owner);
  await connectApp(stack, owner.person);
  const answer = await submitPasswords(owner.browser, 'not my password', newPassword, {
    revoke_tokens: ['yes'],
  });
  t.is(answer.status, 400);
  t.deepEqual(answer.invalidFields, ['current_password']);
  t.is(answer.description('current_password'), 'This is not your present password.');
  t.true(answer.form('/settings/password').fields.some(([name]) => name === 'revoke_tokens'));
  t.false(answer.markup.includes(newPassword));
  t.is((await other.get('/settings')).status, 200);
  t.deepEqual(await trailOf(stack, owner.person), []);
  t.true(await canSignIn(owner.person.email, owner.person.password));
});

test('of concurrent changes with the same password one wins, and only its password counts', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const page = await browser.get('/settings');
  const passwords = ['the first new password', 'the second new password', 'the third new password'];
  const answers = await Promise.all(
    passwords.map((next) =>
      browser.submit(page, '/settings/password', { current_password: account.password, new_password: next }),
    ),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [303, 400, 400]);
  t.true((await browser.get('/settings')).text.includes('Your password has been changed.'));
  const winner = passwords[answers.findIndex(({ status }) => status === 303)] ?? '';
  t.true(await canSignIn(account.email, winner));
  t.false(await canSignIn(account.email, account.password));
  const changes = (await trailOf(stack, account)).filter(({ event }) => event === 'password_changed');
  t.is(changes.length, 1);
});

test('wrong current passwords are limited as at sign-in, right ones do not count', async (t) => {
  const limited = await startStack(t, {
    withAuthServer: true,
    environment: { SIGN_IN_FAILURES_PER_ACCOUNT: '3' },
  });
  const { person: account, browser } = await newVisit(limited);
  const submit = async (current: string, next: string) =>
    browser.submit(await browser.get('/settings'), '/settings/password', {
      current_password: current,
      new_password: next,
    });
  for (const _ of [1, 2, 3, 4]) t.is((await submit(account.password, 'short')).status, 400);
  for (const guess of ['a guess', 'another guess', 'a last guess'])
    t.is((await submit(guess, newPassword)).status, 400);

  const refused = await submit(account.password, newPassword);
  t.is(refused.status, 429);
  t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.regex(refused.description('current_password'), /given too often\. Try again in \d+ minutes\./);
  const other = createPageBrowser(limited.baseUrl);
  await other.signIn({ email: account.email, password: account.password });
});

test('a password manager finds where a password is changed and passkeys are kept', async (t) => {
  const { browser } = await newVisit(stack);
  const answer = await browser.get('/.well-known/change-password');
  t.is(answer.status, 303);
  t.regex((await browser.follow(answer)).text, /Current password/);
  const endpoints = await fetch(`${stack.baseUrl}/.well-known/passkey-endpoints`);
  const page = `${stack.baseUrl}/settings/security`;
  t.deepEqual(await endpoints.json(), { enroll: page, manage: page });
  t.is((await fetch(`${stack.baseUrl}/.well-known/anything-else`)).status, 404);
});
