import test from 'ava';
import type { Page } from 'playwright-core';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import {
  addByKeys,
  gesturesThere,
  hasFocus,
  press,
  rowOf,
  showsTexts,
  showsTitles,
  tasksByTitle,
  waitFor,
} from './page-steps.ts';

const { stack, openApp } = await startApp(test);

/** Holds what is made there until the returned function is called. */
async function holdCreations(page: Page, list: 'tasks' | 'projects' | 'areas'): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/api/public/v1/${list}`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** «New project» or «New area», its name, ↵. */
async function addList(page: Page, button: 'New project' | 'New area', name: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.locator('input:focus').fill(name);
  await page.keyboard.press('Enter');
}

/** An Inbox of these, from top to bottom, that can be dragged: the whole page is loaded. */
async function openInbox(t: Parameters<typeof openApp>[0], ...titles: string[]) {
  const app = await openApp(t);
  for (const title of titles.toReversed()) await makeTask(app.script, { title });
  await app.visit('/app/inbox');
  await showsTitles(app.page, ...titles);
  await gesturesThere(app.page);
  return app;
}

test.serial('a project is named in an area that the server does not know yet', async (t) => {
  const { page, script } = await openInbox(t, 'Milk');
  const answer = await holdCreations(page, 'areas');
  await addList(page, 'New area', 'Home');
  const area = page.locator('[data-drop="area"]');
  const temporaryId = await area.getAttribute('data-drop-id');
  await page.getByRole('button', { name: 'Actions for Home' }).click();
  await page.getByRole('menuitem', { name: 'New project' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Gar');
  answer();
  await waitFor(async () => (await area.getAttribute('data-drop-id')) !== temporaryId);
  await page.keyboard.type('den');
  await press(page, 'Enter');
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  const projects = async () => (await script.get<{ items: { title: string }[] }>('/projects')).body.items;
  await waitFor(async () => (await projects()).length === 1);
  t.is((await projects())[0]?.title, 'Garden');
});

test.serial('a list that is chosen stays so when the server gives it its id', async (t) => {
  const { page, script } = await openInbox(t, 'Milk');
  const answer = await holdCreations(page, 'projects');
  await addList(page, 'New project', 'Garden');
  const item = page.locator('.side [data-drop="project"]');
  const temporaryId = await item.getAttribute('data-drop-id');
  await press(page, 'g', 'i');
  await rowOf(page, 'Milk').focus();
  await press(page, 'm', 'ArrowUp');
  const chosen = page.getByRole('option', { selected: true });
  await showsTexts(chosen, ['Garden']);
  answer();
  await waitFor(async () => (await item.getAttribute('data-drop-id')) !== temporaryId);
  await showsTexts(chosen, ['Garden']);
  await press(page, 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Milk')?.projectId !== null);
  t.pass();
});

test.serial('a limit of the plan is told when the field that is typed in is left', async (t) => {
  const { page, script } = await openInbox(t, 'Milk');
  for (const title of ['A', 'B', 'C', 'D']) await makeProject(script, { title });
  await page.locator('.side').getByText('D', { exact: true }).waitFor();
  const answer = await holdCreations(page, 'projects');
  await addList(page, 'New project', 'Garden');
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  await makeProject(script, { title: 'E' });
  await press(page, 'n');
  await page.locator('dialog textarea:focus').waitFor();
  await page.keyboard.type('Buy');
  answer();
  await page.locator('.side').getByText('Garden').waitFor({ state: 'detached' });
  await page.keyboard.type(' milk');
  const isHeld = page.evaluate<boolean>(`new Promise((resolve) => {
    const look = () => {
      if (!document.activeElement.closest('dialog')?.textContent.includes('Five projects'))
        return requestAnimationFrame(look);
      const key = new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true });
      resolve(!document.activeElement.dispatchEvent(key));
    };
    look();
  })`);
  await press(page, 'Enter');
  t.true(await isHeld, 'a key that follows at once is not for the dialog');
  await waitFor(async () => (await tasksByTitle(script)).has('Buy milk'));
  await page.getByRole('button', { name: 'Keep it as a task' }).click();
  await waitFor(async () => (await tasksByTitle(script)).has('Garden'));
});

test.serial('a task is dragged while the server gives it its id', async (t) => {
  const { page } = await openInbox(t, 'Milk', 'Bread', 'Eggs');
  const answer = await holdCreations(page, 'tasks');
  await addByKeys(page, 'Rye');
  await showsTitles(page, 'Rye', 'Milk', 'Bread', 'Eggs');
  const temporaryId = await rowOf(page, 'Rye').getAttribute('data-row');
  const [from, to] = await Promise.all(['Rye', 'Bread'].map((title) => rowOf(page, title).boundingBox()));
  if (from == null || to == null) throw new Error('the rows are not there');
  await page.mouse.move(from.x + 200, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 200, to.y + 30, { steps: 5 });
  await page.locator('.drop-line').waitFor();
  answer();
  await waitFor(async () => (await rowOf(page, 'Rye').getAttribute('data-row')) !== temporaryId);
  await page.mouse.up();
  await showsTitles(page, 'Milk', 'Bread', 'Rye', 'Eggs');
  t.is(await page.getByText('Moved “Rye”').count(), 0, 'it is still in the Inbox');
});

test.serial('the link of a task is copied once the server knows the task', async (t) => {
  const { page, visit } = await openApp(t, {
    device: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await visit('/app/inbox');
  const answer = await holdCreations(page, 'tasks');
  await addByKeys(page, 'Rye');
  await rowOf(page, 'Rye').click();
  const temporaryId = await rowOf(page, 'Rye').getAttribute('data-row');
  const copy = async () => {
    await page.locator('.detail').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Copy the link' }).click();
  };
  await copy();
  await page.getByText('The task has no link before it is sent.').waitFor();
  answer();
  await waitFor(async () => (await rowOf(page, 'Rye').getAttribute('data-row')) !== temporaryId);
  await copy();
  await page.getByText('Copied the link').waitFor();
  const id = await rowOf(page, 'Rye').getAttribute('data-row');
  t.true((await page.evaluate<string>('navigator.clipboard.readText()')).endsWith(`/app/task/${id}`));
});

test.serial('Anytime keeps a project unfolded when the server gives it its id', async (t) => {
  const { page, script } = await openInbox(t, 'Milk');
  const answer = await holdCreations(page, 'projects');
  await addList(page, 'New project', 'Garden');
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  await addByKeys(page, ['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n'));
  await press(page, 'g', 'a');
  await page.getByRole('main').getByRole('button', { name: 'more' }).click();
  await rowOf(page, 'g').focus();
  answer();
  await waitFor(async () => (await tasksByTitle(script)).size === 8);
  const { body } = await script.get<{ items: { id: string }[] }>('/projects');
  await page.locator(`h2 a[href="/app/project/${body.items[0]?.id}"]`).waitFor();
  await hasFocus(rowOf(page, 'g'));
  t.pass();
});

test.serial('a new project is filled in order while the server gives it its id', async (t) => {
  const { page, script } = await openInbox(t, 'Milk');
  const answer = await holdCreations(page, 'projects');
  await addList(page, 'New project', 'Garden');
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  const temporary = page.url();
  const add = async (title: string, meanwhile = async () => {}) => {
    await page.locator('.add-row').click();
    await page.locator('dialog textarea:focus').fill(title);
    await meanwhile();
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await add('One');
  await showsTitles(page, 'One');
  await add('Two', async () => {
    answer();
    await waitFor(() => page.url() !== temporary);
  });
  await waitFor(async () => (await tasksByTitle(script)).has('Two'));
  await page.reload();
  await showsTitles(page, 'One', 'Two');
});

test.serial('the menu of a new project acts on it when the server has given it its id', async (t) => {
  const { page, script } = await openInbox(t, 'Milk');
  for (const [name, choice] of [
    ['Garden', 'Complete'],
    ['Kitchen', 'Move to the Trash'],
  ] as const) {
    const answer = await holdCreations(page, 'projects');
    await addList(page, 'New project', name);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await addByKeys(page, `Plan the ${name}`);
    const temporary = page.url();
    await page
      .getByRole('main')
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: choice }).waitFor();
    answer();
    await waitFor(() => page.url() !== temporary);
    await waitFor(async () => (await tasksByTitle(script)).has(`Plan the ${name}`));
    await page.getByRole('menuitem', { name: choice }).click();
    if (choice === 'Complete') await page.getByRole('button', { name: 'Complete them' }).click();
    else await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.unrouteAll();
  }
  await waitFor(async () => (await tasksByTitle(script)).get('Plan the Garden')?.status === 'completed');
  t.pass();
});

test.serial('a second tab shows what the first one has and could not store', async (t) => {
  const { page, context, script, visit } = await openApp(t, { faults: /^QuotaExceededError/ });
  await makeTask(script, { title: 'Water' });
  const storage = await context.newCDPSession(page);
  const { origin } = new URL(stack.baseUrl);
  await storage.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await visit('/app/inbox');
  await showsTitles(page, 'Water');
  const beside = await context.newPage();
  await beside.goto(page.url());
  await showsTitles(beside, 'Water');
  await makeTask(script, { title: 'Dig' });
  for (const open of [page, beside]) await showsTitles(open, 'Dig', 'Water');
  t.pass();
});

test.serial('a tab shows its tasks beside one of an older version, whose rows it cannot read', async (t) => {
  const { page, context, person, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Water' });
  await visit('/app/inbox');
  await showsTitles(page, 'Water');
  await page.evaluate(`new Promise((resolve) => {
    const asked = indexedDB.open('tasks-${person.accountId}');
    asked.onsuccess = () => {
      const work = asked.result.transaction('state', 'readwrite');
      const stored = work.objectStore('state').get('state');
      stored.onsuccess = () =>
        work.objectStore('state').put({ ...stored.result, rowFormat: 'older' }, 'state');
      work.oncomplete = () => resolve(asked.result.close());
    };
  })`);
  const beside = await context.newPage();
  await beside.goto(page.url());
  await showsTitles(beside, 'Water');
  await makeTask(script, { title: 'Sow' });
  for (const open of [page, beside]) await showsTitles(open, 'Sow', 'Water');
  await page.close();
  await makeTask(script, { title: 'Dig' });
  await showsTitles(beside, 'Dig', 'Sow', 'Water');
  await beside.reload();
  await showsTitles(beside, 'Dig', 'Sow', 'Water');
  t.pass();
});
