import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { accessibilityFaults } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { fingerOf, middleOf, phone } from './finger.ts';
import { draggable, rowOf, showsTexts, waitFor } from './page-steps.ts';

const { openApp, stack } = await startApp(test);

test.serial('on a phone a swipe completes a task or shows what else to do; a hold selects it', async (t) => {
  const { page, script, context, visit } = await openApp(t, phone);
  for (const title of ['Fourth', 'Third', 'Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  const finger = fingerOf(await context.newCDPSession(page));
  const rows = () => page.locator('[data-row] .t').allTextContents();
  await waitFor(async () => (await rows()).length === 4);
  await draggable(page);

  const first = await middleOf(page, 'First');
  await finger.down(first);
  await finger.slide(first, 60);
  await page.locator('[data-swipe="complete"]:not([data-swipe-armed])').waitFor();
  await finger.slide(first, 160);
  await page.locator('[data-swipe-armed]').waitFor();
  await takePicture(page, 'app-swipe-complete');
  await finger.up();
  await waitFor(async () => (await rows()).join() === 'Second,Third,Fourth');
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap();
  await waitFor(async () => (await rows()).length === 4);

  const second = await middleOf(page, 'Second');
  await finger.down(second);
  await finger.slide(second, -160);
  await page.locator('[data-swipe="more"][data-swipe-armed]').waitFor();
  await finger.up();
  const tray = page.getByRole('menu', { name: 'Actions for Second' });
  await tray.waitFor();
  await takePicture(page, 'app-swipe-tray');
  t.deepEqual(await tray.getByRole('menuitem').allInnerTexts(), ['Plan', 'Move', 'Trash']);
  const colourOfTrash = `getComputedStyle(document.querySelector('.tray button:last-child')).color`;
  const colour = `getComputedStyle(document.querySelector('.tray button')).color`;
  t.is(await page.evaluate(colourOfTrash), await page.evaluate(colour), 'red says late alone');
  t.deepEqual(await accessibilityFaults(page), []);
  // What is tapped beside a menu is not pressed.
  await rowOf(page, 'Third').getByRole('checkbox').tap();
  await tray.waitFor({ state: 'detached' });
  t.is((await rows()).length, 4);
  t.is(await page.locator('.row.is-done').count(), 0);
  await finger.down(second);
  await finger.slide(second, -160);
  await finger.up();
  await tray.waitFor();
  const today = page.getByRole('dialog').getByRole('option', { name: /^Today/ });
  await tray.getByRole('menuitem', { name: 'Plan' }).tap();
  await today.waitFor();
  t.is(await page.getByRole('combobox').and(page.locator(':focus')).count(), 0, 'no keyboard');
  await today.click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const planned = async () =>
    (await script.get<{ items: { title: string }[] }>('/tasks?view=today')).body.items.map(
      (task) => task.title,
    );
  await waitFor(async () => (await planned()).join() === 'Second');

  const third = await middleOf(page, 'Third');
  await finger.down(third);
  await page.locator('[data-row][aria-selected="true"]', { hasText: 'Third' }).waitFor();
  await finger.up();
  // Taps that follow each other quickly rename nothing.
  for (let taps = 1; taps <= 3; taps += 1) await rowOf(page, 'Fourth').tap();
  await page.locator('.selection-bar', { hasText: '2 selected' }).waitFor();
  t.is(await page.locator('[data-row] input').count(), 0);
  await page.getByRole('region', { name: 'Selected tasks' }).getByRole('button', { name: 'Complete' }).tap();
  await waitFor(async () => (await rows()).join() === 'First');

  const last = await middleOf(page, 'First');
  await finger.down(last);
  await finger.slide(last, -160);
  await finger.up();
  await page.getByRole('menuitem', { name: 'Trash' }).tap();
  await page.locator('.toast', { hasText: 'Trash' }).waitFor();
  await waitFor(async () => (await rows()).length === 0);
});

test.serial('a swipe completes no task that others completed while the finger was down', async (t) => {
  const { page, script, context, visit } = await openApp(t, phone);
  const today = Temporal.Now.plainDateISO('UTC');
  const fields = { dueDate: today.toString(), recurrence: { frequency: 'daily' } } as const;
  const tasks = [
    await makeTask(script, { title: 'Dig' }),
    await makeTask(script, { title: 'Water', ...fields }),
  ];
  const finger = fingerOf(await context.newCDPSession(page));
  for (const [index, task] of tasks.entries()) {
    await visit(['/app/inbox', '/app/'][index] ?? '');
    await draggable(page);
    const place = await middleOf(page, task.title);
    await finger.down(place);
    await finger.slide(place, 160);
    await page.locator('[data-swipe-armed]').waitFor();
    await script.post(`/tasks/${task.id}/complete`);
    await rowOf(page, task.title).waitFor({ state: 'detached' });
    await finger.up();
    await showsTexts(page.locator('.toast'), ['It was changed elsewhere meanwhile.']);
  }
  const [dig, water] = await Promise.all(tasks.map(({ id }) => script.get<Task>(`/tasks/${id}`)));
  t.is(dig?.body.status, 'completed');
  t.is(water?.body.dueDate, today.add({ days: 1 }).toString());
});

test.serial('on a phone a pull down from the top of a list opens the search, a short one not', async (t) => {
  const { page, script, context, visit } = await openApp(t, phone);
  await makeTask(script, { title: 'First' });
  await visit('/app/inbox');
  const finger = fingerOf(await context.newCDPSession(page));
  await draggable(page);
  const top = await middleOf(page, 'First');
  const pulled = page.locator('[data-pull]');
  await finger.down(top);
  await finger.slide(top, 0, 60);
  await pulled.and(page.locator(':not([data-pull-armed])')).waitFor();
  await finger.up();
  await pulled.waitFor({ state: 'detached' });
  t.is(await page.getByRole('dialog').count(), 0);

  await finger.down(top);
  await finger.slide(top, 0, 160);
  await page.locator('[data-pull-armed]').waitFor();
  await takePicture(page, 'app-pull');
  await finger.up();
  await page.getByRole('dialog').getByRole('combobox').and(page.locator(':focus')).waitFor();
  t.is(await pulled.count(), 0);
});

test.serial('on a phone a hold that is pulled on only selects; Back ends the selection first', async (t) => {
  const { page, context, script, visit } = await openApp(t, phone);
  await makeTask(script, { title: 'First' });
  const finger = fingerOf(await context.newCDPSession(page));
  const bar = page.locator('.selection-bar', { hasText: '1 selected' });
  const selectAndGoBack = async () => {
    await rowOf(page, 'First').waitFor();
    await draggable(page);
    const first = await middleOf(page, 'First');
    await finger.down(first);
    await bar.waitFor();
    await finger.slide(first, 0, 160);
    t.is(await page.locator('[data-pull]').count(), 0);
    await finger.up();
    t.is(await page.getByRole('dialog').count(), 0);
    await page.goBack();
    await bar.waitFor({ state: 'detached' });
    t.is(new URL(page.url()).pathname, '/app/inbox');
    await page.goBack();
  };
  // Where the app began, too.
  await page.goto('about:blank');
  await visit('/app/inbox');
  await selectAndGoBack();
  await page.waitForURL('about:blank');
  await visit('/app/someday');
  await page.locator('.tabbar').getByRole('link', { name: 'Inbox' }).tap();
  await selectAndGoBack();
  await page.waitForURL('**/app/someday');
});

test.serial('on a phone a picker opens without keyboard; notes are edited where tapped', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  const lines = Array.from({ length: 200 }, (_, at) => `**Line ${at}** is [here](https://example.com/line).`);
  const task = await makeTask(script, { title: 'Water', description: lines.join('\n\n') });
  await visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: /^When/ }).tap();
  const picker = page.getByRole('dialog', { name: 'When' });
  await picker.waitFor();
  t.is(await picker.getByRole('combobox').and(page.locator(':focus')).count(), 0);
  await page.keyboard.press('Escape');

  const tapped = page.locator('.md strong', { hasText: 'Line 120' });
  await tapped.scrollIntoViewIfNeeded();
  await tapped.tap();
  const field = page.locator('textarea:focus');
  const caret = await field.evaluate((element: { selectionStart: number }) => element.selectionStart);
  const expected = lines.slice(0, 120).join('\n\n').length;
  t.true(Math.abs(caret - expected) < 20, `${caret} is beside ${expected}`);
  const end = page.getByRole('button', { name: 'Done' });
  const box = await end.boundingBox();
  t.true(box !== null && box.y > 0 && box.y < phone.view.height, JSON.stringify(box));
  await end.tap();
  await field.waitFor({ state: 'detached' });
});

test.serial('on a phone dates share a line or go below the title; a row’s menu fits a finger', async (t) => {
  const app = await openApp(t, { ...phone, plan: 'premium' });
  const project = await makeProject(app.script, { title: 'Website relaunch' });
  await makeTask(app.script, { title: 'Review', projectId: project.id, dueDate: '2020-01-01' });
  const { id: projectId } = await makeProject(app.script, { title: 'Move to the new flat' });
  const today = Temporal.Now.plainDateISO('UTC');
  const dates = { dueDate: `${today}`, reminderTime: '18:00', deadlineDate: `${today.add({ days: 40 })}` };
  const recurrence = { frequency: 'weekly' } as const;
  const marks = { description: 'all', checklist: [{ title: 'A' }], recurrence };
  await makeTask(app.script, { title: 'Pack', projectId, ...dates, ...marks });
  await app.visit('/app/');
  const row = rowOf(app.page, 'Review');
  await row.getByText('Website relaunch').waitFor();
  t.is((await row.boundingBox())?.height, 68);
  t.like(await row.getByRole('button', { name: 'Actions for Review' }).boundingBox(), {
    width: 44,
    height: 44,
  });
  const leftOf = async (part: string) => (await rowOf(app.page, 'Pack').locator(part).boundingBox())?.x;
  for (const part of ['.where', 'time:last-of-type']) t.is(await leftOf(part), await leftOf('.t'), part);

  const tab = app.page.locator('.tabbar').getByRole('link', { name: 'Lists' });
  t.is(await tab.getAttribute('aria-current'), null);
  await app.visit(`/app/project/${project.id}`);
  t.is(await tab.getAttribute('aria-current'), 'true');
});

test.serial('on a phone a menu is a sheet, and a tap beside it only closes it', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  for (const title of ['Weed', 'Water']) await makeTask(script, { title });
  await visit('/app/inbox');
  const review = (await page.getByRole('link', { name: 'Review' }).boundingBox()) ?? { x: 0, y: 0 };
  await page.getByRole('button', { name: 'Actions for Weed' }).tap();
  const menu = page.getByRole('menu');
  const { x, y, width, height } = (await menu.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  t.deepEqual([x, width, y + height], [0, 390, 844]);
  await takePicture(page, 'app/menu-phone');
  await page.touchscreen.tap(review.x + 20, review.y + 20);
  await menu.waitFor({ state: 'detached' });
  t.regex(page.url(), /inbox$/);
  await page.getByRole('button', { name: 'Actions for Weed' }).tap();
  await page.getByRole('menuitem', { name: 'Rename' }).tap();
  await page.locator('input:focus').waitFor();
  await page.keyboard.press('Escape');

  await rowOf(page, 'Water').getByRole('checkbox').tap();
  await page.locator('.row.is-done').getByRole('checkbox').tap();
  await page.getByText('Reopened').waitFor();
  const colours = () =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('[data-row] .c')].map((box) => getComputedStyle(box).backgroundColor)",
    );
  // The colour changes bit by bit.
  await waitFor(async () => new Set(await colours()).size === 1);
  t.is((await colours()).length, 2);
});

test.serial('on a phone «Back» leaves a task for good: the way back after it leads further', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  await makeTask(script, { title: 'Water' });
  await visit('/app/someday');
  await page.locator('.tabbar').getByRole('link', { name: 'Inbox' }).tap();
  await rowOf(page, 'Water').tap();
  await page.getByRole('button', { name: 'More' }).tap();
  await page.getByText('Move to the Trash').tap();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap();
  await page.locator('main.detail:focus').waitFor();
  await page.getByRole('button', { name: 'Back' }).tap();
  await rowOf(page, 'Water').waitFor();
  await page.waitForURL('**/app/inbox');
  await page.goBack();
  await page.waitForURL('**/app/someday');
});

test.serial('for a finger what is tapped is 44 pixels high and wide, on a phone’s side too', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  const panel = page.locator('.detail');
  const task = await makeTask(script, { title: 'Water' });
  for (const [width, height] of [
    [360, 640],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await visit(`/app/inbox?task=${task.id}`);
    const isLarge = (name: string) =>
      waitFor(async () => {
        const box = await panel.getByRole('button', { name }).boundingBox();
        return box !== null && box.height >= 44 && box.width >= 44;
      });
    for (const name of ['More', 'Add notes', 'History', 'When: No date']) await isLarge(name);
  }
});

test.serial('on a phone the last selected row is above the bar, and its tab leads to the top', async (t) => {
  const view = { ...phone.view, width: 360, height: 640 };
  const { page, script, context, visit } = await openApp(t, { view, device: phone.device });
  for (let at = 1; at <= 20; at += 1) await makeTask(script, { title: `Task ${at}.` });
  await visit('/app/inbox');
  await rowOf(page, 'Task 1.').waitFor();
  await draggable(page);
  await rowOf(page, 'Task 1.').scrollIntoViewIfNeeded();
  const finger = fingerOf(await context.newCDPSession(page));
  await finger.down(await middleOf(page, 'Task 1.'));
  const bar = page.getByRole('region', { name: 'Selected tasks' });
  await bar.waitFor();
  await finger.up();
  const bottomOf = async (title: string) => {
    const box = await rowOf(page, title).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  const barBox = await bar.boundingBox();
  await waitFor(async () => (await bottomOf('Task 1.')) <= (barBox?.y ?? 0));
  const end = await bar.getByRole('button', { name: 'End' }).boundingBox();
  t.true((end?.x ?? 0) + (end?.width ?? 0) <= (barBox?.x ?? 0) + (barBox?.width ?? 0));

  await page.locator('.tabbar').getByRole('link', { name: 'Inbox' }).tap();
  await waitFor(async () => (await page.evaluate("document.querySelector('.page').scrollTop")) === 0);
});

test.serial('on a tablet the menus of rows and lists are in view, without a pointer over them', async (t) => {
  const view = { width: 820, height: 1180, colorScheme: 'light' } as const;
  const { page, script, visit } = await openApp(t, { view, device: phone.device });
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  await makeSection(script, projectId, { title: 'Spring' });
  await makeTask(script, { title: 'Water', projectId });
  await visit(`/app/project/${projectId}`);
  const sidebar = page.locator('.side');
  const alone = await sidebar.boundingBox();
  await rowOf(page, 'Water').getByRole('button', { name: 'Actions for Water' }).tap();
  await page.getByRole('menuitem', { name: 'Open' }).tap();
  await page.locator('.detail').waitFor();
  const menus = page.locator('[aria-haspopup="menu"]');
  const isSeen = `[...document.querySelectorAll('[aria-haspopup="menu"]')].every(
    (button) => button.checkVisibility({ opacityProperty: true }))`;
  t.deepEqual(await sidebar.boundingBox(), alone, 'a task that opens does not move the sidebar');
  t.true((await menus.count()) >= 4);
  t.true(await page.evaluate(isSeen));
});

test.serial('a long checklist item can be read to its end; a property’s name can be tapped', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  const title = 'Ask whether the cellar is covered when the river rises, and who then pays for the pump';
  const task = await makeTask(script, { title: 'Call', checklist: [{ title }] });
  await visit(`/app/inbox?task=${task.id}`);
  const item = page.getByRole('textbox', { name: 'Item 1' });
  await item.waitFor();
  t.is(await item.inputValue(), title);
  t.true(
    await item.evaluate(
      ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth <= clientWidth && scrollHeight <= clientHeight,
    ),
  );
  const box = await page.locator('dt', { hasText: 'Repeat' }).boundingBox();
  await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await page.getByRole('dialog', { name: 'Repeat' }).waitFor();
});

test.serial(
  'on a phone a long name of an area or of a script is cut, and nothing scrolls sideways',
  async (t) => {
    const { page, person, script, visit } = await openApp(t, phone);
    const name = 'Health, sports and all that has to do with them, every day of the year';
    const { id: areaId } = await makeArea(script, { title: name });
    const { id: projectId } = await makeProject(script, { title: 'Marathon', areaId });
    await visit(`/app/project/${projectId}`);
    await page.locator('.facts', { hasText: name }).waitFor();
    const named = stack.client(await stack.createToken(person, { name }));
    await makeTask(named, { title: 'Run', projectId });
    await rowOf(page, 'Run').getByText(name).waitFor();
    const sideways = '{ const page = document.querySelector(".page"); page.scrollWidth - page.clientWidth }';
    t.is(await page.evaluate(sideways), 0);
  },
);
