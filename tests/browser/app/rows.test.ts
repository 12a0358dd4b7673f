import test from 'ava';
import { makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { accessibilityFaults } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { formatDay } from '#web-app/dates/format-day.ts';
import { startApp } from './app-window.ts';
import { fingerOf, middle, middleOf, phone } from './finger.ts';
import {
  addByKeys,
  draggable,
  gesturesThere,
  hasFocus,
  listen,
  press,
  rowOf,
  showsTexts,
  showsTitles,
  waitFor,
} from './page-steps.ts';

const { openApp } = await startApp(test);

const today = Temporal.Now.plainDateISO('UTC').toString();
const inDays = (days: number) => Temporal.PlainDate.from(today).add({ days }).toString();
const short = (days: number) => formatDay(inDays(days), today);

test.serial('an open task says when its time has passed today, and one to come does not', async (t) => {
  const { page, script, visit } = await openApp(t);
  await page.clock.install({ time: `${today}T11:59:30Z` });
  const day = { dueDate: today };
  const { id } = await makeTask(script, { title: 'Stand-up', ...day, reminderTime: '09:00' });
  await makeTask(script, { title: 'Lunch', ...day, reminderTime: '12:00' });
  await makeTask(script, { title: 'Dentist', ...day, reminderTime: '18:30' });
  await visit('/app/');
  const times = page.locator('.row time');
  await showsTexts(times, ['reminder 09:00 passed', 'reminder 12:00', 'reminder 18:30']);
  await page.clock.fastForward(91_000);
  await showsTexts(times, ['reminder 09:00 passed', 'reminder 12:00 passed', 'reminder 18:30']);
  await takePicture(page, 'app/passed');
  await script.post(`/tasks/${id}/complete`);
  await visit(`/app/?task=${id}`);
  const reminder = page.getByRole('button', { name: 'Reminder' });
  await showsTexts(reminder, ['Reminder: 09:00']);
  await script.post(`/tasks/${id}/uncomplete`);
  await showsTexts(reminder, ['Reminder: 09:00passed']);
});

test.serial('done occurrences are told apart by their day, and nothing closed is late', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const recurrence = { frequency: 'weekly' } as const;
  const title = 'Water all the plants in the house and on the balcony';
  const water = await makeTask(script, { title, dueDate: inDays(-14), recurrence });
  await script.post(`/tasks/${water.id}/complete`);
  await script.patch(`/tasks/${water.id}`, { dueDate: today });
  await script.post(`/tasks/${water.id}/complete`);
  const late = await makeTask(script, { title: 'Report', dueDate: today, deadlineDate: inDays(-20) });
  await script.post(`/tasks/${late.id}/complete`);
  await visit('/app/logbook');
  await showsTexts(page.locator('.record'), ['Report', title, `${title}for ${short(-14)}`]);
  await page.setViewportSize({ width: 390, height: 844 });
  t.true(((await page.getByText(`for ${short(-14)}`).boundingBox())?.height ?? 99) < 30, 'in one line');
  await visit('/app/');
  await page.getByRole('button', { name: /^Done today/ }).click();
  await showsTexts(page.locator('.row time'), [`deadline ${short(-20)}`, short(-14)]);
  t.is(await page.locator('.row .late').count(), 0);
});

test.serial('a search shows what is closed as closed, behind what is open', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const [title, deed] of [
    ['Garden of last year', 'complete'],
    ['Garden of this year', null],
  ] as const) {
    const { id } = await makeProject(script, { title });
    if (deed !== null) await script.post(`/projects/${id}/${deed}`, {});
  }
  const { id } = await makeTask(script, { title: 'Garden gate', dueDate: inDays(-20) });
  await script.post(`/tasks/${id}/cancel`);
  await visit('/app/?q=garden');
  const found = page.getByRole('option').filter({ hasText: 'Garden' });
  await showsTexts(found, [
    `Garden gateCancelled today, for ${short(-20)}`,
    'Garden of this yearProject',
    'Garden of last yearCompleted project',
  ]);
  await takePicture(page, 'app/closed-in-search');
});

test.serial('in a long Upcoming each heading stands above its tasks', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const days of [1, 2, 3]) await makeTasks(script, 2, { dueDate: inDays(days) });
  await makeTasks(script, 200, { dueDate: inDays(70) });
  await visit('/app/upcoming');
  const lines = page.locator('[role="grid"] > [aria-rowindex]');
  await lines.nth(8).waitFor();
  const tops = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().top));
  t.deepEqual(
    tops.toSorted((a, b) => a - b),
    tops,
  );
});

test.serial('on a phone the rows of a long list leave no gap', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  const { id: projectId } = await makeProject(script);
  await makeTasks(script, 201, { projectId });
  await makeTask(script, { title: 'Two lines', projectId, dueDate: today });
  await visit(`/app/project/${projectId}`);
  await page.locator('[aria-rowindex] >> text=Two lines').waitFor();
  const boxes = await page
    .locator('[role="grid"] > [data-row]')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect()));
  t.true(boxes.length > 10);
  for (const [index, { bottom }] of boxes.slice(0, -1).entries()) t.is(boxes[index + 1]?.top, bottom);
});

test.serial('a deadline counts its days up to two weeks; Upcoming names the month that begins', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const { id: projectId } = await makeProject(script);
  await makeTask(script, { title: 'Far', projectId, deadlineDate: inDays(15) });
  await makeTask(script, { title: 'Near', projectId, deadlineDate: inDays(14) });
  await visit(`/app/project/${projectId}`);
  await showsTexts(page.locator('.row time'), ['deadline in 14 days', `deadline ${short(15)}`]);
  const days = [1, 2, 3, 4, 5, 6, 7].map((count) => Temporal.PlainDate.from(today).add({ days: count }));
  for (const day of days) await makeTask(script, { title: 'Daily', dueDate: day.toString() });
  await visit('/app/upcoming');
  const named = days.map((day, index) => {
    const name = index === 0 ? 'Tomorrow' : day.toLocaleString('en-GB', { weekday: 'long' });
    return day.day === 1 ? `${name} ${day.toLocaleString('en-GB', { month: 'long' })}` : name;
  });
  await showsTexts(page.locator('.day h2'), named);
});

test.serial('Anytime shows a sixth task instead of a button for it', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script);
  const add = (title: string) => makeTask(script, { title, projectId });
  for (const title of ['Six', 'Five', 'Four', 'Three', 'Two', 'One']) await add(title);
  await visit('/app/anytime');
  await showsTitles(page, 'One', 'Two', 'Three', 'Four', 'Five', 'Six');
  await add('Zero');
  await page.getByRole('button', { name: 'Show 2 more' }).waitFor();
  await showsTitles(page, 'Zero', 'One', 'Two', 'Three', 'Four');
});

test.serial('Today counts as done what was completed, not what was cancelled', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Call', 'Write']) {
    const { id } = await makeTask(script, { title, dueDate: today });
    await script.post(`/tasks/${id}/cancel`);
  }
  await visit('/app/');
  await page.getByText('Nothing planned.').waitFor();
  const { id } = await makeTask(script, { title: 'Read', dueDate: today });
  await script.post(`/tasks/${id}/complete`);
  await page.getByText('1 task done. Tomorrow has 0.').waitFor();
});

test.serial(
  'Escape leads from a cell or an open task to its row; an open task that is trashed has the focus',
  async (t) => {
    const { page, script, visit } = await openApp(t);
    await makeTask(script, { title: 'Other' });
    const task = await makeTask(script, { title: 'Milk' });
    await visit('/app/inbox');
    await gesturesThere(page);
    await rowOf(page, 'Milk').focus();
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    await page.getByRole('button', { name: 'Actions for Milk' }).and(page.locator(':focus')).waitFor();
    await press(page, 'Escape');
    await rowOf(page, 'Milk').and(page.locator(':focus')).waitFor();
    await press(page, 'Enter', 'Space');
    await showsTitles(page, 'Other');
    await press(page, 'ControlOrMeta+z');
    await showsTitles(page, 'Milk', 'Other');
    await press(page, 'Escape');
    await hasFocus(rowOf(page, 'Milk'));

    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Add notes' }).click();
    await page.locator('.detail textarea:focus').waitFor();
    await script.delete(`/tasks/${task.id}`);
    await page.getByText('Moved to the Trash by Nightly script').waitFor();
    await waitFor(() => page.evaluate('document.activeElement !== document.body'));
    t.is(await page.locator('.detail:focus, .detail :focus').count(), 1);
  },
);

test.serial('Page Down and Page Up take the focus along, in long lists too', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTasks(script, 210);
  await visit('/app/inbox');
  await gesturesThere(page);
  const focused = page.locator('[data-row]:focus');
  const place = async () => Number(await focused.getAttribute('aria-rowindex'));
  await page.locator('[data-row]').first().focus();
  const first = await place();
  await press(page, 'PageDown');
  await waitFor(async () => (await place()) > first + 5);
  const second = await place();
  await press(page, 'PageDown');
  await waitFor(async () => (await place()) > second);
  const box = await focused.boundingBox();
  t.true((box?.y ?? -1) >= 0 && (box?.y ?? 0) < (page.viewportSize()?.height ?? 0));
  await press(page, 'PageUp', 'PageUp');
  await waitFor(async () => (await place()) === first);

  // What is scrolled away takes its focus and its selection along.
  const title = await focused.locator('.t').textContent();
  await press(page, 'x');
  await page.evaluate("document.querySelector('.page').scrollTo({ top: 1e6 })");
  await page.locator('[aria-rowindex="210"]').waitFor();
  t.is(await page.locator('[data-row]:focus, [data-row][aria-selected="true"]').count(), 0);
  const rows = await page
    .locator('[data-row]')
    .evaluateAll((all) =>
      all.map((row) => [row.getAttribute('aria-labelledby'), row.querySelector('.grow')?.id]),
    );
  t.true(rows.length > 10 && rows.every(([label, id]) => label === id));
  await page.evaluate("document.querySelector('.page').scrollTo({ top: 0 })");
  await showsTexts(page.locator('[data-row][aria-selected="true"] .t'), [title ?? '']);
});

test.serial(
  'Ctrl+C copies the titles of the selected tasks, else that of the row, and the text that is selected',
  async (t) => {
    const device = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, script, visit } = await openApp(t, { device });
    for (const title of ['Milk', 'Bread\nof rye', 'Salt']) await makeTask(script, { title });
    await visit('/app/inbox');
    await gesturesThere(page);
    const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    await rowOf(page, 'Salt').focus();
    await press(page, 'Control+c');
    await page.getByText('Copied the title').waitFor();
    t.is(await copied(), 'Salt');
    await rowOf(page, 'Milk').focus();
    await press(page, 'x');
    await rowOf(page, 'Bread').focus();
    await press(page, 'x', 'Control+c');
    await page.getByText('Copied 2 titles').waitFor();
    t.deepEqual((await copied()).split('\n').toSorted(), ['Bread of rye', 'Milk']);
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))");
    await press(page, 'Control+c');
    await waitFor(async () => (await copied()) === 'Inbox');
  },
);

test.serial(
  'a task that is renamed before the server knows it keeps its field when the response comes',
  async (t) => {
    const { page, visit } = await openApp(t);
    await visit('/app/inbox');
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/public/v1/tasks', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await addByKeys(page, 'Bread');
    const row = rowOf(page, 'Bread');
    const id = await row.getAttribute('data-row');
    await row.focus();
    await press(page, 'r');
    await hasFocus(page.locator('.rename'));
    answer.resolve();
    await waitFor(async () => (await page.locator('[data-row]').getAttribute('data-row')) !== id);
    await page.keyboard.type('Rye');
    await press(page, 'Enter');
    await showsTitles(page, 'Rye');
  },
);

test.serial('the arrows lead from what stands between rows to the row beside it', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Milk', 'Bread', 'Done']) await makeTask(script, { title, dueDate: today });
  await visit('/app/');
  await rowOf(page, 'Done').focus();
  await press(page, 'Space');
  await rowOf(page, 'Done').waitFor({ state: 'detached' });
  await rowOf(page, 'Milk').focus();
  const done = page.getByRole('button', { name: 'Done today' });
  await done.focus();
  await press(page, 'ArrowUp');
  await rowOf(page, 'Bread').and(page.locator(':focus')).waitFor();
  await rowOf(page, 'Milk').focus();
  await done.focus();
  await press(page, 'Enter');
  await rowOf(page, 'Done').waitFor();
  await press(page, 'ArrowDown');
  await rowOf(page, 'Done').and(page.locator(':focus')).waitFor();
});

test.serial('the arrows lead between the items of a checklist, whose menus have their names', async (t) => {
  const { page, script, visit } = await openApp(t);
  const checklist = [{ title: 'Map' }, { title: 'Tent' }];
  const task = await makeTask(script, { title: 'Trip', checklist });
  await visit(`/app/inbox?task=${task.id}`);
  const item = (name: string) => page.getByRole('textbox', { name });
  await item('Item 1').focus();
  await press(page, 'ArrowDown');
  await item('Item 2').and(page.locator(':focus')).waitFor();
  await press(page, 'ArrowUp');
  await item('Item 1').and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Actions for Tent' }).waitFor();
});

const handleOf = (title: string) => ({ name: `Actions for ${title}` });

test.serial('on a phone rows have handles while some are selected; where one is put it stays', async (t) => {
  const { page, script, context, visit } = await openApp(t, phone);
  for (const title of ['Fourth', 'Third', 'Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  const finger = fingerOf(await context.newCDPSession(page));
  await rowOf(page, 'First').waitFor();
  await draggable(page);

  await finger.down(await middleOf(page, 'Second'));
  await page.locator('.selection-bar', { hasText: '1 selected' }).waitFor();
  await finger.up();
  const handle = await middle(page.getByRole('button', handleOf('First')));
  const below = await middleOf(page, 'Fourth');
  await finger.down(handle);
  await finger.slide(handle, 0, below.y - handle.y + 60);
  await page.locator('[data-lifted]', { hasText: 'First' }).waitFor();
  await page.locator('.drop-line').waitFor();
  await takePicture(page, 'app-row-lifted');
  await finger.up();
  await showsTitles(page, 'Second', 'Third', 'Fourth', 'First');
  const titles = async () => {
    const { body } = await script.get<{ items: { title: string }[] }>('/tasks?view=inbox');
    return body.items.map((task) => task.title).join();
  };
  await waitFor(async () => (await titles()) === 'Second,Third,Fourth,First');
  t.is(await page.locator('[data-lifted], .ghost, .drop-line').count(), 0);
  t.is(await page.locator('.selection-bar', { hasText: '1 selected' }).count(), 1, 'for the next one');
  const toast = page.locator('.toast', { hasText: 'Moved “First”' });
  await toast.getByRole('button', { name: 'Undo' }).tap();
  await showsTitles(page, 'First', 'Second', 'Third', 'Fourth');
  await waitFor(async () => (await titles()) === 'First,Second,Third,Fourth');

  // “Move down” can be pressed again and again.
  const said = await listen(page);
  await page.getByRole('button', handleOf('First')).tap();
  const menu = page.getByRole('menu', handleOf('First'));
  const down = menu.getByRole('menuitem', { name: 'Move down' });
  for (const _ of '123') await down.tap();
  await showsTitles(page, 'Second', 'Third', 'Fourth', 'First');
  await waitFor(async () => (await said()).includes('First: 4 of 4'));
  t.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
});

test.serial('a project is named whole where the title leaves room for it', async (t) => {
  const { page, script, visit } = await openApp(t);
  const title = 'Everything that is still to be done in the house by the lake';
  const { id: projectId } = await makeProject(script, { title });
  const long = 'Clear the attic, the stairs and the cellar of all that was left there by others long ago';
  for (const each of ['Dig', long])
    await makeTask(script, { title: each, projectId, dueDate: today, reminderTime: '23:59' });
  await visit('/app/');
  const widths = async (name: string) => {
    const row = rowOf(page, name);
    const parts = [row.locator('.t'), row.locator('.where')];
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
    return boxes.map((box) => Math.round(box?.width ?? 0));
  };
  const where = rowOf(page, 'Dig').locator('.where');
  t.true(await where.evaluate((element) => element.scrollWidth <= element.clientWidth));
  const [shown = 0, besideLong = 0] = await widths(long);
  t.true(shown > 4 * besideLong && besideLong >= 100, `${shown} and ${besideLong}`);
});

test.serial('of a list that was empty, the first row is the next', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Water', 'Sow', 'Dig']) await makeTask(script, { title });
  await visit('/app/inbox');
  await rowOf(page, 'Dig').focus();
  await press(page, 'Control+a', 'Delete');
  // Not its words: the first steps may stand in their place.
  await showsTitles(page);
  await press(page, 'Control+z');
  await showsTitles(page, 'Dig', 'Sow', 'Water');
  await press(page, 'j');
  await hasFocus(rowOf(page, 'Dig'));
});

test.serial('when the last task leaves Upcoming, its heading has the focus, as elsewhere', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Milk', dueDate: inDays(2) });
  await visit('/app/upcoming');
  await rowOf(page, 'Milk').focus();
  await press(page, 'Backspace');
  await page.getByText('Moved “Milk” to the Trash').waitFor();
  await hasFocus(page.getByRole('heading', { name: 'Upcoming', level: 1 }));
});
