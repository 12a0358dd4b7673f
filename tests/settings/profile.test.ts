import test from 'ava';
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

test('every tab is reached from every other', async (t) => {
  const { browser } = await signedInOwner(stack);
  const tabs = ['/settings', '/settings/api', '/settings/apps', '/settings/sessions', '/settings/activity'];
  for (const tab of tabs) {
    const page = await browser.get(tab);
    t.is(page.status, 200, tab);
    for (const other of tabs)
      t.true(
        page.links.some(({ href }) => href === other),
        `${tab} → ${other}`,
      );
  }
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

test('a notice comes from our own words, never from the address', async (t) => {
  const { browser } = await signedInOwner(stack);
  for (const word of ['<b>hello</b>', 'constructor', '__proto__', 'toString', '']) {
    const page = await browser.get(`/settings?done=${encodeURIComponent(word)}`);
    t.is(page.status, 200);
    t.false(page.markup.includes('class="notice"'), word);
  }
});
