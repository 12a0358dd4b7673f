import test from 'ava';
import { changeAccount } from '#auth-server/admin/account-admin.ts';
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

test('all other browsers are signed out, this one stays', async (t) => {
  const owner = await signedInOwner(stack);
  const others = [await furtherBrowser(stack, owner), await furtherBrowser(stack, owner)];
  await submitPasswords(owner.browser, owner.password, newPassword);
  t.is((await owner.browser.get('/settings')).status, 200);
  for (const other of others) t.is((await other.get('/settings')).status, 303);
});

test('all connected apps end with their codes and refresh tokens, each on the trail', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  const neighbour = await stack.createAccount();
  await connectApp(stack, account, { name: 'First' });
  await connectApp(stack, account, { name: 'Second', isRedeemed: false });
  await connectApp(stack, neighbour);
  await submitPasswords(browser, password, newPassword);
  const grants = await stack.sql`select account_id from auth.oauth_grant
    where account_id in (${account.accountId}, ${neighbour.accountId})`;
  t.deepEqual(grants, [{ account_id: neighbour.accountId }]);
  const tokens = await stack.sql`select from auth.oauth_token join auth.oauth_grant on id = grant_id
    where account_id = ${account.accountId}`;
  t.deepEqual(tokens, []);
  const trail = await trailOf(stack, account);
  const disconnected = trail.filter(({ event }) => event === 'app_disconnected');
  t.deepEqual(disconnected.map(({ subjectName }) => subjectName).sort(), ['First', 'Second']);
  t.is(trail.filter(({ event, actor }) => event === 'password_changed' && actor === 'owner').length, 1);
});

test('what was exchanged under the old password is refused by the next request', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  const token = await stack.createToken(account);
  const exchange = () =>
    stack.anonymous.post<{ accessToken: string }>('/auth/token', { subjectToken: token.secret });
  const { body } = await exchange();
  t.is((await stack.client(body.accessToken).get('/me')).status, 200);
  await submitPasswords(browser, password, newPassword);
  t.is((await stack.client(body.accessToken).get('/me')).status, 401);
  t.is((await stack.client((await exchange()).body.accessToken).get('/me')).status, 200);
});

test('personal tokens stay, unless they are to be revoked with it', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  const token = await stack.createToken(account, { name: 'script' });
  await submitPasswords(browser, password, newPassword);
  t.is((await stack.client(token).get('/me')).status, 200);

  const answer = await submitPasswords(browser, newPassword, password, { revoke_tokens: ['yes'] });
  t.true((await browser.follow(answer)).text.includes('your personal tokens are revoked'));
  t.is((await stack.client(token).get('/me')).status, 401);
  const revoked = (await trailOf(stack, account)).filter(({ event }) => event === 'token_revoked');
  t.deepEqual(
    revoked.map(({ subjectName }) => subjectName),
    ['script'],
  );
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

test('an operator who sets a password ends all browsers and apps, not the personal tokens', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  const token = await stack.createToken(account);
  await connectApp(stack, account, { name: 'Test app' });
  await changeAccount(stack, account.email, { password: newPassword });
  t.is((await browser.get('/settings')).status, 303);
  t.is((await stack.client(token).get('/me')).status, 200);
  const trail = (await trailOf(stack, account)).map(({ event, actor, subjectName }) => [
    event,
    actor,
    subjectName,
  ]);
  t.deepEqual(trail, [
    ['password_changed', 'operator', null],
    ['app_disconnected', 'operator', 'Test app'],
  ]);
  t.true(await canSignIn(account.email, newPassword));
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
