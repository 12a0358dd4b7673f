import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { addByKeys, goOffline, press, rowOf, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const { stack, openApp } = await startApp(test);

test.serial('what is done offline stays on the screen over a reload, and is sent once', async (t) => {
  const app = await openApp(t);
  const { page, context, script } = app;
  for (const title of ['Third', 'Second', 'First']) await makeTask(script, { title });
  await app.visit('/app/inbox');
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

test.serial(
  'two tabs without a network both change; when the leading one closes, the other sends all once',
  async (t) => {
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
  },
);

test.serial('offline, notes of a task that was never opened here are read and written', async (t) => {
  const app = await openApp(t);
  const { page, context, script } = app;
  await makeTask(script, { title: 'Noted', description: 'By *bike*' });
  await makeTask(script, { title: 'Bare' });
  const ahead = page.waitForResponse('**/app/api/v1/rows');
  await app.visit('/app/inbox');
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

test.serial('a completed repeat whose answer was cut off is sent again, and done once', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const today = Temporal.Now.plainDateISO('UTC');
  await makeTask(script, {
    title: 'Water',
    dueDate: today.toString(),
    recurrence: { frequency: 'daily' },
  });
  await app.visit('/app/');
  await rowOf(page, 'Water').focus();
  const tries: (string | undefined)[] = [];
  await page.route('**/complete', async (route) => {
    tries.push(route.request().headers()['idempotency-key']);
    if (tries.length > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await press(page, 'Space');
  await page.getByText('Completed “Water”. Next tomorrow').waitFor();
  t.is(tries.length, 2);
  t.is(tries[0], tries[1]);
  const datesIn = async (view: string) => {
    const { body } = await script.get<{ items: { dueDate: string }[] }>(`/tasks?view=${view}`);
    return body.items.map(({ dueDate }) => dueDate);
  };
  t.deepEqual(await datesIn('logbook'), [today.toString()]);
  t.deepEqual(await datesIn('upcoming'), [today.add({ days: 1 }).toString()]);
});

test.serial(
  'a browser without room shows the rows, says what it can’t keep, and has all of them later',
  async (t) => {
    const { page, context, script, visit, faults } = await openApp(t);
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
  },
);
