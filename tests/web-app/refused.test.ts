import test from 'ava';
import type { Page } from 'playwright-core';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { press, rowOf, showsTitles, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const typed = 'word '.repeat(300).trim();
const refusal = (page: Page) => page.getByText('1 change was not accepted');

async function renameTooLong(page: Page): Promise<void> {
  await rowOf(page, 'Short').focus();
  await press(page, 'r');
  await page.keyboard.insertText(typed);
  await press(page, 'Enter');
  await refusal(page).waitFor();
}

test.serial('what was refused is kept over reloads and in all tabs until its owner lets it go', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page, context } = app;
  await makeTask(app.script, { title: 'Short' });
  await app.visit('/app/inbox');
  await renameTooLong(page);
  await page.reload();
  await showsTitles(page, 'Short');
  const other = await context.newPage();
  await other.goto(`${stack.baseUrl}/app/inbox`);
  await refusal(other).waitFor();
  await page.getByRole('button', { name: 'Show' }).click();
  t.is(await page.getByRole('textbox', { name: 'What you typed' }).inputValue(), typed);
  await page.getByRole('button', { name: 'Discard' }).click();
  await refusal(other).waitFor({ state: 'detached' });
  await page.reload();
  await showsTitles(page, 'Short');
  t.is(await refusal(page).count(), 0);
  t.deepEqual(app.faults, []);
});

test.serial('at sign-out nothing of it stays on the device', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page } = app;
  await makeTask(app.script, { title: 'Short' });
  await app.visit('/app/inbox');
  await renameTooLong(page);
  await page.goto(`${stack.baseUrl}/sign-out`);
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-out');
  const databases = () =>
    page.evaluate<string[]>('indexedDB.databases().then((all) => all.map(({ name }) => name))');
  await waitFor(async () => (await databases()).length === 0, { what: 'an empty device' });
  t.deepEqual(await databases(), []);
});

test.serial(
  'a project beyond the plan is kept as a task, and its screen gives way to the Inbox',
  async (t) => {
    const app = await openApp(t, browser, stack, { plan: 'free' });
    const { page, script } = app;
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await makeProject(script, { title });
    await app.visit('/app/');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.keyboard.insertText('Six');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep it as a task' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await showsTitles(page, 'Six');
    t.deepEqual(app.faults, []);
  },
);
