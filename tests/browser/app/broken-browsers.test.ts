import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { addByKeys, rowOf, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const { stack, openApp } = await startApp(test);

test.serial('without storage each tab says so, shows the tasks and sends what is added', async (t) => {
  const app = await openApp(t);
  const { page, context, script } = app;
  await context.addInitScript(`indexedDB.open = () => { throw new DOMException('', 'SecurityError'); }`);
  await makeTask(script, { title: 'Water' });
  await app.visit('/app/inbox');
  await page.getByText('This browser stores nothing').waitFor();
  const beside = await context.newPage();
  await beside.goto(`${stack.baseUrl}/app/inbox`);
  await showsTitles(beside, 'Water');
  await addByKeys(beside, 'Of the second');
  await addByKeys(page, 'Of the first');
  await waitFor(async () => {
    const tasks = await tasksByTitle(script);
    return tasks.has('Of the first') && tasks.has('Of the second');
  });
  await rowOf(page, 'Of the second').waitFor();
  t.is((await tasksByTitle(script)).size, 3);
});

test.serial('a page whose storage is deleted or closed starts again, and goes on keeping', async (t) => {
  const { page, context, person, script, visit, faults } = await openApp(t);
  await makeTask(script, { title: 'Water' });
  await visit('/app/inbox');
  await rowOf(page, 'Water').waitFor();
  const reloaded = page.waitForEvent('load');
  await page.evaluate(`void indexedDB.deleteDatabase('tasks-${person.accountId}')`);
  await reloaded;
  await showsTitles(page, 'Water');
  await addByKeys(page, 'Sow');
  await waitFor(async () => (await tasksByTitle(script)).has('Sow'));

  const devTools = await context.newCDPSession(page);
  const reloadedAgain = page.waitForEvent('load');
  await devTools.send('Storage.clearDataForOrigin', { origin: stack.baseUrl, storageTypes: 'indexeddb' });
  await reloadedAgain;
  await showsTitles(page, 'Sow', 'Water');
  await addByKeys(page, 'Dig');
  await waitFor(async () => (await tasksByTitle(script)).has('Dig'));
  // A write that the closing ends or meets is reported; the page that comes reads the rows anew.
  const ofClosing = /IDBTransaction|database connection is closing|^AbortError/;
  t.deepEqual(
    faults.filter((fault) => !ofClosing.test(fault)),
    [],
  );
});

test.serial('a clock that is a day fast is named, and tasks are added all the same', async (t) => {
  const { page, script, visit } = await openApp(t);
  await page.clock.setSystemTime(Date.now() + 24.5 * 3_600_000);
  await visit('/app/inbox');
  await page.getByText('The clock of this device is 24 hours fast').waitFor();
  await page.clock.setSystemTime(Date.now() - 281.6 * 24 * 3_600_000);
  await page.reload();
  await page.getByText('The clock of this device is 282 days slow').waitFor();
  await addByKeys(page, 'Sow');
  await waitFor(async () => (await tasksByTitle(script)).has('Sow'));
  t.pass();
});
