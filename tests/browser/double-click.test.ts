import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import { startTinyApp } from './tiny-app.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const password = 'seven quiet harbours';

/** The consent page, just loaded, of an app that is about to be connected. */
async function openConsent(t: ExecutionContext, options: BrowserContextOptions = {}): Promise<Page> {
  const app = await startTinyApp(t, stack, 'Desk Assistant');
  const { email } = await stack.createAccount({ password, email: `${randomUUID()}@example.com` });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(app.begin());
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  return page;
}

/** Clicks where the button is, without a movement before it, as the mouse that rested there. */
async function clickAtRest(page: Page): Promise<void> {
  const box = await page.locator('button[data-arms]').boundingBox();
  const point = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10 };
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['mousePressed', 'mouseReleased'] as const)
    await devtools.send('Input.dispatchMouseEvent', { type, ...point, button: 'left', clickCount: 1 });
  await devtools.detach();
}

const isAsking = (page: Page): Promise<boolean> =>
  page.getByRole('heading', { name: 'use your tasks?' }).isVisible();

const armed = 'button[data-arms]:not([aria-disabled])';

/** A form that was sent would be gone after these. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))');
}

test('a click that was meant for a window above, closed by its first half, allows nothing', async (t) => {
  const page = await openConsent(t);
  await page.mouse.move(5, 5);
  await page.locator(armed).waitFor();
  await clickAtRest(page);
  await settle(page);
  t.true(await isAsking(page), 'the mouse has not moved on the button');

  await page.locator(armed).hover();
  // A headless browser has no windows that take the focus from each other.
  await page.evaluate("dispatchEvent(new Event('blur')), dispatchEvent(new Event('focus'))");
  await clickAtRest(page);
  await settle(page);
  t.true(await isAsking(page), 'the page has just got the focus back');
  await page.locator(armed).waitFor();
  await clickAtRest(page);
  await settle(page);
  t.true(await isAsking(page), 'the mouse has not moved since');

  await page.mouse.move(5, 5);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
});

test('a key and a tap allow once the page has been seen for a second, and refusing takes no wait', async (t) => {
  const byKey = await openConsent(t);
  await byKey.locator('button[data-arms]').focus();
  await byKey.evaluate("dispatchEvent(new Event('focus'))");
  await byKey.keyboard.press('Enter');
  await settle(byKey);
  t.true(await isAsking(byKey));
  await byKey.locator(armed).waitFor();
  await byKey.keyboard.press('Enter');
  await byKey.getByRole('heading', { name: 'Back in the app' }).waitFor();

  const byTap = await openConsent(t, { hasTouch: true });
  await byTap.locator(armed).tap();
  await byTap.getByRole('heading', { name: 'Back in the app' }).waitFor();

  const refused = await openConsent(t);
  await refused.getByRole('button', { name: 'Don’t allow' }).click();
  await refused.waitForURL(/error=access_denied/);
});
