import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { connectApp, furtherBrowser, signedInOwner } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });
const tabs = ['/settings', '/settings/api', '/settings/apps', '/settings/sessions', '/settings/activity'];

test('the owner of a suspended account signs in, reads everything and is told why nothing can be changed', async (t) => {
  const { browser } = await signedInOwner(stack, { status: 'suspended' });
  for (const tab of tabs) {
    const page = await browser.get(tab);
    t.is(page.status, 200, tab);
    t.true(page.text.includes('Your account is suspended: it is read-only.'), tab);
  }
  for (const [tab, action] of [
    ['/settings', '/settings/timezone'],
    ['/settings', '/settings/password'],
    ['/settings/api', '/settings/api'],
  ] as const) {
    const page = await browser.get(tab);
    t.false(
      page.forms.some((form) => form.action === action),
      action,
    );
  }
});

test('a form that was shown before the suspension is refused with 423, and nothing changes', async (t) => {
  const { account, password, browser } = await signedInOwner(stack);
  const profile = await browser.get('/settings');
  const api = await browser.get('/settings/api');
  await stack.setStatus(account, 'suspended');
  const state = () => stack.sql`select password_hash, timezone,
    (select count(*) from auth.api_token where account_id = account.id) as tokens
    from auth.account where id = ${account.accountId}`;
  const before = await state();
  const passwords = { current_password: password, new_password: 'another password' };
  for (const answer of [
    await browser.submit(profile, '/settings/timezone', { timezone: 'Asia/Tokyo' }),
    await browser.submit(profile, '/settings/password', passwords),
    await browser.submit(api, '/settings/api', { name: 'x', scope: ['read'] }),
  ]) {
    t.is(answer.status, 423);
    t.is(answer.heading, 'Your account is suspended');
  }
  t.deepEqual(await state(), before);
});

test('the owner of a suspended account still revokes, disconnects and signs out', async (t) => {
  const owner = await signedInOwner(stack, { status: 'suspended' });
  const { account, browser } = owner;
  const token = await stack.createToken(account);
  const { appId } = await connectApp(stack, account);
  await furtherBrowser(stack, owner);
  for (const [tab, action] of [
    ['/settings/api', `/settings/api/${token.tokenId}/revoke`],
    ['/settings/apps', `/settings/apps/${appId}/disconnect`],
    ['/settings/sessions', '/settings/sessions/end-others'],
  ] as const) {
    t.is((await browser.submit(await browser.get(tab), action)).status, 303, action);
  }
});
