import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startApp } from '../browser/app/app-window.ts';
import { addByKeys, press, rowOf, showsTitles, tasksByTitle, waitFor } from '../browser/app/page-steps.ts';

const { openApp } = await startApp(test);

test.serial('N adds a task from each screen, and the focus returns to where it was', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/');
  const screens = {
    u: 'Upcoming',
    i: 'Inbox',
    a: 'Anytime',
    s: 'Someday',
    l: 'Logbook',
    x: 'Trash',
    h: 'Activity',
  };
  for (const [key, name] of Object.entries({ t: 'Today', ...screens })) {
    await press(page, 'g', key);
    const heading = page.getByRole('heading', { level: 1, name });
    await heading.waitFor();
    await heading.focus();
    await addByKeys(page, `Errand ${key}`);
    await heading.and(page.locator(':focus')).waitFor();
  }
  await waitFor(async () => (await tasksByTitle(script)).size === 8);
});

const isFocused = async (target: Locator) =>
  (await target.and(target.page().locator(':focus')).count()) === 1;

/** Walks through the page, forwards or back, until the focus is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const isBehind = await target.evaluate(
    (element) =>
      (element.compareDocumentPosition(element.ownerDocument.activeElement ?? element) &
        element.DOCUMENT_POSITION_FOLLOWING) !==
      0,
  );
  for (let stops = 0; stops < 60 && !(await isFocused(target)); stops += 1)
    await press(page, isBehind ? 'Shift+Tab' : 'Tab');
  if (!(await isFocused(target))) throw new Error(`Tab does not reach ${target}`);
}

/** Walks through the list until the row has the focus. */
async function goTo(page: Page, title: string): Promise<void> {
  const row = rowOf(page, title);
  await row.waitFor();
  while ((await page.locator('[data-row]:focus').count()) === 0) await press(page, 'j');
  for (const key of ['k', 'j'])
    for (let rows = 0; rows < 10 && !(await isFocused(row)); rows += 1) await press(page, key);
  if (!(await isFocused(row))) throw new Error(`J and K do not reach ${title}`);
}

/** Types into the field that has the focus, and ↵. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator('input:focus').waitFor();
  await page.keyboard.insertText(text);
  await press(page, 'Enter');
}

test.serial('a day of work is done by keys alone, and the focus is never lost', async (t) => {
  const { page, script, visit } = await openApp(t);
  const saved = (title: string, holds: (task: Task | undefined) => boolean) =>
    waitFor(async () => holds((await tasksByTitle(script)).get(title)), { what: title });
  await visit('/app/inbox');
  for (const title of ['Water', 'Sow', 'Dig']) await addByKeys(page, title);
  await showsTitles(page, 'Dig', 'Sow', 'Water');

  await tabTo(page, page.getByRole('button', { name: 'New project' }));
  await press(page, 'Enter');
  await type(page, 'Garden');
  const heading = page.getByRole('heading', { level: 1, name: 'Garden' });
  await heading.and(page.locator(':focus')).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'New section' }));
  await press(page, 'Enter');
  await type(page, 'Beds');
  await page.getByRole('heading', { name: 'Beds' }).waitFor();

  await press(page, 'g', 'i');
  await goTo(page, 'Dig');
  await press(page, 'm');
  await type(page, 'Beds');
  await saved('Dig', (task) => typeof task?.sectionId === 'string');
  await goTo(page, 'Water');
  await press(page, 'Alt+ArrowUp');
  await showsTitles(page, 'Water', 'Sow');
  await press(page, 's');
  await type(page, 'tomorrow');
  const tomorrow = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
  await saved('Water', (task) => task?.dueDate === tomorrow);

  await rowOf(page, 'Sow').and(page.locator(':focus')).waitFor();
  await press(page, 'Space');
  await saved('Sow', (task) => task?.status === 'completed');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).and(page.locator(':focus')).waitFor();
  await press(page, 'Control+z');
  await saved('Sow', (task) => task?.status === 'open');
  await goTo(page, 'Sow');
  await press(page, 'Backspace');
  await saved('Sow', (task) => task?.inTrash === true);
  await press(page, 'g', 'x');
  await tabTo(page, page.getByRole('button', { name: 'Restore Sow' }));
  await press(page, 'Enter');
  await saved('Sow', (task) => task?.inTrash === false);

  await press(page, 'g', 'i');
  await goTo(page, 'Sow');
  await press(page, 'Enter');
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await press(page, 'Escape');
  await rowOf(page, 'Sow').and(page.locator(':focus')).waitFor();
});

test.serial('keys reach both ends of a list, move several dates as one step, and edit notes', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden', description: 'Of the project' });
  const dates = ['2099-12-10', '2099-12-12', '2099-12-14'];
  for (const dueDate of dates) await makeTask(script, { title: `Due ${dueDate}`, dueDate, projectId });
  const present = async () => [...(await tasksByTitle(script)).values()].map(({ dueDate }) => dueDate).sort();
  await visit(`/app/project/${projectId}`);
  const rows = page.locator('[data-row]');
  const focused = page.locator(':focus');
  await rows.nth(1).focus();
  await press(page, 'End');
  await rows.last().and(focused).waitFor();
  const title = (await rows.last().locator('.t').textContent()) ?? '';
  await page.getByRole('row', { name: new RegExp(`^${title}`) }).waitFor();
  await press(page, 'Alt+ArrowDown');
  await page.getByText(`${title}: already the last of`).waitFor();
  await press(page, 'Home');
  await rows.first().and(focused).waitFor();

  await press(page, 'Control+a', 'Control+]');
  await page.getByText('Moved 3 tasks by 1 day').waitFor();
  await waitFor(async () => (await present()).join() === '2099-12-11,2099-12-13,2099-12-15');
  await press(page, 'Control+z');
  await waitFor(async () => (await present()).join() === dates.join());

  await press(page, 'Escape', 'Enter');
  await page.locator('.detail').getByRole('button', { name: 'Add notes' }).waitFor();
  await press(page, 'e');
  await page.locator('.detail textarea.notes-edit:focus').waitFor();
  t.is(await page.locator('textarea.notes-edit').count(), 1);
});

test.serial('the palette makes lists, undoes and acts on the selection; G leads into the list', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  for (const title of ['Sow', 'Dig']) await makeTask(script, { title, projectId });
  const choose = async (text: string) => {
    await press(page, 'Control+k');
    await type(page, text);
  };
  await visit(`/app/project/${projectId}`);
  await page.getByRole('button', { name: 'New section' }).waitFor();
  await choose('new section');
  await page.getByRole('textbox', { name: 'New section' }).and(page.locator(':focus')).waitFor();
  await type(page, 'Beds');
  await page.getByRole('heading', { name: 'Beds' }).waitFor();
  await choose('undo');
  await page.getByRole('heading', { name: 'Beds' }).waitFor({ state: 'detached' });

  await page.locator('[data-row]').first().focus();
  await press(page, 'Control+a', 'Control+k');
  await page.getByText('With 2 selected tasks').waitFor();
  await type(page, 'for tomorrow');
  await page.getByText('Planned 2 tasks for tomorrow').waitFor();

  await page.locator('[data-row]').first().focus();
  await press(page, 'Escape', 'Control+k');
  await page.getByText(/With “(Sow|Dig)”/).waitFor();
  const offered = page.getByRole('option');
  await page.getByRole('option', { name: 'Plan for today' }).waitFor();
  t.regex((await offered.first().textContent()) ?? '', /^Plan/);
  await press(page, 'Escape');
  await page.getByRole('button', { name: 'Search or do' }).click();
  await page.getByRole('option', { name: 'Plan for today' }).waitFor();
  t.regex((await offered.first().textContent()) ?? '', /^Add a task/);
  await press(page, 'Escape');

  await choose('new area');
  await type(page, 'Outside');
  await page.getByRole('link', { name: 'Outside' }).waitFor();
  await page.getByRole('link', { name: 'Trash' }).focus();
  await press(page, 'g', 'u');
  await page.locator('h1:focus', { hasText: 'Upcoming' }).waitFor();
});

test.serial('what is added below a row, or from the palette, is of the list that is shown', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const today = Temporal.Now.plainDateISO('UTC').toString();
  await makeTask(script, { title: 'Late', dueDate: '2020-01-01' });
  await makeTask(script, { title: 'Apply', deadlineDate: today });
  const addBelow = async (title: string, text: string) => {
    await rowOf(page, title).focus();
    await press(page, 'Shift+n');
    await page.locator('dialog textarea:focus').waitFor();
    await page.keyboard.insertText(text);
    await press(page, 'Enter');
  };
  await visit('/app/');
  await addBelow('Late', 'Call');
  await showsTitles(page, 'Late', 'Apply', 'Call');
  await addBelow('Apply', 'Write');
  await showsTitles(page, 'Late', 'Apply', 'Write', 'Call');

  await press(page, 'g', 's', 'Control+k');
  await page.keyboard.insertText('Fly');
  await press(page, 'Control+Enter');
  await showsTitles(page, 'Fly');
  await waitFor(async () => (await tasksByTitle(script)).get('Fly')?.list === 'someday');
});

test.serial('keys that dictation types are switched off and on, the space with them', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Dig' });
  await visit('/app/inbox');
  const isOn = page.getByRole('checkbox', { name: 'Keys of one letter' });
  const box = rowOf(page, 'Dig').getByRole('checkbox');
  await rowOf(page, 'Dig').focus();
  await press(page, '?');
  await isOn.uncheck();
  await press(page, 'Escape');
  await rowOf(page, 'Dig').focus();
  await press(page, 'x', 'Space', 'Shift+Space', 'Control+k');
  await type(page, 'all keys');
  t.is(await page.locator('.selection-bar, .toast, .row.is-done').count(), 0);
  await isOn.check();
  await press(page, 'Escape');
  await rowOf(page, 'Dig').focus();
  await press(page, 'Space');
  await box.and(page.locator('[aria-checked="true"]')).waitFor();
});

test.serial('keys walk through the rows of the Trash and the Logbook, and open them', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Garden' });
  await script.delete(`/projects/${project.id}`);
  for (const title of ['Sow', 'Dig']) {
    const { id } = await makeTask(script, { title });
    await script.delete(`/tasks/${id}`);
  }
  const { id } = await makeTask(script, { title: 'Call' });
  await script.post(`/tasks/${id}/complete`);
  const focused = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
      .and(page.locator(':focus'));
  await visit('/app/trash');
  await page.getByRole('link', { name: 'Sow', exact: true }).waitFor();
  await press(page, 'j');
  await focused('Restore Garden').waitFor();
  await press(page, 'ArrowDown', 'j', 'j');
  await focused('Sow').waitFor();
  await press(page, 'ArrowUp');
  await focused('Dig').waitFor();
  await press(page, 'Enter');
  await page
    .locator('.detail')
    .getByText('In the Trash')
    .or(page.getByText('Moved to the Trash by'))
    .waitFor();
  await visit('/app/logbook');
  await page.getByRole('link', { name: 'Call', exact: true }).waitFor();
  await press(page, 'k');
  await focused('Call').waitFor();
  await press(page, 'Space');
  await page.getByText('Reopened “Call”').waitFor();
  await page.getByRole('link', { name: 'Call', exact: true }).waitFor({ state: 'detached' });
  t.is(await page.locator('.detail').count(), 0);
});

test.serial('on a Cyrillic keyboard letters and brackets are keys by their places', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  const today = Temporal.Now.plainDateISO('UTC');
  await makeTask(script, { title: 'Stand-up', dueDate: today.toString() });
  const keyboard = await context.newCDPSession(page);
  const isPlannedIn = (days: number) =>
    waitFor(async () => (await tasksByTitle(script)).get('Stand-up')?.dueDate === `${today.add({ days })}`);
  const [ctrl, shift] = [2, 8];
  const later = { type: 'keyDown' as const, code: 'BracketRight' };
  await visit('/app/');
  await rowOf(page, 'Stand-up').focus();
  await keyboard.send('Input.dispatchKeyEvent', { ...later, key: 'ъ', modifiers: ctrl });
  await isPlannedIn(1);
  await visit('/app/upcoming');
  await rowOf(page, 'Stand-up').focus();
  await keyboard.send('Input.dispatchKeyEvent', { ...later, key: 'Ъ', modifiers: ctrl + shift });
  await isPlannedIn(8);
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', code: 'KeyK', key: 'л', modifiers: ctrl });
  await page.getByRole('dialog').waitFor();
});

test.serial('a key that is held down acts on one task alone; the arrows go on', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Fifth', 'Fourth', 'Third', 'Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  await rowOf(page, 'First').focus();
  const hold = async (key: string) => {
    for (let times = 0; times < 3; times += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  await hold('ArrowDown');
  await rowOf(page, 'Fourth').and(page.locator(':focus')).waitFor();
  await hold('k');
  await hold('Space');
  await showsTitles(page, 'Second', 'Third', 'Fourth', 'Fifth');
  await rowOf(page, 'Second').and(page.locator(':focus')).waitFor();
  await hold('Backspace');
  await showsTitles(page, 'Third', 'Fourth', 'Fifth');
  await waitFor(async () => (await tasksByTitle(script)).get('Second')?.inTrash === true);
  t.is((await tasksByTitle(script)).get('Third')?.status, 'open');
});

test.serial('Enter that is held down restores one task alone', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Second', 'First']) {
    const { id } = await makeTask(script, { title });
    await script.delete(`/tasks/${id}`);
  }
  await visit('/app/trash');
  const restore = (title: string) => page.getByRole('button', { name: `Restore ${title}` });
  await restore('First').focus();
  await page.keyboard.down('Enter');
  await restore('Second').and(page.locator(':focus')).waitFor();
  for (let times = 0; times < 3; times += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('First')?.inTrash === false);
  await restore('Second').waitFor();
  await press(page, 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Second')?.inTrash === false);
  t.pass();
});

test.serial('the first link of a page leads past the sidebar', async (t) => {
  const { page, visit } = await openApp(t);
  await visit('/app/inbox');
  const address = page.url();
  await page.getByRole('link', { name: 'Skip to the list' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('main').and(page.locator(':focus')).waitFor();
  t.is(page.url(), address);
});
