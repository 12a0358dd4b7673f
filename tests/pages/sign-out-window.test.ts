import test, { type ExecutionContext } from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { openWindow } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { newPerson } from './visitors.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

/** A window in which somebody is signed in, who sees their own address. */
async function signedInWindow(t: ExecutionContext) {
  const { email, password } = await newPerson(stack);
  const { page, context } = await openWindow(t, browser);
  await page.goto(`${stack.baseUrl}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${stack.baseUrl}/settings`);
  t.true((await page.content()).includes(email));
  return { page, context, email };
}

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
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('status').waitFor();
    t.false((await other.content()).includes(email));
  },
);
