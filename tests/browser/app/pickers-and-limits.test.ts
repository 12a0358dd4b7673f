import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';

const { openApp } = await startApp(test);

test.serial('the picker of repeats says what it understands when it understands nothing', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const task = await makeTask(script, { title: 'Water the plants' });
  await app.visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: /^Repeat:/ }).click();
  await page.getByRole('combobox', { name: 'Repeat' }).fill('blah');
  await page.getByRole('status').getByText('Not a rule. Try “every 2 weeks” or “every mon, thu”.').waitFor();
  t.deepEqual(app.faults, []);
});
