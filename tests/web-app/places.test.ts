import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

test.serial('a task with a date is never called «Someday», and Someday does not hold it', async (t) => {
  const app = await openApp(t, browser, stack);
  const today = new Date().toISOString().slice(0, 10);
  const dates = ['2020-01-01', today, '2099-01-05'];
  const tasks = [];
  for (const dueDate of dates)
    tasks.push(await makeTask(app.script, { title: `Errand ${dueDate}`, dueDate, list: 'someday' }));
  await makeTask(app.script, { title: 'Learn to juggle', list: 'someday' });
  const { page } = app;
  const someday = page.getByRole('main').getByText('Someday');
  for (const path of ['', 'upcoming', 'anytime', 'inbox']) {
    await app.visit(`/app/${path}`);
    t.is(await someday.count(), 0, path);
  }
  for (const { id } of tasks) {
    await app.visit(`/app/?task=${id}`);
    const panel = page.getByRole('complementary', { name: 'Task' });
    await panel.getByText('Planned').first().waitFor();
    t.is(await panel.getByText('Someday').count(), 0);
  }
  await app.visit('/app/someday');
  await page.getByRole('row', { name: 'Learn to juggle' }).waitFor();
  t.is(await page.locator('[data-row]').count(), 1);
  t.deepEqual(app.faults, []);
});
