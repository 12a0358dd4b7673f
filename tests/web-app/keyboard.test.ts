import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { addByKeys, press, tasksByTitle, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

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
    await addByKeys(page, `Errand ${key}`);
    await heading.and(page.locator(':focus')).waitFor();
  }
  await waitFor(async () => (await tasksByTitle(app.script)).size === 8);
  t.deepEqual(app.faults, []);
});
