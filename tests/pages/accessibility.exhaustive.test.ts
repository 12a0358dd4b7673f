import test from 'ava';
import type { Page } from 'playwright-core';
import { launchChromium } from '#tests/support/chromium.ts';
import { accessibilityFaults, openWindow, sidewaysPixels, views } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { newPerson, type Person } from './visitors.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

async function open(page: Page, path: string): Promise<void> {
  await page.goto(stack.baseUrl + path);
}

/** Past the checks that the browser itself makes. */
async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  await page
    .locator('main form')
    .first()
    .evaluate((form) => form.setAttribute('novalidate', ''));
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
  await page.locator('main form button').click();
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await open(page, '/sign-in');
  await fillIn(page, { email, password });
}

const pages: Record<string, (page: Page, person: Person) => Promise<void>> = {
  front: (page) => open(page, '/'),
  'sign-in': (page) => open(page, '/sign-in'),
  'sign-in-refused': (page, { email }) => signIn(page, { email, password: 'a wrong guess', accountId: '' }),
  'sign-up': (page) => open(page, '/sign-up'),
  'sign-up-refused': async (page) => {
    await open(page, '/sign-up');
    await fillIn(page, { email: 'nobody', password: 'short' });
  },
  'forgot-password': (page) => open(page, '/sign-in/forgot'),
  'reset-link-gone': (page) => open(page, '/sign-in/reset'),
  'not-found': (page) => open(page, '/sign-in/elsewhere'),
  'assistants-address': (page) => open(page, '/mcp'),
  'sign-out': async (page, person) => {
    await signIn(page, person);
    await open(page, '/sign-out');
  },
};

for (const view of views) {
  test(`every page for visitors can be used by everybody: ${view.name}`, async (t) => {
    const email = `somebody.with.a.rather.long.address.${crypto.randomUUID()}@mail.example.com`;
    const person = await newPerson(stack, { email });
    const { page, faults } = await openWindow(t, browser, view);
    for (const [name, show] of Object.entries(pages)) {
      await show(page, person);
      await takePicture(page, `${name}-${view.name}`);
      t.deepEqual(await accessibilityFaults(page), [], name);
      // 320 pixels are 400 % of a small window (WCAG 2.2 §1.4.10).
      for (const width of [320, view.width]) {
        await page.setViewportSize({ width, height: view.height });
        t.is(await sidewaysPixels(page), 0, `${name}, ${width} pixels`);
      }
      t.deepEqual(faults, [], name);
    }
  });
}

test('the first key leads past the header to the content (WCAG 2.2 §2.4.1)', async (t) => {
  const { page } = await openWindow(t, browser);
  await open(page, '/sign-in');
  await page.keyboard.press('Tab');
  const skip = page.locator(':focus');
  t.is(await skip.innerText(), 'Skip to the content');
  t.true((await skip.boundingBox())?.x === 8);
  await page.keyboard.press('Enter');
  t.is(await page.locator(':focus').getAttribute('id'), 'main');
  await page.keyboard.press('Tab');
  t.is(await page.locator(':focus').getAttribute('name'), 'email');
});
