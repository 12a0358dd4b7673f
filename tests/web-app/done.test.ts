import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { showsTitles, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

test.serial('what was done today is shown in Today and in its project, each task once', async (t) => {
  const app = await openApp(t, browser, stack, { plan: 'premium' });
  const { page, script } = app;
  const { body: project } = await script.post<{ id: string }>('/projects', { title: 'Garden' });
  for (const title of ['Dug', 'Sown']) {
    const { id } = await makeTask(script, { title, projectId: project.id });
    await script.post(`/tasks/${id}/complete`);
  }
  await app.visit('/app/');
  await page.getByRole('button', { name: /^Done today/ }).click();
  await showsTitles(page, 'Sown', 'Dug');
  await app.visit(`/app/project/${project.id}`);
  await page.getByRole('button', { name: /^Done 2/ }).click();
  await page.getByRole('list', { name: 'Done before today' }).waitFor({ state: 'attached' });
  await showsTitles(page, 'Sown', 'Dug');
  t.is(await page.locator('.record').count(), 0);
  t.deepEqual(app.faults, []);
});

test.serial('what went to the Trash leaves the copy on the device with the next visit', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page, script, person } = app;
  const { id } = await makeTask(script, { title: 'Compost' });
  await makeTask(script, { title: 'Seeds' });
  await app.visit('/app/inbox');
  await showsTitles(page, 'Seeds', 'Compost');
  await script.delete(`/tasks/${id}`);
  await showsTitles(page, 'Seeds');
  await app.visit('/app/inbox');
  await showsTitles(page, 'Seeds');
  const held = () =>
    page.evaluate<string[]>(`new Promise((resolve) => {
      indexedDB.open('tasks-${person.accountId}').onsuccess = ({ target: { result: db } }) => {
        db.transaction('tasks').objectStore('tasks').getAll().onsuccess = ({ target }) => {
          db.close();
          resolve(target.result.map(({ title }) => title));
        };
      };
    })`);
  await waitFor(async () => (await held()).join() === 'Seeds');
  t.deepEqual(app.faults, []);
});
