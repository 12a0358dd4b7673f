import test, { type ExecutionContext } from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { openWindow } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { newcomer, newPerson } from './visitors.ts';

const browser = await launchChromium();

const stack = await startStack(test, { withAuthServer: true });

test.after.always(() => browser.close());

const view = { width: 1280, height: 900, colorScheme: 'light' } as const;

test.serial('whoever signs up in a browser gets its time zone, and gets in and out again', async (t) => {
  const { email, password } = newcomer();
  const { page, faults } = await openWindow(t, browser, view, { timezoneId: 'America/Lima' });
  await page.goto(`${stack.baseUrl}/sign-up`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL(`${stack.baseUrl}/app/inbox`);
  t.deepEqual(await stack.sql`select timezone from auth.account where email = ${email}`, [
    { timezone: 'America/Lima' },
  ]);

  await page.goto(`${stack.baseUrl}/settings`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${stack.baseUrl}/`);
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${stack.baseUrl}/app/`);
  t.deepEqual(faults, []);
});

test.serial('without script everything works but for what script adds', async (t) => {
  const { email, password } = newcomer();
  const { page } = await openWindow(t, browser, view, { javaScriptEnabled: false });
  await page.goto(`${stack.baseUrl}/`);
  t.is(await page.getByRole('button', { name: 'Copy' }).count(), 0);
  await page.goto(`${stack.baseUrl}/sign-up`);
  t.is(await page.getByLabel('Time zone').inputValue(), 'UTC');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL(`${stack.baseUrl}/app/inbox`);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL(`${stack.baseUrl}/settings`);
});

test.serial('the address is copied with one press', async (t) => {
  const { page, context, faults } = await openWindow(t, browser);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stack.baseUrl}/`);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), `${stack.baseUrl}/mcp`);
  t.deepEqual(faults, []);
});

/** A window in which somebody is signed in, who sees their own address. */
async function signedInWindow(
  t: ExecutionContext,
  { timezone = 'UTC', timezoneId = 'UTC' }: { timezone?: string; timezoneId?: string } = {},
) {
  const { email, password, accountId } = await newPerson(stack, { timezone });
  const { page, context } = await openWindow(t, browser, view, { timezoneId });
  await page.goto(`${stack.baseUrl}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${stack.baseUrl}/app/`);
  await page.goto(`${stack.baseUrl}/settings`);
  t.true((await page.content()).includes(email));
  return { page, context, email, accountId };
}

test.serial(
  'points in time are shown in the account’s zone, which they name, whatever that of the browser is',
  async (t) => {
    const zones = { timezone: 'America/Lima', timezoneId: 'Asia/Kolkata' };
    const { page, accountId, email } = await signedInWindow(t, zones);
    await stack.createToken({ accountId, email });
    await stack.sql`update auth.api_token set created_at = '2026-03-01T20:00:00Z'
      where account_id = ${accountId}`;
    await page.goto(`${stack.baseUrl}/settings/api`);
    const created = page.locator('time[datetime="2026-03-01T20:00:00.000Z"]').first();
    t.is(await created.innerText(), '1 Mar 2026, 15:00 GMT-5');
  },
);

test.serial(
  'after signing out the browser has nothing stored, and going back shows nothing of the account',
  async (t) => {
    const { page, email } = await signedInWindow(t);
    await page.evaluate("localStorage.setItem('kept', 'by some page')");

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${stack.baseUrl}/`);
    t.is(await page.evaluate('localStorage.length'), 0);
    await page.goBack();
    await page.waitForURL(/\/sign-in\?return_to=/);
    t.false((await page.content()).includes(email));
  },
);

test.serial(
  'who signs out in one window is shown in no other, though the server can’t be reached',
  async (t) => {
    const { page, context, email } = await signedInWindow(t);
    const other = await context.newPage();
    await other.goto(`${stack.baseUrl}/settings`);
    t.true((await other.content()).includes(email));
    await context.route('**/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('status').waitFor();
    t.false((await other.content()).includes(email));
  },
);
