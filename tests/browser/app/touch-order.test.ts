import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { accessibilityFaults } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { fingerOf, middle, middleOf, phone } from './finger.ts';
import { draggable, listen, rowOf, showsTitles, waitFor } from './page-steps.ts';

const { openApp } = await startApp(test);

const handleOf = (title: string) => ({ name: `Actions for ${title}` });

test.serial(
  'on a phone the rows have handles while some are selected; where a finger puts one it stays, or is put back',
  async (t) => {
    const app = await openApp(t, phone);
    const { page, script } = app;
    for (const title of ['Fourth', 'Third', 'Second', 'First']) await makeTask(script, { title });
    await app.visit('/app/inbox');
    const finger = fingerOf(await app.context.newCDPSession(page));
    await rowOf(page, 'First').waitFor();
    await draggable(page);

    await finger.down(await middleOf(page, 'Second'));
    await page.locator('.selection-bar', { hasText: '1 selected' }).waitFor();
    await finger.up();
    const handle = await middle(page.getByRole('button', handleOf('First')));
    const below = await middleOf(page, 'Fourth');
    await finger.down(handle);
    await finger.slide(handle, 0, below.y - handle.y + 60);
    await page.locator('[data-lifted]', { hasText: 'First' }).waitFor();
    await page.locator('.drop-line').waitFor();
    await takePicture(page, 'app-row-lifted');
    await finger.up();
    await showsTitles(page, 'Second', 'Third', 'Fourth', 'First');
    const titles = async () => {
      const { body } = await script.get<{ items: { title: string }[] }>('/tasks?view=inbox');
      return body.items.map((task) => task.title).join();
    };
    await waitFor(async () => (await titles()) === 'Second,Third,Fourth,First');
    t.is(await page.locator('[data-lifted], .ghost, .drop-line').count(), 0);
    t.is(await page.locator('.selection-bar', { hasText: '1 selected' }).count(), 1, 'for the next one');
    const toast = page.locator('.toast', { hasText: 'Moved “First”' });
    await toast.getByRole('button', { name: 'Undo' }).tap();
    await showsTitles(page, 'First', 'Second', 'Third', 'Fourth');
    await waitFor(async () => (await titles()) === 'First,Second,Third,Fourth');

    await page.getByRole('button', handleOf('First')).tap();
    await page.getByRole('menu', handleOf('First')).waitFor();
    t.deepEqual(app.faults, []);
  },
);

test.serial('on a phone “Move down” can be pressed again and again, and says each place', async (t) => {
  const app = await openApp(t, phone);
  const { page, script } = app;
  for (const title of ['Fourth', 'Third', 'Second', 'First']) await makeTask(script, { title });
  await app.visit('/app/inbox');
  await rowOf(page, 'First').waitFor();
  await draggable(page);
  const said = await listen(page);
  await page.getByRole('button', handleOf('First')).tap();
  const menu = page.getByRole('menu', handleOf('First'));
  const down = menu.getByRole('menuitem', { name: 'Move down' });
  for (let press = 1; press <= 3; press += 1) await down.tap();
  await showsTitles(page, 'Second', 'Third', 'Fourth', 'First');
  await waitFor(async () => (await said()).includes('First: 4 of 4'));
  t.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  t.deepEqual(app.faults, []);
});
