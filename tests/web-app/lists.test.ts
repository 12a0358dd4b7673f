import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { draggable, shownTitles, showsTitles, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

test.serial('rows that are dragged or moved by keys keep their order after a reload', async (t) => {
  const app = await openApp(t, browser, stack);
  for (const title of ['Third', 'Second', 'First']) await makeTask(app.script, { title });
  await app.visit('/app/inbox');
  const { page } = app;
  await showsTitles(page, 'First', 'Second', 'Third');

  await page.locator('[data-row]', { hasText: 'First' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await showsTitles(page, 'Second', 'First', 'Third');
  t.is(await page.locator('[data-row]:focus .t').textContent(), 'First', 'the moved row keeps the focus');

  await draggable(page);
  const third = page.locator('[data-row]', { hasText: 'Third' });
  const second = page.locator('[data-row]', { hasText: 'Second' });
  await second.dragTo(third, {
    sourcePosition: { x: 200, y: 20 },
    targetPosition: { x: 200, y: 36 },
    steps: 8,
  });
  await showsTitles(page, 'First', 'Third', 'Second');
  await app.visit('/app/inbox');
  await showsTitles(page, 'First', 'Third', 'Second');
  t.deepEqual(await shownTitles(page), ['First', 'Third', 'Second']);
});

test.serial('what is made here keeps its address: the id that the service gives it', async (t) => {
  const app = await openApp(t, browser, stack);
  await app.visit('/app/inbox');
  const { page, script } = app;
  await page.getByRole('button', { name: 'New project' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Garden');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  const made = async () => (await script.get<{ items: { id: string }[] }>('/projects')).body.items[0]?.id;
  const id = await waitFor(made);
  await page.waitForURL(`**/app/project/${id}`);

  const frame = page.locator('.side');
  const closed = await frame.boundingBox();
  await page.getByRole('main').getByRole('button', { name: 'Actions for Garden' }).click();
  await page.getByRole('menu').waitFor();
  t.deepEqual(await frame.boundingBox(), closed, 'a menu that opens moves nothing');
  t.deepEqual(app.faults, []);
});

test.serial('a task is completed and taken back by keys alone, and the focus is never lost', async (t) => {
  const app = await openApp(t, browser, stack);
  for (const title of ['Second', 'First']) await makeTask(app.script, { title });
  await app.visit('/app/inbox');
  const { page } = app;
  await waitFor(async () => (await shownTitles(page)).length === 2);

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await showsTitles(page, 'Second');
  t.is(await page.locator('[data-row]:focus .t').textContent(), 'Second');
  await page.keyboard.press('Space');
  await waitFor(async () => (await shownTitles(page)).length === 0);
  t.is(await page.locator(':focus').count(), 1, 'the heading has it when no row is left');

  await page.keyboard.press('Control+z');
  await showsTitles(page, 'Second');
  await page.keyboard.press('Control+z');
  await showsTitles(page, 'First', 'Second');
  t.pass();
});
