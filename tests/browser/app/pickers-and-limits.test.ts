import test from 'ava';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { tasksByTitle, waitFor } from './page-steps.ts';

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

test.serial('the picker of lists finds projects and their sections by the name of the area', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const home = await makeArea(script, { title: 'At home' });
  const garden = await makeProject(script, { title: 'Garden', areaId: home.id });
  await makeProject(script, { title: 'Website' });
  const task = await makeTask(script, { title: 'Dig' });
  await app.visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: 'List: Inbox' }).click();
  await page.getByRole('combobox', { name: 'Move to' }).fill('at HOME');
  const found = page.getByRole('option');
  await waitFor(async () => (await found.count()) === 1);
  t.regex(await found.innerText(), /Garden\s+At home/);
  await page.keyboard.press('Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Dig')?.projectId === garden.id);
  t.deepEqual(app.faults, []);
});
