import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { furtherBrowser, signedInOwner, trailOf } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

test('every signed-in browser is shown with its address, this one marked', async (t) => {
  const owner = await signedInOwner(stack);
  await furtherBrowser(stack, owner, phone);
  const { text } = await owner.browser.get('/settings/sessions');
  t.regex(text, /Firefox on Linux This browser Address 127\.0\.0\.1 Signed in/);
  t.regex(text, /Safari on iPhone Address 127\.0\.0\.1 Signed in/);
});

test('a browser that is signed out has to sign in at its next request', async (t) => {
  const owner = await signedInOwner(stack);
  const other = await furtherBrowser(stack, owner, phone);
  const third = await furtherBrowser(stack, owner);
  const page = await owner.browser.get('/settings/sessions');
  const entry = page.forms.find(({ action }) => action.endsWith('/end'));
  const onPhone = await stack.sql<{ id: string }>`select id from auth.browser_session
    where account_id = ${owner.account.accountId} and user_agent = ${phone}`;
  t.truthy(entry);
  const answer = await owner.browser.submit(page, `/settings/sessions/${onPhone[0]?.id}/end`);
  t.is(answer.status, 303);
  t.true((await owner.browser.follow(answer)).text.includes('That browser is signed out.'));
  t.is((await other.get('/settings')).status, 303);
  t.is((await third.get('/settings')).status, 200);
  t.like((await trailOf(stack, owner.account)).at(-1), {
    event: 'session_ended',
    actor: 'owner',
    subjectName: 'Safari on iPhone',
  });
});

test('all other browsers are signed out together', async (t) => {
  const owner = await signedInOwner(stack);
  const others = [await furtherBrowser(stack, owner), await furtherBrowser(stack, owner)];
  const neighbour = await signedInOwner(stack);
  const page = await owner.browser.get('/settings/sessions');
  const answer = await owner.browser.submit(page, '/settings/sessions/end-others');
  t.true((await owner.browser.follow(answer)).text.includes('All other browsers are signed out.'));
  for (const other of others) t.is((await other.get('/settings')).status, 303);
  t.is((await neighbour.browser.get('/settings')).status, 200);
  const again = await owner.browser.submit(page, '/settings/sessions/end-others');
  t.is(again.status, 303);
  t.is((await trailOf(stack, owner.account)).length, 1);
});
