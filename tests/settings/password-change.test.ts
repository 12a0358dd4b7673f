import test from 'ava';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectApp, furtherBrowser, signedInOwner, trailOf } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

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

test('the new password counts and the old one no longer does', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  const answer = await submitPasswords(browser, password, newPassword);
  t.is(answer.status, 303);
  t.true((await browser.follow(answer)).text.includes('Your password has been changed.'));
  t.false(await canSignIn(account.email, password));
  t.true(await canSignIn(account.email, newPassword));
});

test('the password that is in use is no new one', async (t) => {
  const { password, browser } = await signedInOwner(stack);
  const answer = await submitPasswords(browser, password, password);
  t.deepEqual([answer.status, answer.invalidFields], [400, ['new_password']]);
  t.true(answer.description('new_password').startsWith('The new password is the password you have.'));
});

test('a wrong current password changes nothing', async (t) => {
  const owner = await signedInOwner(stack);
  const other = await furtherBrowser(stack, owner);
  await connectApp(stack, owner.account);
  const answer = await submitPasswords(owner.browser, 'not my password', newPassword, {
    revoke_tokens: ['yes'],
  });
  t.is(answer.status, 400);
  t.deepEqual(answer.invalidFields, ['current_password']);
  t.is(answer.description('current_password'), 'This is not your present password.');
  t.true(answer.form('/settings/password').fields.some(([name]) => name === 'revoke_tokens'));
  t.false(answer.markup.includes(newPassword));
  t.is((await other.get('/settings')).status, 200);
  t.deepEqual(await trailOf(stack, owner.account), []);
  t.true(await canSignIn(owner.account.email, owner.password));
});

test('of several changes at once that know the same password, one wins', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  const page = await browser.get('/settings');
  const passwords = ['the first new password', 'the second new password', 'the third new password'];
  const answers = await Promise.all(
    passwords.map((next) =>
      browser.submit(page, '/settings/password', { current_password: password, new_password: next }),
    ),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [303, 400, 400]);
  const winner = passwords[answers.findIndex(({ status }) => status === 303)] ?? '';
  t.true(await canSignIn(account.email, winner));
  const changes = (await trailOf(stack, account)).filter(({ event }) => event === 'password_changed');
  t.is(changes.length, 1);
});

test('guesses at the current password are limited like those at sign-in, right ones do not count', async (t) => {
  const limited = await startStack(t, {
    withAuthServer: true,
    environment: { SIGN_IN_FAILURES_PER_ACCOUNT: '3' },
  });
  const { account, password, browser } = await signedInOwner(limited);
  const submit = async (current: string, next: string) =>
    browser.submit(await browser.get('/settings'), '/settings/password', {
      current_password: current,
      new_password: next,
    });
  for (const _ of [1, 2, 3, 4]) t.is((await submit(password, 'short')).status, 400);
  for (const guess of ['a guess', 'another guess', 'a last guess'])
    t.is((await submit(guess, newPassword)).status, 400);

  const refused = await submit(password, newPassword);
  t.is(refused.status, 429);
  t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.regex(refused.description('current_password'), /given too often\. Try again in \d+ minutes\./);
  const other = createPageBrowser(limited.baseUrl);
  await other.signIn({ email: account.email, password });
});

test('a password manager finds where a password is changed and passkeys are kept', async (t) => {
  const { browser } = await signedInOwner(stack);
  const answer = await browser.get('/.well-known/change-password');
  t.is(answer.status, 303);
  t.regex((await browser.follow(answer)).text, /Current password/);
  const endpoints = await fetch(`${stack.baseUrl}/.well-known/passkey-endpoints`);
  const page = `${stack.baseUrl}/settings/security`;
  t.deepEqual(await endpoints.json(), { enroll: page, manage: page });
  t.is((await fetch(`${stack.baseUrl}/.well-known/anything-else`)).status, 404);
});
