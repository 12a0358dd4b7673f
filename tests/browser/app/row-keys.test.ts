import test from 'ava';
import { makeTask, makeTasks } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { gesturesThere, press, rowOf, waitFor } from './page-steps.ts';

const { openApp } = await startApp(test);

const today = new Date().toISOString().slice(0, 10);

test.serial(
  'Escape leads from a cell to its row; an open task that a script trashes keeps the focus',
  async (t) => {
    const app = await openApp(t);
    const { page, script } = app;
    await makeTask(script, { title: 'Other' });
    const task = await makeTask(script, { title: 'Milk' });
    await app.visit('/app/inbox');
    await gesturesThere(page);
    await rowOf(page, 'Milk').focus();
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    await page.getByRole('button', { name: 'Actions for Milk' }).and(page.locator(':focus')).waitFor();
    await press(page, 'Escape');
    await rowOf(page, 'Milk').and(page.locator(':focus')).waitFor();

    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Add notes' }).click();
    await page.locator('.detail textarea:focus').waitFor();
    await script.delete(`/tasks/${task.id}`);
    await page.getByText('Moved to the Trash by Nightly script').waitFor();
    await waitFor(() => page.evaluate('document.activeElement !== document.body'));
    t.is(await page.locator('.detail:focus, .detail :focus').count(), 1);
    t.deepEqual(app.faults, []);
  },
);

test.serial('Page Down and Page Up take the focus along, in long lists too', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  await makeTasks(script, 210);
  await app.visit('/app/inbox');
  await gesturesThere(page);
  const focused = page.locator('[data-row]:focus');
  const place = async () => Number(await focused.getAttribute('aria-rowindex'));
  await page.locator('[data-row]').first().focus();
  const first = await place();
  await press(page, 'PageDown');
  await waitFor(async () => (await place()) > first + 5);
  const second = await place();
  await press(page, 'PageDown');
  await waitFor(async () => (await place()) > second);
  const box = await focused.boundingBox();
  t.true((box?.y ?? -1) >= 0 && (box?.y ?? 0) < (page.viewportSize()?.height ?? 0));
  await press(page, 'PageUp', 'PageUp');
  await waitFor(async () => (await place()) === first);
  t.deepEqual(app.faults, []);
});

test.serial('the arrows lead from what stands between rows to the row beside it', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  for (const title of ['Milk', 'Bread', 'Done']) await makeTask(script, { title, dueDate: today });
  await app.visit('/app/');
  await rowOf(page, 'Done').focus();
  await press(page, 'Space');
  await rowOf(page, 'Done').waitFor({ state: 'detached' });
  await rowOf(page, 'Milk').focus();
  const done = page.getByRole('button', { name: 'Done today' });
  await done.focus();
  await press(page, 'ArrowUp');
  await rowOf(page, 'Bread').and(page.locator(':focus')).waitFor();
  await rowOf(page, 'Milk').focus();
  await done.focus();
  await press(page, 'Enter');
  await rowOf(page, 'Done').waitFor();
  await press(page, 'ArrowDown');
  await rowOf(page, 'Done').and(page.locator(':focus')).waitFor();
  t.deepEqual(app.faults, []);
});

test.serial('the arrows lead between the items of a checklist, whose menus have their names', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const checklist = [{ title: 'Map' }, { title: 'Tent' }];
  const task = await makeTask(script, { title: 'Trip', checklist });
  await app.visit(`/app/inbox?task=${task.id}`);
  const item = (name: string) => page.getByRole('textbox', { name });
  await item('Item 1').focus();
  await press(page, 'ArrowDown');
  await item('Item 2').and(page.locator(':focus')).waitFor();
  await press(page, 'ArrowUp');
  await item('Item 1').and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Actions for Tent' }).waitFor();
  t.deepEqual(app.faults, []);
});
