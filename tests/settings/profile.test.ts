import test from 'ava';
import { elementsNamed, findElements, textOf } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { furtherBrowser, signedInOwner } from './signed-in-owner.ts';

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

test('a time zone that is kept by its former name is shown and saved by it until another is chosen', async (t) => {
  const { account, browser } = await signedInOwner(stack, { timezone: 'Asia/Calcutta' });
  const kept = async () => {
    const [row] = await stack.sql`select timezone from auth.account where id = ${account.accountId}`;
    return row?.timezone;
  };
  t.is((await browser.submit(await browser.get('/settings'), '/settings/timezone')).status, 303);
  t.is(await kept(), 'Asia/Calcutta');
  const page = await browser.get('/settings');
  t.true(elementsNamed(page.root, 'option').some((option) => textOf(option) === 'Asia/Kolkata'));
  await browser.submit(page, '/settings/timezone', { timezone: 'Asia/Kolkata' });
  t.is(await kept(), 'Asia/Kolkata');
});

const hasNotice = ({ root }: PageView): boolean =>
  findElements(root, ({ attributes }) => attributes.get('class') === 'notice').length > 0;

test('that a form is done is said once, to the browser that sent it', async (t) => {
  const owner = await signedInOwner(stack);
  const { browser } = owner;
  const other = await furtherBrowser(stack, owner);
  const answer = await browser.submit(await browser.get('/settings'), '/settings/timezone');
  t.is(answer.location, '/settings');
  t.regex(
    answer.headers.get('set-cookie') ?? '',
    /^tasks_notice=timezone-saved; Max-Age=60; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
  );
  t.false(hasNotice(await other.follow(answer)));
  t.true(hasNotice(await browser.follow(answer)));
  t.false(hasNotice(await browser.follow(answer)));
});

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
