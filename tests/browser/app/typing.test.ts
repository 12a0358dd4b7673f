import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { CDPSession, Page } from 'playwright-core';
import type { Task } from '#tests/support/api-types.ts';
import { insertTasks, makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { phone } from './finger.ts';
import { addByKeys, gesturesThere, hasFocus, press, rowOf, showsTitles, waitFor } from './page-steps.ts';

const { openApp, stack } = await startApp(test);

/** ↵ that accepts an input method's proposal, as Safari tells it: after the composition, by its code. */
const acceptComposition = (session: CDPSession) =>
  session.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  });

/** Types with an input method: ↵ comes while it composes, as in Chrome and Firefox, and behind it. */
async function compose(page: Page, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
  await acceptComposition(session);
  await session.send('Input.insertText', { text });
  await acceptComposition(session);
}

test.serial('↵ that ends the composition of an input method is not the app’s', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Milk', checklist: [{ title: 'Oat' }] });
  await visit('/app/inbox');

  await press(page, 'n');
  const entry = page.locator('dialog textarea').first();
  await hasFocus(entry);
  await compose(page, '牛乳');
  t.is(await entry.inputValue(), '牛乳');
  await press(page, 'Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await showsTitles(page, '牛乳', 'Milk');

  // The dialog may give the focus back to the list only now.
  await waitFor(async () => {
    await rowOf(page, '牛乳').focus();
    await page.keyboard.press('r');
    const field = page.locator('.rename:focus').waitFor({ timeout: 2_000 });
    return field.then(
      () => true,
      () => false,
    );
  });
  await compose(page, '豆乳');
  await hasFocus(page.locator('.rename'));
  await press(page, 'Enter');
  await showsTitles(page, '豆乳', 'Milk');

  await press(page, 'ControlOrMeta+k');
  const search = page.getByRole('combobox');
  await hasFocus(search);
  await compose(page, '豆');
  await hasFocus(search);
  t.is(await search.inputValue(), '豆');
  await press(page, 'Escape');

  await visit(`/app/inbox?task=${task.id}`);
  const item = page.getByRole('textbox', { name: 'Item 1' });
  await item.focus();
  await compose(page, '卵');
  await hasFocus(item);
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('');
  await compose(page, '買う');
  await hasFocus(title);
});

test.serial('the space behind a word stays while a title is typed with pauses', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Call' });
  await visit(`/app/inbox?task=${id}`);
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' the ');
  // Saved, and shown by the row beside it.
  await rowOf(page, 'Call the').waitFor();
  await waitFor(async () => (await script.get<Task>(`/tasks/${id}`)).body.title === 'Call the');
  await page.keyboard.type('dentist');
  t.is(await title.inputValue(), 'Call the dentist');
  await press(page, 'Enter');
  await rowOf(page, 'Call the dentist').waitFor();
});

test.serial('in a checklist ↵, Backspace and pasting split and join items, with their ticks', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id, checklist } = await makeTask(script, {
    title: 'Shop',
    checklist: [{ title: 'Oat milk', completed: true }, { title: 'Tea' }],
  });
  await visit(`/app/inbox?task=${id}`);
  const item = (position: number) => page.getByRole('textbox', { name: `Item ${position}` });
  /** «!»: ticked. */
  const shows = async (focused: number, ...titles: string[]) => {
    await hasFocus(item(focused));
    const lines = await page.locator('.detail li', { has: page.locator('textarea') }).all();
    const shown = lines.map(async (line) => {
      const isTicked = await line.getByRole('checkbox').isChecked();
      return `${await line.locator('textarea').inputValue()}${isTicked ? '!' : ''}`;
    });
    t.deepEqual(await Promise.all(shown), titles);
  };
  const paste = (text: string) =>
    page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
  await item(1).focus();
  await press(page, 'Home', 'ArrowRight', 'ArrowRight', 'Enter');
  await shows(2, 'Oa!', 't milk', 'Tea');
  await press(page, 'Backspace');
  await shows(1, 'Oat milk!', 'Tea');
  await paste('k\nO');
  await shows(2, 'Oak!', 'Ot milk', 'Tea');
  // Also in the place of what is selected. What reads ticks is loaded later than the page.
  const isLoaded = `performance.getEntriesByType('resource')
    .some(({ name }) => name.includes('english-grammar'))`;
  await waitFor(() => page.evaluate<boolean>(isLoaded), { what: 'the grammar' });
  await item(2).selectText();
  await paste('Bread\n☑ Butter milk\nSalt');
  await shows(4, 'Oak!', 'Bread', 'Butter milk!', 'Salt', 'Tea');
  await item(3).focus();
  await press(page, 'End', ...Array.from({ length: ' milk'.length }, () => 'Shift+ArrowLeft'), 'Enter');
  const titles = ['Oak!', 'Bread', 'Butter!', '', 'Salt', 'Tea'];
  await shows(4, ...titles);
  // The first one moves no further up.
  await item(1).focus();
  await press(page, 'Alt+ArrowUp');
  await shows(1, ...titles);
  await waitFor(async () => (await script.get<Task>(`/tasks/${id}`)).body.checklist.length === 5);
  const saved = (await script.get<Task>(`/tasks/${id}`)).body.checklist;
  t.deepEqual([saved[0]?.id, saved[4]?.id], [checklist[0]?.id, checklist[1]?.id]);
});

test.serial('an item that is still empty stays while another window is in front', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Shop' });
  await visit(`/app/inbox?task=${id}`);
  await page.getByRole('button', { name: 'Add an item' }).click();
  const item = page.getByRole('textbox', { name: 'Item 1' });
  await hasFocus(item);
  // As browsers tell it: the element stays the active one.
  await page.evaluate(`document.activeElement.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))`);
  await page.keyboard.type('Tea');
  t.is(await item.inputValue(), 'Tea');
  await item.fill('');
  await page.getByRole('textbox', { name: 'Title' }).focus();
  await item.waitFor({ state: 'detached' });
});

test.serial(
  'a link or a file dropped on the app leaves it where it is; the link is offered as a task',
  async (t) => {
    const { page, script, visit } = await openApp(t);
    await makeTask(script, { title: 'Milk' });
    await visit('/app/inbox');
    await gesturesThere(page);
    const session = await page.context().newCDPSession(page);
    const drop = async (data: { items: { mimeType: string; data: string }[]; files: string[] }) => {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        const dragged = { ...data, dragOperationsMask: 1 };
        await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data: dragged });
      }
    };
    await drop({ items: [], files: [fileURLToPath(import.meta.url)] });
    const address = 'https://example.org/';
    const types = ['text/uri-list', 'text/plain'];
    await drop({ items: types.map((mimeType) => ({ mimeType, data: address })), files: [] });
    await page.getByRole('dialog').waitFor();
    t.is(await page.locator('dialog textarea').first().inputValue(), address);
    t.regex(page.url(), /\/app\/inbox$/);
  },
);

test.serial(
  'a long title and a long item are read to their end in browsers that size no fields',
  async (t) => {
    const { page, script, visit } = await openApp(t, phone);
    const title = 'A long line that does not fit into one on a phone '.repeat(3).trim();
    const { id } = await makeTask(script, { title, checklist: [{ title }] });
    await visit(`/app/inbox?task=${id}`);
    const item = page.getByLabel('Item 1', { exact: true });
    await item.waitFor();
    await page.evaluate(`document.styleSheets[0].insertRule('textarea { field-sizing: fixed !important }')`);
    for (const field of [page.getByLabel('Title', { exact: true }), item]) {
      const hiddenPixels = () => field.evaluate((element) => element.scrollHeight - element.clientHeight);
      t.is(await hiddenPixels(), 0);
      const { height = 0 } = (await field.boundingBox()) ?? {};
      await field.fill('Short');
      await waitFor(async () => ((await field.boundingBox())?.height ?? 0) < height);
      t.is(await hiddenPixels(), 0);
    }
  },
);

test.serial('a dialog stays when text in it is selected by a drag that ends beside it', async (t) => {
  const { page, visit } = await openApp(t);
  await visit('/app/inbox');
  await press(page, 'ControlOrMeta+k');
  const field = page.getByRole('combobox');
  await field.fill('Milk and bread');
  const { x = 0, y = 0, height = 0 } = (await field.boundingBox()) ?? {};
  await page.mouse.move(x + 40, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(20, y + height / 2);
  await page.mouse.up();
  await page.keyboard.type('O');
  t.regex(await field.inputValue(), /^O.*and bread$/);
  await page.mouse.click(20, y + height / 2);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test.serial('what is chosen in the palette stays so when more is found meanwhile', async (t) => {
  const { page, script, visit } = await openApp(t);
  const found = await makeTask(script, { title: 'Water', description: 'Call first' });
  for (const title of ['Call Bob', 'Call Ann']) await makeTask(script, { title });
  const maySay = Promise.withResolvers<void>();
  await page.route('**/search?*', async (route) => {
    await maySay.promise;
    await route.continue();
  });
  await visit('/app/inbox');
  await press(page, 'ControlOrMeta+k');
  await page.getByRole('combobox').fill('call');
  await page.getByRole('option').nth(1).waitFor();
  await press(page, 'ArrowDown');
  const chosen = page.getByRole('option', { selected: true });
  const title = await chosen.locator('.cut').first().textContent();
  maySay.resolve();
  await page.getByRole('option', { name: found.title }).waitFor();
  t.is(await chosen.locator('.cut').first().textContent(), title);
  await page.getByRole('combobox').fill('cal');
  await page.getByRole('option').first().and(chosen).waitFor();
});

test.serial('a list of choices that are not all says so, and a long title is found by itself', async (t) => {
  const { page, person, script, visit } = await openApp(t, { plan: 'premium' });
  for (const title of ['Zone A', 'Zone B', 'Zone C']) await makeArea(script, { title });
  await insertTasks(stack, person, 13, { title: 'Bill' });
  const longTitle = Array.from({ length: 60 }, (_, count) => `word${count}`).join(' ');
  const { id } = await makeTask(script, { title: longTitle });
  await script.post(`/tasks/${id}/complete`);
  const project = await makeProject(script, { title: 'House' });
  await stack.sql`insert into tasks.section
      (account_id, id, project_id, title, position, created_at, updated_at)
    select ${person.accountId}, gen_random_uuid(), ${project.id}, 'Room ' || place, place, now(), now()
    from generate_series(0, 119) place`;
  await stack.sql`update tasks.task set completed_at = '2020-01-01' where id = ${id}`;
  await visit('/app/inbox');
  await press(page, 'ControlOrMeta+k');
  const field = page.getByRole('combobox');
  const more = page.getByRole('dialog').getByText('There is more: type more of it.');
  const options = page.getByRole('option');
  for (const query of ['bill', 'zone']) {
    await field.fill(query);
    await more.waitFor();
  }
  await field.fill('zone a');
  await more.waitFor({ state: 'detached' });
  await field.fill(longTitle);
  await options.filter({ hasText: longTitle }).waitFor();
  await press(page, 'Escape', 'j', 'm');
  const moreLists = page.getByText('There are more lists: type a part of the name.');
  await moreLists.waitFor();
  t.is(await options.count(), 100);
  await field.fill('room 11');
  await moreLists.waitFor({ state: 'detached' });
  await press(page, 'Escape', 'n');
  await page.locator('dialog textarea:focus').waitFor();
  await page.keyboard.insertText('Paint #House');
  await options.nth(5).waitFor();
  await moreLists.waitFor();
});

test.serial('a title with line breaks stays as it is if its renaming ends without a change', async (t) => {
  const { page, script, visit } = await openApp(t);
  const title = ' Buy\r\nmilk ';
  await makeTask(script, { title });
  await visit('/app/inbox');
  const shown = page.locator('[data-row] .t');
  const field = page.locator('.rename');
  await gesturesThere(page);
  await shown.dblclick();
  await hasFocus(field);
  t.is(await field.inputValue(), 'Buy  milk');
  await press(page, 'Enter');
  await field.waitFor({ state: 'detached' });
  t.is(await shown.textContent(), title);
});

test.serial('an address that begins with a sign of two UTF-16 units is shown by that sign', async (t) => {
  const { page, visit } = await openApp(t, { email: `🌱-${randomUUID()}@example.com` });
  await visit('/app/inbox');
  t.is(await page.locator('.who .av').innerText(), '🌱');
  await addByKeys(page, 'Water');
  await visit('/app/activity');
  await page.locator('.bot.you', { hasText: '🌱' }).waitFor();
});
