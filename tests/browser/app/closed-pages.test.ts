import test from 'ava';
import type { Page } from 'playwright-core';
import { makeTask } from '#tests/support/factories.ts';
import { type AppWindow, startApp } from './app-window.ts';
import { press, rowOf, tasksByTitle, waitFor } from './page-steps.ts';

const { stack, openApp } = await startApp(test);

/** Another page of the host keeps the outbox busy: what the app gives to its database meanwhile is not committed. */
async function holdDisk({ context, person }: AppWindow): Promise<{ release(): Promise<void> }> {
  const beside = await context.newPage();
  await beside.goto(`${stack.baseUrl}/settings`);
  await beside.evaluate(`new Promise((resolve) => {
    const asked = indexedDB.open('tasks-${person.accountId}');
    asked.onsuccess = () => {
      const store = asked.result.transaction('records', 'readwrite').objectStore('records');
      const turn = () => {
        if (window.isReleased) asked.result.close();
        else store.count().onsuccess = turn;
        resolve();
      };
      turn();
    };
  })`);
  return { release: () => beside.evaluate('window.isReleased = true') };
}

const leftTexts = (page: Page) =>
  page.evaluate<string[]>(`Object.keys(localStorage).filter((name) => name.startsWith('unwritten'))`);

const countTasks = async ({ script }: AppWindow) =>
  (await script.get<{ items: object[] }>('/tasks?view=all')).body.items.length;

async function openTask(t: Parameters<typeof openApp>[0]) {
  const app = await openApp(t);
  const { id } = await makeTask(app.script, { title: 'Milk', description: 'Before' });
  await app.visit(`/app/inbox?task=${id}`);
  return app;
}

test.serial(
  'notes typed when the page is reloaded are kept, though its disk takes nothing more',
  async (t) => {
    const app = await openTask(t);
    const { page, script } = app;
    const disk = await holdDisk(app);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.locator('textarea:focus').fill('After');
    await page.reload();
    await disk.release();
    await page.locator('.detail', { hasText: 'After' }).waitFor();
    await waitFor(async () => (await tasksByTitle(script)).get('Milk')?.description === 'After');
    t.deepEqual(await leftTexts(page), []);
    t.deepEqual(app.faults, []);
  },
);

test.serial('what is typed in a tab that closes comes to the tab that stays', async (t) => {
  const app = await openTask(t);
  const { page, context, script } = app;
  const closing = await context.newPage();
  await closing.goto(page.url());
  const disk = await holdDisk(app);
  await closing.locator('.detail-place').getByRole('textbox', { name: 'Title' }).fill('Oat milk');
  const isClosed = closing.waitForEvent('close');
  await closing.close({ runBeforeUnload: true });
  await isClosed;
  await disk.release();
  await rowOf(page, 'Oat milk').waitFor();
  await waitFor(async () => (await tasksByTitle(script)).has('Oat milk'));
  t.deepEqual(await leftTexts(page), []);
});

test.serial(
  'a task that is added when the page closes is added once, also before its dates could be read',
  async (t) => {
    const app = await openTask(t);
    const { page } = app;
    await page.route('**/english-grammar*', () => undefined);
    await page.goto(`${stack.baseUrl}/app/inbox?add=Bread`);
    await page.locator('dialog textarea:focus').waitFor();
    const disk = await holdDisk(app);
    await press(page, 'Enter');
    await page.reload();
    await disk.release();
    await rowOf(page, 'Bread').waitFor();
    await waitFor(async () => (await countTasks(app)) === 2);
    await page.reload();
    await page.locator('[data-row]', { hasText: 'waiting' }).waitFor({ state: 'detached' });
    t.is(await countTasks(app), 2);
  },
);

test.serial('what a page has left is gone after a sign-out', async (t) => {
  const app = await openTask(t);
  const { page } = app;
  const disk = await holdDisk(app);
  await page.locator('.detail-place').getByRole('textbox', { name: 'Title' }).fill('Oat milk');
  await page.goto(`${stack.baseUrl}/settings`);
  t.is((await leftTexts(page)).length, 1);
  await disk.release();
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.waitForURL((url) => url.pathname !== '/settings');
  t.deepEqual(await leftTexts(page), []);
});
