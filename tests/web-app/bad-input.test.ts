import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { press, rowOf, tasksByTitle, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

test.serial(
  'notes of 100,000 characters are saved; longer ones are refused, with their text to copy',
  async (t) => {
    const app = await openApp(t, browser, stack);
    const { page, script } = app;
    const task = await makeTask(script, { title: 'Long' });
    const saved = async () =>
      (await script.get<{ description: string | null }>(`/tasks/${task.id}`)).body.description;
    await app.visit(`/app/inbox?task=${task.id}`);
    const field = page.getByRole('textbox', { name: 'Notes, in Markdown' });
    const write = async (text: string) => {
      await page.getByRole('button', { name: /^(Add notes|Edit)$/ }).waitFor();
      await press(page, 'e');
      await field.fill(text);
    };
    const most = 'ä'.repeat(100_000);
    await write(most);
    await press(page, 'Escape');
    await waitFor(async () => (await saved()) === most);
    await write(`${most} and more`);
    await page.getByText('these are 9 too many').waitFor();
    await press(page, 'Escape');
    await page.getByText('1 change was not accepted').waitFor();
    await page.getByRole('button', { name: 'Show' }).click();
    t.is(await page.getByRole('textbox', { name: 'What you typed' }).inputValue(), `${most} and more`);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('not accepted').waitFor({ state: 'detached' });
    t.is(await saved(), most);
    t.deepEqual(app.faults, []);
  },
);

test.serial('of 2,000 pasted lines none is lost: too many are named, and fewer are added', async (t) => {
  const app = await openApp(t, browser, stack, { plan: 'premium' });
  const { page, script } = app;
  await app.visit('/app/inbox');
  await press(page, 'n');
  const field = page.locator('dialog textarea:focus');
  await field.waitFor();
  const lines = Array.from({ length: 2_000 }, (_, index) => `Line ${index}`);
  await page.keyboard.insertText(lines.join('\n'));
  await page.getByText('These are 2,000 lines. At most 500 tasks can be added at once.').waitFor();
  await press(page, 'Control+Enter');
  t.is(await field.inputValue(), lines.join('\n'));
  await field.fill(lines.slice(0, 60).join('\n'));
  await page.getByRole('button', { name: 'Add 60 tasks' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await rowOf(page, 'Line 59').first().waitFor();
  await waitFor(async () => (await tasksByTitle(script)).size === 60);
  t.deepEqual(app.faults, []);
});
