import test from 'ava';
import type { Page } from 'playwright-core';
import { makeTask } from '#tests/support/factories.ts';
import { type AppWindow, startApp } from './app-window.ts';
import {
  addByKeys,
  goOffline,
  press,
  rowOf,
  showsTitles,
  storedCounts,
  tasksByTitle,
  waitFor,
} from './page-steps.ts';

const { stack, openApp } = await startApp(test);

test.serial('what is done offline stays on the screen over a reload, and is sent once', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  for (const title of ['Third', 'Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  await showsTitles(page, 'First', 'Second', 'Third');
  await goOffline(page);
  await page.getByText('Offline.').waitFor();

  for (const title of ['Made 1', 'Made 2', 'Made 3']) await addByKeys(page, title);
  for (const title of ['Second', 'Third']) {
    await rowOf(page, title).focus();
    await press(page, 'r');
    await page.keyboard.type(`${title} changed`);
    await press(page, 'Enter');
  }
  await rowOf(page, 'First').focus();
  await press(page, 'Space');
  const shown = ['Made 3', 'Made 2', 'Made 1', 'Second changed', 'Third changed'];
  await showsTitles(page, ...shown);
  await page.getByText('6 changes wait').waitFor();
  await page.reload();
  await showsTitles(page, ...shown);
  await rowOf(page, 'Made 1').getByText('waiting').waitFor();

  await context.setOffline(false);
  await page.getByText('Offline.').waitFor({ state: 'detached' });
  const stored = await waitFor(async () => {
    const tasks = await tasksByTitle(script);
    return shown.every((title) => tasks.get(title)?.status === 'open') && tasks.has('First') && tasks;
  });
  await waitFor(async () => (await tasksByTitle(script)).get('First')?.status === 'completed');
  t.is(stored.size, 6);
  const { body } = await script.get<{ items: { title: string }[] }>('/tasks?view=inbox');
  t.deepEqual(
    body.items.map(({ title }) => title),
    shown,
  );
  await showsTitles(page, ...shown);
});

test.serial('two tabs both change offline; when the leading one closes, the other sends all', async (t) => {
  const app = await openApp(t);
  const { page: leader, context, script } = app;
  await makeTask(script, { title: 'Shared' });
  await app.visit('/app/inbox');
  await showsTitles(leader, 'Shared');
  const other = await context.newPage();
  await other.goto(`${stack.baseUrl}/app/inbox`);
  await showsTitles(other, 'Shared');
  await goOffline(other);
  await other.getByText('Offline.').waitFor();
  await addByKeys(leader, 'From the leader');
  await showsTitles(other, 'From the leader', 'Shared');
  await addByKeys(other, 'From the other');
  await showsTitles(leader, 'From the other', 'From the leader', 'Shared');
  await showsTitles(other, 'From the other', 'From the leader', 'Shared');
  await rowOf(other, 'Shared').focus();
  await press(other, 'Space');
  await leader.close();
  await context.setOffline(false);
  await waitFor(async () => {
    const tasks = await tasksByTitle(script);
    return tasks.size === 3 && tasks.get('Shared')?.status === 'completed';
  });
  await other.getByText('Offline.').waitFor({ state: 'detached' });
  await makeTask(script, { title: 'Later' });
  await showsTitles(other, 'Later', 'From the other', 'From the leader');
  t.is((await tasksByTitle(script)).size, 4);
});

test.serial('offline, notes of a task that was never opened here are read and written', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Noted', description: 'By *bike*' });
  await makeTask(script, { title: 'Bare' });
  const ahead = page.waitForResponse('**/app/api/v1/rows');
  await visit('/app/inbox');
  await showsTitles(page, 'Bare', 'Noted');
  t.is((await ahead).status(), 200);
  await goOffline(page);
  await page.getByText('Offline.').waitFor();

  await rowOf(page, 'Noted').click();
  await page.locator('.md em', { hasText: 'bike' }).waitFor();
  await rowOf(page, 'Bare').click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await waitFor(async () => (await title.inputValue()) === 'Bare');
  await press(page, 'e');
  await page.locator('textarea:focus').fill('On the train');
  await context.setOffline(false);
  await page.getByText('Offline.').waitFor({ state: 'detached' });
  await waitFor(async () => (await tasksByTitle(script)).get('Bare')?.description === 'On the train');
});

test.serial('a browser without room shows all rows, says what it can’t keep, and has it later', async (t) => {
  const { page, context, script, visit, faults } = await openApp(t, { faults: /^QuotaExceededError/ });
  await makeTask(script, { title: 'Water' });
  const storage = await context.newCDPSession(page);
  const { origin } = new URL(stack.baseUrl);
  await storage.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await visit('/app/inbox');
  await rowOf(page, 'Water').waitFor();
  await press(page, 'n');
  await page.keyboard.insertText('Sow');
  await press(page, 'Enter');
  await page.getByText('no room left').waitFor();
  await storage.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1e9 });
  await page.keyboard.press('Escape');
  await addByKeys(page, 'Dig');
  await waitFor(async () => (await tasksByTitle(script)).has('Dig'));
  await page.reload();
  await showsTitles(page, 'Dig', 'Water');
  t.deepEqual([...new Set(faults)], ['QuotaExceededError: QuotaExceededError']);
});

/** Another page of the host keeps rows or outbox busy: what the app stores then is not committed. */
async function holdDisk(
  { context, person }: AppWindow,
  name: 'records' | 'tasks' = 'records',
): Promise<{ release(): Promise<void> }> {
  const beside = await context.newPage();
  await beside.goto(`${stack.baseUrl}/settings`);
  await beside.evaluate(`new Promise((resolve) => {
    const asked = indexedDB.open('tasks-${person.accountId}');
    asked.onsuccess = () => {
      const store = asked.result.transaction('${name}', 'readwrite').objectStore('${name}');
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

test.serial('notes typed when the page is reloaded are kept, though the disk is full', async (t) => {
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
});

test.serial('what is taken back while it is still being saved is taken back', async (t) => {
  const app = await openTask(t);
  const { page, script } = app;
  const detail = page.locator('.detail-place');
  const [title, item] = ['Title', 'Item 1'].map((name) => detail.getByRole('textbox', { name }));
  const disk = await holdDisk(app);
  await detail.getByRole('button', { name: 'Add an item' }).click();
  for (const [name, text] of Object.entries({ before: 'Oat milk', after: 'Milk' })) {
    await item?.fill(name === 'before' ? 'Ticket' : '');
    await title?.fill(text);
    await title?.press('Enter');
  }
  await detail.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.locator('textarea:focus').fill('Last');
  await title?.focus();
  await disk.release();
  await waitFor(async () => [...(await tasksByTitle(script)).values()][0]?.description === 'Last');
  t.like((await tasksByTitle(script)).get('Milk'), { checklist: [] });
});

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

test.serial('a task added when the page closes is added once, also before its dates were read', async (t) => {
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
});

test.serial('without storage each tab says so, shows the tasks and sends what is added', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  await context.addInitScript(`const get = () => { throw new DOMException('', 'SecurityError'); };
    indexedDB.open = get;
    for (const name of ['localStorage', 'sessionStorage']) window.__defineGetter__(name, get);`);
  await makeTask(script, { title: 'Water' });
  await visit('/app/inbox');
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
  await press(page, 'n');
  await page.keyboard.insertText('Draft');
  await press(page, 'Escape', 'n');
  await page.getByText('Draft').first().waitFor();
});

test.serial('where the storage is damaged, the app does without', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Water' });
  await visit('/app/inbox');
  await rowOf(page, 'Water').waitFor();
  await context.addInitScript(`const { open } = indexedDB;
    indexedDB.open = (...options) => {
      const asked = open.apply(indexedDB, options);
      const fail = () => { throw new DOMException('Internal error', 'UnknownError'); };
      asked.addEventListener('success', () => { asked.result.transaction = fail; });
      return asked;
    };`);
  await page.reload();
  await page.getByText('This browser stores nothing').waitFor();
  await showsTitles(page, 'Water');
  await addByKeys(page, 'Sow');
  await waitFor(async () => (await tasksByTitle(script)).has('Sow'));
  t.pass();
});

test.serial('a page whose storage is deleted or closed starts again, and goes on keeping', async (t) => {
  // A write that the closing ends or meets is reported; the page that comes reads the rows anew.
  const ofClosing = /IDBTransaction|connection is closing|^AbortError/i;
  const { page, context, person, script, visit } = await openApp(t, { faults: ofClosing });
  await makeTask(script, { title: 'Water' });
  await visit('/app/inbox');
  await rowOf(page, 'Water').waitFor();
  const deleteStorage = async () => {
    const reloaded = page.waitForEvent('load');
    await page.evaluate(`void indexedDB.deleteDatabase('tasks-${person.accountId}')`);
    await reloaded;
  };
  await deleteStorage();
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
  // The page has its answer, too.
  await waitFor(async () => (await storedCounts(page))[`tasks-${person.accountId}`]?.records === 0);

  await goOffline(page);
  await deleteStorage();
  await page.getByText('Offline. Your tasks are not on this device. They come when you are back.').waitFor();
  await context.setOffline(false);
  await showsTitles(page, 'Dig', 'Sow', 'Water');

  await goOffline(page);
  await addByKeys(page, 'Rake');
  await rowOf(page, 'Rake').waitFor();
  await deleteStorage();
  await page.getByText('Offline. 1 change waits on this device').waitFor();
  await context.setOffline(false);
  await showsTitles(page, 'Rake', 'Dig', 'Sow', 'Water');
  await waitFor(async () => (await tasksByTitle(script)).has('Rake'));
  t.is((await tasksByTitle(script)).size, 4);
});

test.serial('a page that its browser keeps for «Back» holds up no other, and starts again', async (t) => {
  // What leaving interrupts is reported.
  const app = await openApp(t, { faults: /^AbortError|transaction has finished/ });
  const { page, script, visit } = app;
  await makeTask(script, { title: 'Water' });
  await visit('/app/inbox');
  await rowOf(page, 'Water').waitFor();
  const disk = await holdDisk(app, 'tasks');
  await makeTask(script, { title: 'Sow' });
  await showsTitles(page, 'Sow', 'Water');
  const pass = (event: string) =>
    page.evaluate(`void dispatchEvent(new PageTransitionEvent('${event}', { persisted: true }))`);
  await pass('pagehide');
  await disk.release();
  const reloaded = page.waitForEvent('load');
  await pass('pageshow');
  await reloaded;
  await showsTitles(page, 'Sow', 'Water');
  t.pass();
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
  // Somebody corrects a clock, while the page is open.
  await page.clock.setSystemTime(Date.now() - 300 * 24 * 3_600_000);
  await addByKeys(page, 'Dig');
  await waitFor(async () => (await tasksByTitle(script)).has('Dig'));
  t.pass();
});

test.serial('after the database went back in time, a tab shows what the database holds', async (t) => {
  const { page, script, person, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Before' });
  await visit('/app/inbox');
  await showsTitles(page, 'Before');
  await script.patch(`/tasks/${task.id}`, { title: 'Lost' });
  await showsTitles(page, 'Lost');

  // A restore runs no triggers, and takes the feed back too.
  await stack.sql`with quiet as (select set_config('session_replication_role', 'replica', true)),
    feed as (
      delete from tasks.feed_entry using quiet
        where account_id = ${person.accountId} and changed_at > ${task.updatedAt}),
    head as (
      update tasks.account_feed set last_sequence = last_sequence - 1, last_changed_at = ${task.updatedAt}
        from quiet where account_id = ${person.accountId})
    update tasks.task set title = 'Before', updated_at = ${task.updatedAt} from quiet where id = ${task.id}`;
  await page.reload();
  await showsTitles(page, 'Before');
  await page.reload();
  await showsTitles(page, 'Before');
});

test.serial('a newer version is offered, the first one is not', async (t) => {
  const { page, visit } = await openApp(t, { device: { bypassCSP: true } });
  await visit('/app/inbox');
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const offer = page.getByText('A new version is ready.');
  t.false(await offer.isVisible());

  const newer = '/app/sw.js?newer';
  await page.evaluate(
    `navigator.serviceWorker.register('${newer}', { scope: '/app/' }).then(() => undefined)`,
  );
  await offer.waitFor();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Load it' }).click();
  await loaded;
  t.true(await page.evaluate<boolean>(`navigator.serviceWorker.controller.scriptURL.endsWith('${newer}')`));
});
