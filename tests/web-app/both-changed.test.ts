import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { press, rowOf, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

type Read = { title: string; dueDate: string | null; description: string | null };

test.serial(
  'a task that both changed is merged; of one field the later write wins and History has both',
  async (t) => {
    const app = await openApp(t, browser, stack);
    const { page, context, script } = app;
    const task = await makeTask(script, { title: 'Draft' });
    const read = async () => (await script.get<Read>(`/tasks/${task.id}`)).body;
    await app.visit('/app/inbox');
    await rowOf(page, 'Draft').focus();
    await context.setOffline(true);
    await page.getByText('Offline.').waitFor();
    await press(page, 'r');
    await page.keyboard.type('Mine');
    await press(page, 'Enter');
    await script.patch(`/tasks/${task.id}`, { title: 'Theirs', dueDate: '2099-01-01' });
    await context.setOffline(false);
    await waitFor(async () => (await read()).title === 'Mine');
    t.is((await read()).dueDate, '2099-01-01');
    await page.goto(`${stack.baseUrl}/app/inbox?task=${task.id}`);
    await page.locator('.detail').getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog');
    for (const version of ['Draft', 'Theirs', 'Mine']) await history.getByText(version).first().waitFor();
  },
);

for (const keep of ['Keep mine', 'Take theirs']) {
  test.serial(`notes that both changed are asked about: ${keep}`, async (t) => {
    const app = await openApp(t, browser, stack);
    const { page, context, script } = app;
    const task = await makeTask(script, { title: 'Draft', description: 'Before' });
    const read = async () => (await script.get<Read>(`/tasks/${task.id}`)).body;
    await app.visit(`/app/inbox?task=${task.id}`);
    await page.locator('.detail .md', { hasText: 'Before' }).waitFor();
    await context.setOffline(true);
    await page.getByText('Offline.').waitFor();
    await press(page, 'e');
    await page.getByRole('textbox', { name: 'Notes, in Markdown' }).fill('Of mine');
    await press(page, 'Escape');
    await script.patch(`/tasks/${task.id}`, { description: 'Of theirs' });
    await context.setOffline(false);
    await page.getByText('Changed by Nightly script meanwhile').waitFor();
    t.is((await read()).description, 'Of theirs');
    await page.locator('.conflict', { hasText: 'Of theirs' }).waitFor();
    await page.locator('.detail .md', { hasText: 'Of mine' }).waitFor();
    await page.getByRole('button', { name: keep }).click();
    const kept = keep === 'Keep mine' ? 'Of mine' : 'Of theirs';
    await page.locator('.conflict').waitFor({ state: 'detached' });
    await page.locator('.detail .md', { hasText: kept }).waitFor();
    await waitFor(async () => (await read()).description === kept);
  });
}
