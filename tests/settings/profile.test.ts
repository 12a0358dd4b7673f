import test from 'ava';
import { findElements } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { signedInOwner } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

test('the profile shows the address, the plan and the time zone', async (t) => {
  const { account, browser } = await signedInOwner(stack, { plan: 'premium', timezone: 'Asia/Tokyo' });
  const page = await browser.get('/settings');
  t.is(page.status, 200);
  t.is(page.heading, 'Profile');
  t.true(page.text.includes(account.email));
  t.true(page.text.includes('Premium'));
  t.deepEqual(
    page.form('/settings/timezone').fields.filter(([name]) => name === 'timezone'),
    [['timezone', 'Asia/Tokyo']],
  );
});

test('another time zone counts from the next request on', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  const token = await stack.createToken(account);
  const answer = await browser.submit(await browser.get('/settings'), '/settings/timezone', {
    timezone: 'America/New_York',
  });
  t.is(answer.status, 303);
  const page = await browser.follow(answer);
  t.true(page.text.includes('Your time zone is saved.'));
  t.is((await stack.client(token).get('/me')).body.timezone, 'America/New_York');
});

test('a time zone that does not exist is refused beside its field, and nothing changes', async (t) => {
  const { account, browser } = await signedInOwner(stack, { timezone: 'Europe/Berlin' });
  for (const timezone of [
    'Mars/Olympus',
    '',
    '+02:00',
    'europe/berlin',
    '<script>alert(1)</script>',
    undefined,
  ]) {
    const form = await browser.get('/settings');
    const answer = await browser.submit(form, '/settings/timezone', { timezone });
    t.is(answer.status, 400, timezone);
    t.deepEqual(answer.invalidFields, ['timezone']);
    t.true(answer.description('timezone').startsWith('Choose one of the time zones in the list.'));
  }
  const rows = await stack.sql`select timezone from auth.account where id = ${account.accountId}`;
  t.deepEqual(rows, [{ timezone: 'Europe/Berlin' }]);
});

const hasNotice = ({ root }: PageView): boolean =>
  findElements(root, ({ attributes }) => attributes.get('class') === 'notice').length > 0;

test('no address makes a page say what was not done, and no cookie what we never say', async (t) => {
  const { browser } = await signedInOwner(stack);
  for (const word of ['password-changed', 'token-revoked', '<b>hello</b>', 'constructor', '__proto__', '']) {
    const page = await browser.get(`/settings?done=${encodeURIComponent(word)}`);
    t.is(page.status, 200);
    t.false(hasNotice(page), word);
  }
  for (const word of ['<b>hello</b>', 'constructor', '__proto__', '%00', '']) {
    browser.cookies.set('tasks_notice', word);
    const page = await browser.get('/settings');
    t.is(page.status, 200);
    t.false(hasNotice(page), word);
  }
});
