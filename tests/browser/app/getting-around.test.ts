import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import {
  addByKeys,
  draggable,
  hasFocus,
  listen,
  press,
  rowOf,
  showsTexts,
  showsTitles,
  tasksByTitle,
  waitFor,
} from './page-steps.ts';

const { openApp } = await startApp(test);

const today = new Date().toISOString().slice(0, 10);

test.serial('a screen begins at its top, and is where it was left when the browser goes back', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTasks(script, 60);
  await visit('/app/inbox');
  await draggable(page);
  const scrolled = () => page.locator('.page').evaluate((element) => element.scrollTop);
  await waitFor(async () => {
    await page.locator('.page').evaluate((element) => element.scrollTo(0, 700));
    return (await scrolled()) === 700;
  });
  // At once, before the browser tells of the scrolling.
  await page.evaluate(
    `document.querySelector('.page').scrollTo(0, 710);
    document.querySelector('.side a[href="/app/logbook"]').click()`,
  );
  await page.getByRole('heading', { level: 1, name: 'Logbook' }).waitFor();
  await waitFor(async () => (await scrolled()) === 0);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await waitFor(async () => (await scrolled()) === 710);
});

test.serial('«Back» closes a dialog alone; the hidden sidebar comes back by a button', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Milk', list: 'inbox' });
  await visit('/app/anytime');
  await page.getByRole('link', { name: 'Inbox' }).click();
  await rowOf(page, 'Milk').focus();
  await press(page, 'Enter');
  await page.waitForURL('**/app/inbox?task=*');
  await press(page, 'm');
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.regex(page.url(), /\/app\/inbox\?task=/);
  await page.goBack();
  await page.waitForURL('**/app/inbox');
  await page.goBack();
  await page.waitForURL('**/app/anytime');

  await page.getByRole('link', { name: 'Inbox' }).focus();
  await press(page, '\\');
  await page.locator('.side').waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Anytime' }).waitFor();
  await page.locator('.side').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Show the sidebar' }).click();
  await page.locator('.side').waitFor({ state: 'visible' });
});

test.serial('the menus of one selected row, and «More», act on all that are selected', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Three', 'Two', 'One']) await makeTask(script, { title });
  const plannedOf = async () =>
    [...(await tasksByTitle(script))].filter(([, { dueDate }]) => dueDate === today).length;
  await visit('/app/inbox');
  await rowOf(page, 'One').focus();
  await press(page, 'x', 'Shift+ArrowDown');
  await page.locator('.selection-bar', { hasText: '2 selected' }).waitFor();
  await rowOf(page, 'Two').hover();
  await page.mouse.down({ button: 'right' });
  t.is(await page.getByRole('menu').count(), 0, 'releasing the button would close it');
  await page.mouse.up({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Plan for today' }).click();
  await showsTitles(page, 'Three');
  await waitFor(async () => (await plannedOf()) === 2);
  await rowOf(page, 'Three').focus();
  await press(page, 'x');
  const bar = page.getByRole('region', { name: 'Selected tasks' });
  await bar.getByRole('button', { name: 'More' }).click();
  const item = (name: string) => page.getByRole('menuitem', { name });
  await hasFocus(item('Plan for today'));
  const names = [...(await bar.getByRole('button').allInnerTexts()), 'Plan', 'Move'];
  t.deepEqual(
    (await page.getByRole('menuitem').allInnerTexts()).filter((name) => names.includes(name)),
    [],
    'what the bar has is not in its menu',
  );
  const menuBox = await page.getByRole('menu').boundingBox();
  const barBox = await bar.boundingBox();
  t.true((menuBox?.y ?? 0) + (menuBox?.height ?? 0) <= (barBox?.y ?? 0) + (barBox?.height ?? 0));
  t.true((barBox?.y ?? 0) - (menuBox?.y ?? 0) - (menuBox?.height ?? 0) < 20, 'it stands at its button');
  await press(page, 'ArrowUp');
  await hasFocus(item('Cancel the task'));
  await item('Copy the link').waitFor();
  await page.keyboard.type('move');
  await hasFocus(item('Move to Someday'));
  await press(page, 'End');
  await press(page, 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Three')?.status === 'cancelled');
});

test.serial('what was selected by itself stays so when the selection is extended elsewhere', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Five', 'Four', 'Three', 'Two', 'One']) await makeTask(script, { title });
  const selected = page.locator('[data-row][aria-selected="true"] .t');
  await visit('/app/inbox');
  await rowOf(page, 'One').focus();
  await press(page, 'x', 'ArrowDown', 'ArrowDown', 'x', 'Shift+ArrowDown', 'Shift+ArrowDown');
  await showsTexts(selected, ['One', 'Three', 'Four', 'Five']);
  await press(page, 'Shift+ArrowUp');
  await showsTexts(selected, ['One', 'Three', 'Four']);
});

test.serial('keys change no task before a row has the focus, and say which group they came to', async (t) => {
  const { page, script, visit } = await openApp(t);
  const days = [1, 9].map((count) => Temporal.Now.plainDateISO('UTC').add({ days: count }).toString());
  for (const dueDate of days) await makeTask(script, { title: `On ${dueDate}`, dueDate });
  await visit('/app/upcoming');
  await page.locator('h1:focus').waitFor();
  await press(page, 'Space', 'o', 'x', 'Delete', 'ArrowDown');
  await rowOf(page, `On ${days[0]}`).and(page.locator(':focus')).waitFor();
  await page.getByRole('status').getByText('Tomorrow').waitFor({ state: 'attached' });
  await press(page, 'ArrowDown', 't');
  // Changes are sent in their order.
  await waitFor(async () => (await tasksByTitle(script)).get(`On ${days[1]}`)?.dueDate === today);
  t.like((await tasksByTitle(script)).get(`On ${days[0]}`), {
    status: 'open',
    dueDate: days[0],
    inTrash: false,
  });
  t.is(await page.locator('.selection-bar').count(), 0);
});

test.serial('letters typed without a pause name an item of a menu; E edits the row’s notes', async (t) => {
  const { page, script, visit } = await openApp(t);
  const garden = await makeProject(script, { title: 'Garden', description: 'Behind the house' });
  const task = await makeTask(script, { title: 'Dig', projectId: garden.id });
  await visit(`/app/project/${garden.id}`);
  await page.getByRole('button', { name: 'Actions for Garden' }).first().click();
  await page.locator('[role="menuitem"]:focus').waitFor();
  /** In one go: what the driver types comes with pauses on a busy machine. */
  const type = (text: string) =>
    page.evaluate(`for (const key of '${text}')
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`);
  const focused = () => page.locator(':focus').innerText();
  await type('com');
  t.true((await focused()).startsWith('Complete'));
  await page.keyboard.press('Home');
  await type('move to t');
  t.true((await focused()).startsWith('Move to the Trash'));
  await press(page, 'Escape');

  await rowOf(page, 'Dig').focus();
  await press(page, 'e');
  await page.getByRole('complementary', { name: 'Dig' }).locator('textarea.notes-edit:focus').waitFor();
  await page.keyboard.type('Two beds');
  await press(page, 'Escape');
  const notes = async (path: string) => (await script.get<Task>(path)).body.description;
  await waitFor(async () => (await notes(`/tasks/${task.id}`)) === 'Two beds');
  t.is(await notes(`/projects/${garden.id}`), 'Behind the house');
});

test.serial('a section takes tasks by its menu; a closed project takes none, and says so', async (t) => {
  const { page, script, visit } = await openApp(t);
  const garden = await makeProject(script, { title: 'Garden' });
  const beds = await makeSection(script, garden.id, { title: 'Beds' });
  const shed = await makeProject(script, { title: 'Shed' });
  await visit(`/app/project/${garden.id}`);
  await page.getByRole('button', { name: 'Actions for Beds' }).click();
  await page.getByRole('menuitem', { name: 'Add a task' }).click();
  await page.locator('dialog textarea:focus').waitFor();
  await page.keyboard.insertText('Weed');
  await page.keyboard.press('Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Weed')?.sectionId === beds.id);
  await page.getByRole('button', { name: 'Actions for Beds' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('Deleted the section “Beds”, not its tasks').waitFor();
  await showsTitles(page, 'Weed');

  await script.post(`/projects/${shed.id}/complete`, { completeChildTasks: false });
  await visit(`/app/project/${shed.id}`);
  await page.getByText('This project is closed, without a task.').waitFor();
  await addByKeys(page, 'Paint');
  await waitFor(async () => (await tasksByTitle(script)).get('Paint')?.list === 'inbox');
});

test.serial('keys act on the panel’s task, wherever its row is; «Back» closes a menu alone', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Of today', dueDate: today });
  const { id } = await makeTask(script, { title: 'Elsewhere' });
  await visit(`/app/?task=${id}`);
  await rowOf(page, 'Of today').waitFor();
  await page.locator('.detail:focus').waitFor();
  await press(page, 'Backspace');
  await page.getByText('Moved “Elsewhere” to the Trash').waitFor();
  await rowOf(page, 'Of today').waitFor();

  await page.getByRole('link', { name: 'Anytime' }).click();
  await page.getByRole('link', { name: 'Today' }).click();
  await rowOf(page, 'Of today').click({ button: 'right' });
  await page.getByRole('menu').waitFor();
  await page.goBack();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await page.goBack();
  await page.waitForURL('**/app/anytime');
});

test.serial('the keys to the next row open its task, while one is open beside the list', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Third', 'Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  const opened = (title: string) => page.locator('.detail:focus').and(page.getByLabel(title)).waitFor();
  await rowOf(page, 'First').click();
  await opened('First');
  await press(page, 'j');
  await opened('Second');
  await press(page, 'ArrowDown');
  await opened('Third');
  await press(page, 'k');
  await opened('Second');
  await press(page, 'Space');
  await rowOf(page, 'Second').getByRole('checkbox', { checked: true }).waitFor();
  await press(page, 'Escape');
  await page.locator('.detail').waitFor({ state: 'detached' });
  await page.waitForURL('**/app/inbox');
  // Where it covers the list, they lead back to that.
  await page.setViewportSize({ width: 1000, height: 800 });
  await rowOf(page, 'First').click();
  await opened('First');
  await press(page, 'j');
  await hasFocus(rowOf(page, 'First'));
});

test.serial('toasts say where a task really is', async (t) => {
  const { page, script, visit } = await openApp(t);
  const garden = await makeProject(script, { title: 'Garden' });
  await makeSection(script, garden.id, { title: 'Beds' });
  await makeTask(script, { title: 'Milk', dueDate: today });
  await visit('/app/today');
  await rowOf(page, 'Milk').focus();
  await press(page, 'm');
  await page.getByRole('option', { name: 'Inbox' }).click();
  const toast = page.locator('.toast', { hasText: 'Not in the Inbox: “Milk” has its day' });
  await toast.waitFor();
  t.is(await toast.getByRole('button', { name: 'Undo' }).count(), 0);
  await rowOf(page, 'Milk').focus();
  await press(page, 'm');
  await page.getByRole('option', { name: 'Beds' }).click();
  await page.getByText('Moved “Milk” to Garden / Beds').waitFor();
  await rowOf(page, 'Milk').focus();
  await press(page, 'm');
  await page.getByRole('option', { name: 'Inbox' }).click();
  await page.getByText('Not in the Inbox, out of Garden: “Milk” has its day').waitFor();
  await rowOf(page, 'Milk').focus();
  await press(page, 'a');
  await page.getByText('Removed the date of “Milk”').waitFor();
});

test.serial('a duplicate stands below its task with all that it says, and is taken back', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const { id: projectId } = await makeProject(script, { title: 'Travel' });
  await makeTask(script, { title: 'Last', projectId });
  const fields = { description: 'Both of **them**', dueDate: '2031-05-01', deadlineDate: '2031-05-09' };
  const checklist = [{ title: 'Photo', completed: true }, { title: 'Form' }];
  const recurrence = { frequency: 'yearly' } as const;
  const asked = { title: 'Renew', projectId, ...fields, reminderTime: '09:00', checklist, recurrence };
  const first = await makeTask(script, asked);
  await visit(`/app/project/${projectId}`);
  await showsTitles(page, 'Renew', 'Last');
  await rowOf(page, 'Renew').focus();
  await press(page, 'Control+k');
  await page.keyboard.insertText('dupl');
  await page.getByRole('option', { name: 'Duplicate' }).click();
  await showsTitles(page, 'Renew', 'Renew', 'Last');
  const copies = async () => {
    const { body } = await script.get<{ items: Task[] }>('/tasks?view=all&limit=200');
    return body.items.filter((task) => task.title === 'Renew' && task.id !== first.id);
  };
  await waitFor(async () => (await copies()).length === 1);
  const [copy] = await copies();
  t.like(copy, { ...fields, reminderTime: '09:00', projectId, recurrence });
  t.deepEqual(
    copy?.checklist.map((item) => [item.title, item.completed]),
    [
      ['Photo', false],
      ['Form', false],
    ],
  );
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await showsTitles(page, 'Renew', 'Last');
});

test.serial('at a heading, the keys of rows change nothing: no row is marked', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  for (const title of ['Dig', 'Sow']) await makeTask(script, { title, projectId });
  await visit('/app/anytime');
  await showsTitles(page, 'Sow', 'Dig');
  await page.getByRole('main').getByRole('link', { name: 'Garden' }).focus();
  await press(page, 'Delete', 't', 'Space', 'ArrowDown');
  await hasFocus(rowOf(page, 'Sow'));
  await press(page, 't');
  await page.getByText('Planned “Sow” for today').waitFor();
  await press(page, 'Control+z');
  await page.getByText('Undone: Planned “Sow”').waitFor();
  await press(page, 'Control+z');
  await page.getByText('Nothing to undo').waitFor();
  await showsTitles(page, 'Sow', 'Dig');
});

test.serial(
  'R in an open task is for its own title, also where its row is covered or in no list',
  async (t) => {
    const { page, script, visit } = await openApp(t);
    await makeTask(script, { title: 'Water' });
    const { id } = await makeTask(script, { title: 'Dig' });
    const title = page.locator('.detail').getByRole('textbox', { name: 'Title' });
    for (const [width, screen] of [
      [1280, 'inbox'],
      [900, 'inbox'],
      [600, 'inbox'],
      [1280, 'logbook'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await visit(`/app/${screen}?task=${id}`);
      await title.waitFor();
      await page.locator('.detail').focus();
      await press(page, 'r');
      await hasFocus(title);
      await page.keyboard.insertText(`Dig ${width}`);
      await press(page, 'Enter');
      await waitFor(async () => (await tasksByTitle(script)).has(`Dig ${width}`));
    }
  },
);

test.serial('keys in an open task are for it, whatever is selected in the list', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Water', 'Sow', 'Dig']) await makeTask(script, { title });
  await visit('/app/inbox');
  await rowOf(page, 'Dig').focus();
  await press(page, 'x', 'j', 'x');
  await rowOf(page, 'Water').click();
  await hasFocus(page.locator('.detail'));
  await press(page, 'Space');
  await page.getByText('Completed “Water”').waitFor();
  await showsTitles(page, 'Dig', 'Sow');
});

test.serial('a key that has nothing to do says why, and stays with its row', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  await makeProject(script, { title: 'Garden', deadlineDate: '2099-01-01' });
  await makeTask(script, { title: 'Milk' });
  for (const title of ['Butter', 'Bread']) {
    const { id } = await makeTask(script, { title, dueDate: today });
    await script.post(`/tasks/${id}/complete`);
  }
  await visit('/app/');
  await page.getByRole('button', { name: 'Done today' }).click();
  await rowOf(page, 'Bread').focus();
  await press(page, 'Shift+Space');
  await page.getByText('Only an open task can be cancelled.').waitFor();
  await hasFocus(rowOf(page, 'Bread'));

  await visit('/app/upcoming');
  await rowOf(page, 'Garden').focus();
  await press(page, 't');
  await page.getByText('Open it to change it.').waitFor();

  await visit('/app/inbox');
  await rowOf(page, 'Milk').focus();
  await press(page, 'a');
  await page.getByText('There is no date to remove.').waitFor();
  const said = await listen(page);
  await press(page, 'x', 'Escape');
  await waitFor(async () => (await said()).includes('Selection ended.'));
  t.pass();
});
