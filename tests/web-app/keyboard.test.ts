import test from 'ava';
import type { Page } from 'playwright-core';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor as waitBriefly } from '#tests/support/wait-for.ts';
import { openApp } from './app-window.ts';

const waitFor: typeof waitBriefly = (condition) => waitBriefly(condition, { timeoutMilliseconds: 20_000 });

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

/** Presses keys one after another; the focus is never left to the page. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await waitFor(() => page.evaluate('document.activeElement !== document.body'));
  }
}

async function add(page: Page, text: string): Promise<void> {
  await press(page, 'n');
  await page.locator('dialog textarea:focus').waitFor();
  await page.keyboard.type(text);
  await press(page, 'Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test.serial('N adds a task from each screen, and the focus returns to where it was', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page } = app;
  await app.visit('/app/');
  const screens = {
    u: 'Upcoming',
    i: 'Inbox',
    a: 'Anytime',
    s: 'Someday',
    l: 'Logbook',
    x: 'Trash',
    h: 'Activity',
  };
  for (const [key, name] of Object.entries({ t: 'Today', ...screens })) {
    await press(page, 'g', key);
    const heading = page.getByRole('heading', { level: 1, name });
    await heading.waitFor();
    await heading.focus();
    await add(page, `Errand ${key}`);
    await heading.and(page.locator(':focus')).waitFor();
  }
  const titles = () => app.script.get<{ items: { title: string }[] }>('/tasks?limit=50');
  await waitFor(async () => (await titles()).body.items.length === 8);
  t.deepEqual(app.faults, []);
});
