import test from 'ava';
import { xssPayloads } from '#tests/notes/xss-payloads.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { hasFocus, press, waitFor } from './page-steps.ts';

const { openApp, stack } = await startApp(test);

const maximumLength = 90_000;

/** All of them in few notes: what each must not do it must not do beside others either. */
function packed(): string[] {
  const notes: string[] = [];
  let present = '';
  for (const payload of xssPayloads) {
    if (present.length + payload.length > maximumLength) {
      notes.push(present);
      present = '';
    }
    present += `${payload}\n\n`;
  }
  return [...notes, present];
}

test.serial('hostile notes run nothing and ask no host, rendered, as text and in the editor', async (t) => {
  const { page, script, visit } = await openApp(t);
  let calls = 0;
  await page.exposeFunction('pwned', () => {
    calls += 1;
  });
  page.on('dialog', (dialog) => {
    calls += 1;
    void dialog.dismiss();
  });
  for (const description of packed()) {
    const task = await makeTask(script, { title: 'Hostile', description });
    await visit(`/app/inbox?task=${task.id}`);
    await page.locator('.detail .md').waitFor();
    t.is(await page.locator('.detail .md :is(script, img, iframe, svg, style, form)').count(), 0);
    for (const link of (await page.locator('.detail .md a').all()).slice(0, 20)) {
      t.is(await link.getAttribute('target'), '_blank');
      t.is(await link.getAttribute('rel'), 'noopener noreferrer');
    }
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    t.is(await page.getByRole('textbox', { name: 'Notes, in Markdown' }).inputValue(), description);
    await page.keyboard.press('Escape');
  }
  t.is(calls, 0);
});

test.serial('notes are typed as Markdown, saved, and shown as text until they are rendered', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Register the address' });
  await visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: 'Add notes' }).waitFor();
  await page.keyboard.press('e');
  const notes = 'Bring **both**\n\n- [x] Form\n- [ ] Passport';
  await page.keyboard.insertText(notes);
  await page.keyboard.press('Escape');
  await page.locator('.detail .md strong', { hasText: 'both' }).waitFor();
  await page.getByRole('checkbox', { name: 'Passport' }).waitFor();
  const bullet = 'getComputedStyle(document.querySelector(".md li:has(input)")).listStyleType';
  t.is(await page.evaluate<string>(bullet), 'none');
  const { body } = await script.get<{ description: string }>(`/tasks/${task.id}`);
  t.is(body.description, notes);
});

test.serial('Enter continues a list in the notes, and ends it behind an empty item', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Register the address' });
  await visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: 'Add notes' }).click();
  const field = page.getByRole('textbox', { name: 'Notes, in Markdown' });
  for (const line of ['- Form', 'Photo', '', '9) Ask', 'Pay', '', '  - [x] Call', 'Write', '']) {
    await page.keyboard.insertText(line);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.insertText('End');
  t.is(await field.inputValue(), '- Form\n- Photo\n9) Ask\n10) Pay\n  - [x] Call\n  - [ ] Write\nEnd');
  await field.fill('- One');
  await page.keyboard.press('Enter');
  t.is(await field.inputValue(), '- One\n- ');
  await page.keyboard.press('Control+z');
  t.is(await field.inputValue(), '- One');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  t.is(await field.inputValue(), '- One\n\n', 'a new line of its own, and none inside of a mark');
});

test.serial('an open task follows the keys of its fields and what others do with it', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Go there', checklist: [{ title: 'Passport' }] });
  await visit(`/app/inbox?task=${task.id}`);
  const read = async () => {
    const { body } = await script.get<Task>(`/tasks/${task.id}`);
    const { title, checklist, reminderTime } = body;
    return { title, reminderTime, items: checklist.map((item) => item.title) };
  };
  const first = page.getByRole('textbox', { name: 'Item 1' });
  await first.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Form');
  await page.keyboard.press('Alt+ArrowUp');
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Go to the office');
  await page.keyboard.press('Enter');
  await waitFor(async () => (await read()).title === 'Go to the office');
  await waitFor(async () => (await read()).items.length === 2);
  t.like(await read(), { title: 'Go to the office', items: ['Form', 'Passport'] });

  // Without keys, by the menu of an item: where it went, its menu has the focus.
  const menuOf = (position: number) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('textbox', { name: `Item ${position}` }) })
      .getByRole('button', { name: 'Actions for' });
  await page.getByRole('button', { name: 'Actions for Passport' }).and(menuOf(2)).click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await menuOf(1).and(page.locator(':focus')).waitFor();
  await waitFor(async () => (await read()).items[0] === 'Passport');
  await menuOf(2).click();
  await page.getByRole('menuitem', { name: 'Remove the item' }).click();
  await menuOf(1).and(page.locator(':focus')).waitFor();
  await waitFor(async () => (await read()).items.length === 1);

  // Nothing was written: the line goes, and the former title comes back.
  const focused = (name: string) => page.getByRole('textbox', { name }).and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Add an item' }).click();
  await press(page, 'Enter');
  await focused('Item 2');
  await page.keyboard.insertText('Later');
  await press(page, 'Home', 'Enter', 'Enter');
  await focused('Item 4');
  await press(page, 'Backspace');
  await focused('Item 3');
  await press(page, 'Backspace');
  await focused('Item 2');
  await press(page, 'Control+a', 'Delete');
  await title.fill('');
  await waitFor(async () => (await page.getByRole('textbox', { name: /^Item/ }).count()) === 1);
  await page.getByRole('button', { name: 'Reminder: None' }).click();
  await waitFor(async () => (await title.inputValue()) === 'Go to the office');
  await page.locator('input[type="time"]:focus').fill('09:30');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reminder: 09:30' }).and(page.locator(':focus')).waitFor();
  t.is(await page.getByRole('dialog').count(), 0);
  await waitFor(async () => (await read()).reminderTime === '09:30');

  await script.delete(`/tasks/${task.id}`);
  await page.getByText('Moved to the Trash by Nightly script.').waitFor();
  await page.locator('.detail').getByRole('button', { name: 'Restore' }).click();
  await waitFor(async () => {
    const { body } = await script.get<{ inTrash: boolean }>(`/tasks/${task.id}`);
    return !body.inTrash;
  });
  await page.locator('.meta-foot', { hasText: 'You restored it' }).waitFor();
});

test.serial('items typed without a pause are all kept, and the caret stays with them', async (t) => {
  const { page, script, visit } = await openApp(t);
  const typed = Array.from({ length: 12 }, (_, place) => `Item ${place}`);
  for (const title of ['First', 'Second', 'Third', 'Fourth']) {
    const { id } = await makeTask(script, { title });
    await visit(`/app/inbox?task=${id}`);
    await page.getByRole('button', { name: 'Add an item' }).click();
    await page.locator('.detail li textarea:focus').waitFor();
    for (const text of typed) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
    await hasFocus(page.getByRole('textbox', { name: 'Item 13' }));
    const titles = async () =>
      (await script.get<Task>(`/tasks/${id}`)).body.checklist.map((each) => each.title);
    await waitFor(async () => (await titles()).length >= typed.length);
    t.deepEqual(await titles(), typed);
  }
});

test.serial('notes written in two windows at once are asked about in words that fit both', async (t) => {
  const { page, script, context } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Draft', description: 'Before' });
  const second = await context.newPage();
  const editors = [];
  for (const window of [page, second]) {
    await window.goto(`${stack.baseUrl}/app/inbox?task=${id}`);
    await window.locator('.detail .md', { hasText: 'Before' }).click();
    editors.push(window.getByRole('textbox', { name: 'Notes, in Markdown' }));
  }
  for (const [index, editor] of editors.entries()) await editor.fill(`Of window ${index + 1}`);
  for (const window of [page, second]) await press(window, 'Escape');
  for (const window of [page, second]) {
    const question = window.locator('.conflict', {
      hasText: 'Changed in another window or on another device, too',
    });
    await question.getByRole('button', { name: 'Keep what is shown' }).waitFor();
  }
  const shown = await second.locator('.detail .md').innerText();
  const other = await second.locator('.conflict pre').innerText();
  t.deepEqual([shown, other].toSorted(), ['Of window 1', 'Of window 2']);
  await second.getByRole('button', { name: 'Take the other' }).click();
  for (const window of [page, second]) await window.locator('.conflict').waitFor({ state: 'detached' });
  await waitFor(async () => (await script.get<Task>(`/tasks/${id}`)).body.description === other);
});

test.serial('notes that others replace while they are open to be written can be put back', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Draft', description: 'Before' });
  await visit(`/app/inbox?task=${id}`);
  await page.locator('.detail .md', { hasText: 'Before' }).click();
  await page.locator('textarea:focus').press('Control+End');
  await page.keyboard.type(' mine');
  const read = async () => (await script.get<Task>(`/tasks/${id}`)).body.description;
  await waitFor(async () => (await read()) === 'Before mine');
  const editor = page.getByRole('textbox', { name: 'Notes, in Markdown' });
  await script.patch(`/tasks/${id}`, { description: 'Before mine, and theirs' });
  await waitFor(async () => (await editor.inputValue()) === 'Before mine, and theirs');
  const toast = page.locator('.toast', { hasText: 'Another window or device replaced these notes' });
  t.is(await toast.count(), 0);
  await script.patch(`/tasks/${id}`, { description: 'Theirs alone' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await waitFor(async () => (await read()) === 'Before mine, and theirs');
  t.is(await editor.inputValue(), 'Before mine, and theirs');
});

test.serial('what others write while a change is on its way is not written over', async (t) => {
  const { page, script, visit } = await openApp(t);
  const fields = { title: 'Pack', description: 'Before', checklist: [{ title: 'One' }, { title: 'Two' }] };
  const { id, checklist } = await makeTask(script, fields);
  const read = async () => (await script.get<Task>(`/tasks/${id}`)).body;
  const changeMeanwhile = (change: object) =>
    page.route(
      `**/tasks/${id}`,
      async (route) => {
        await script.patch(`/tasks/${id}`, change);
        await route.continue();
      },
      { times: 1 },
    );
  await visit(`/app/inbox?task=${id}`);
  const renamed = { ...checklist[1], title: 'Two of theirs' };
  await changeMeanwhile({ checklist: [checklist[0], renamed, { title: 'Three' }] });
  await page.getByRole('checkbox', { name: 'One' }).click();
  await waitFor(async () => (await read()).checklist[0]?.completed);
  t.deepEqual(
    (await read()).checklist.map(({ title, completed }) => [title, completed]),
    [
      ['One', true],
      ['Two of theirs', false],
      ['Three', false],
    ],
  );
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await changeMeanwhile({ description: 'Of theirs' });
  await page.locator('textarea:focus').fill('Mine');
  await page.locator('.conflict', { hasText: 'Of theirs' }).waitFor();
  t.is((await read()).description, 'Of theirs');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await waitFor(async () => (await read()).description === 'Mine');
});

test.serial('what is typed stays in its item of the checklist when others add items above', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Shop', checklist: [{ title: 'Milk' }] });
  const read = async () => (await script.get<Task>(`/tasks/${id}`)).body.checklist;
  const saves = (...titles: string[]) =>
    waitFor(async () => (await read()).map(({ title }) => title).join() === titles.join());
  const shown = () =>
    page.evaluate("[...document.querySelectorAll('.check textarea')].map(({ value }) => value).join()");
  const addAbove = async (title: string, ...below: string[]) => {
    await script.patch(`/tasks/${id}`, { checklist: [{ title }, ...(await read())] });
    await waitFor(async () => (await shown()) === [title, ...below].join());
  };
  await visit(`/app/inbox?task=${id}`);
  await page.getByRole('textbox', { name: 'Item 1' }).click();
  await press(page, 'End');
  await page.keyboard.type(', 2 l');
  await saves('Milk, 2 l');
  await addAbove('Eggs', 'Milk, 2 l');
  await page.keyboard.type(' of oats');
  await saves('Eggs', 'Milk, 2 l of oats');
  await press(page, 'Enter');
  await page.keyboard.type('Tea');
  await saves('Eggs', 'Milk, 2 l of oats', 'Tea');
  await press(page, 'Enter');
  await addAbove('Jam', 'Eggs', 'Milk, 2 l of oats', 'Tea', '');
  await page.keyboard.type('Rye');
  await saves('Jam', 'Eggs', 'Milk, 2 l of oats', 'Tea', 'Rye');
  t.pass();
});
