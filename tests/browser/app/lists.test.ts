import test from 'ava';
import { insertTasks, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import {
  addByKeys,
  draggable,
  gesturesThere,
  goOffline,
  listen,
  press,
  rowOf,
  showsTitles,
  tasksByTitle,
  waitFor,
} from './page-steps.ts';

const { browser, stack, openApp } = await startApp(test);

test.serial('what is made here keeps its address: the id that the service gives it', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/inbox');
  await page.getByRole('button', { name: 'New project' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Garden');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  const made = async () => (await script.get<{ items: { id: string }[] }>('/projects')).body.items[0]?.id;
  const id = await waitFor(made);
  await page.waitForURL(`**/app/project/${id}`);

  const frame = page.locator('.side');
  const closed = await frame.boundingBox();
  await page.getByRole('main').getByRole('button', { name: 'Actions for Garden' }).click();
  await page.getByRole('menu').waitFor();
  t.deepEqual(await frame.boundingBox(), closed, 'a menu that opens moves nothing');
  await page.keyboard.press('Escape');

  const focused = (name: string) => page.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
  const typeName = async (name: string) => {
    await page.locator('input:focus').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  };
  const mayAnswer = Promise.withResolvers<void>();
  await page.route('**/sections', async (route) => {
    await mayAnswer.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'New section' }).click();
  await typeName('Autumn');
  await focused('New section');
  await page.getByRole('button', { name: 'Actions for Autumn' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.locator('input:focus').fill('Spring');
  mayAnswer.resolve();
  const sections = async () =>
    (await script.get<{ sections: { title: string }[] }>(`/projects/${id}`)).body.sections;
  await waitFor(async () => (await sections())[0]?.title === 'Autumn');
  await page.locator('input:focus').press('Enter');
  await waitFor(async () => (await sections())[0]?.title === 'Spring');
  await focused('Actions for Spring');
  for (const [before, after] of [
    ['Spring', 'Summer'],
    ['Garden', 'Balcony'],
  ] as const) {
    await page
      .getByRole('button', { name: `Actions for ${before}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await typeName(after);
    await focused(`Actions for ${after}`);
  }
});

test.serial('nothing in a row moves when its menu is shown', async (t) => {
  const app = await openApp(t);
  await makeTask(app.script, { title: 'Water', dueDate: '2020-01-01' });
  await app.visit('/app/today');
  await draggable(app.page);
  const row = rowOf(app.page, 'Water');
  const places = () => Promise.all(['.t', '.m'].map((part) => row.locator(part).boundingBox()));
  const before = await places();
  await row.hover();
  const opacity = "getComputedStyle(document.querySelector('.row-menu')).opacity";
  await waitFor(async () => (await app.page.evaluate(opacity)) === '1');
  t.deepEqual(await places(), before);
});

const dragged = { sourcePosition: { x: 200, y: 20 }, steps: 8 } as const;

test.serial('a task is dragged into a section; every browser and the API have its order', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Garden' });
  const beds = await makeSection(script, project.id, { title: 'Beds' });
  for (const title of ['Water', 'Sow', 'Dig']) await makeTask(script, { title, projectId: project.id });
  await makeTask(script, { title: 'Weed', projectId: project.id, sectionId: beds.id });
  await visit(`/app/project/${project.id}`);
  await showsTitles(page, 'Dig', 'Sow', 'Water', 'Weed');
  t.is(await page.locator('[aria-rowindex]').count(), 0, 'a list that is whole needs no numbers');
  await draggable(page);
  await rowOf(page, 'Sow').dragTo(page.getByRole('heading', { name: 'Beds' }), dragged);
  await showsTitles(page, 'Dig', 'Water', 'Sow', 'Weed');
  await waitFor(async () => (await tasksByTitle(script)).get('Sow')?.sectionId === beds.id);
  await rowOf(page, 'Sow').focus();
  await press(page, 'Alt+ArrowDown');
  await showsTitles(page, 'Dig', 'Water', 'Weed', 'Sow');
  await rowOf(page, 'Sow').and(page.locator(':focus')).waitFor();
  await rowOf(page, 'Water').focus();
  await press(page, 'Alt+ArrowUp');
  const order = ['Water', 'Dig', 'Weed', 'Sow'];
  await showsTitles(page, ...order);
  const listed = async () => {
    const { body } = await script.get<{ items: { title: string; sectionId: string | null }[] }>(
      `/projects/${project.id}/tasks`,
    );
    const inSection = (id: string | null) =>
      body.items.filter((task) => task.sectionId === id).map(({ title }) => title);
    return [...inSection(null), ...inSection(beds.id)].join();
  };
  await waitFor(async () => (await listed()) === order.join());
  await visit(`/app/project/${project.id}`);
  await showsTitles(page, ...order);
  const second = await browser.newContext({
    storageState: { cookies: await context.cookies(), origins: [] },
  });
  t.teardown(() => second.close());
  const other = await second.newPage();
  await other.goto(`${stack.baseUrl}/app/project/${project.id}`);
  await showsTitles(other, ...order);
  const said = await listen(page);
  await rowOf(page, 'Weed').focus();
  await press(page, 'Alt+ArrowUp');
  await page.locator('.toast', { hasText: 'Moved “Weed” to Garden' }).waitFor();
  t.is((await said()).length, 1, 'a move to another section is announced once');
  await showsTitles(page, 'Water', 'Dig', 'Weed', 'Sow');
  await rowOf(page, 'Water').focus();
  await press(page, 'x');
  await press(page, 'Shift+ArrowDown');
  await press(page, 'Alt+ArrowDown');
  await showsTitles(page, 'Weed', 'Water', 'Dig', 'Sow');
  t.is((await said()).at(-1), '2 tasks: 2 of 3');
});

test.serial('a row that was moved takes no focus from the row that has it since', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Third', 'Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  await showsTitles(page, 'First', 'Second', 'Third');
  await draggable(page);
  await rowOf(page, 'First').focus();
  await page.evaluate(`new MutationObserver((changes, observer) => {
    observer.disconnect();
    [...document.querySelectorAll('[data-row]')].find((row) => row.textContent.includes('Third')).focus();
  }).observe(document.querySelector('[role=grid]'), { childList: true })`);
  await page.keyboard.press('Alt+ArrowDown');
  await showsTitles(page, 'Second', 'First', 'Third');
  for (let frame = 0; frame < 5; frame++) await page.evaluate('new Promise(requestAnimationFrame)');
  t.is(await page.locator('[data-row]:focus .t').textContent(), 'Third');
});

test.serial('a task is dragged to a day and to a list of the sidebar', async (t) => {
  const { page, script, visit } = await openApp(t);
  const day = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
  await makeTask(script, { title: 'Call', dueDate: day(1) });
  await makeTask(script, { title: 'Write', dueDate: day(3) });
  await visit('/app/upcoming');
  await showsTitles(page, 'Call', 'Write');
  await draggable(page);
  await rowOf(page, 'Call').dragTo(rowOf(page, 'Write'), { ...dragged, targetPosition: { x: 200, y: 36 } });
  await waitFor(async () => (await tasksByTitle(script)).get('Call')?.dueDate === day(3));
  await showsTitles(page, 'Write', 'Call');
  await rowOf(page, 'Write').dragTo(page.getByRole('link', { name: /^Today/ }), dragged);
  await waitFor(async () => (await tasksByTitle(script)).get('Write')?.dueDate === day(0));
  await showsTitles(page, 'Call');
});

test.serial('keys take a task from day to day, also empty ones, and say where the way ends', async (t) => {
  const { page, script, visit } = await openApp(t);
  const day = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
  await makeTask(script, { title: 'Call', dueDate: day(1) });
  await makeTask(script, { title: 'Write', dueDate: day(4) });
  const callIsOn = (days: number) =>
    waitFor(async () => (await tasksByTitle(script)).get('Call')?.dueDate === day(days));
  await visit('/app/upcoming');
  await rowOf(page, 'Call').focus();
  await press(page, 'Alt+ArrowDown');
  await callIsOn(2);
  await showsTitles(page, 'Call', 'Write');
  for (const key of ['Down', 'Down', 'Down', 'Up', 'Up']) await press(page, `Alt+Arrow${key}`);
  await callIsOn(3);
  for (let presses = 0; presses < 3; presses += 1) await press(page, 'Alt+ArrowUp');
  await callIsOn(1);
  await page.getByRole('status').getByText('Call: already the first of Tomorrow.').waitFor();
});

test.serial('what was done is once in Today, its project and the Logbook, and reopened there', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const { body: project } = await script.post<{ id: string }>('/projects', { title: 'Garden' });
  for (const title of ['Dug', 'Sown']) {
    const { id } = await makeTask(script, { title, projectId: project.id });
    await script.post(`/tasks/${id}/complete`);
  }
  await visit('/app/');
  await page.getByRole('button', { name: /^Done today/ }).click();
  await showsTitles(page, 'Sown', 'Dug');
  await visit(`/app/project/${project.id}`);
  await page.getByRole('button', { name: /^Done 2/ }).click();
  await page.getByRole('list', { name: 'Done before today' }).waitFor({ state: 'attached' });
  await showsTitles(page, 'Sown', 'Dug');
  t.is(await page.locator('.record').count(), 0);

  await visit('/app/logbook');
  const records = (...titles: string[]) =>
    waitFor(async () => (await page.locator('.record .t').allTextContents()).join() === titles.join());
  await records('Sown', 'Dug');
  await page.getByRole('checkbox', { name: 'Sown' }).click();
  await records('Dug');
  await page.locator('.toast', { hasText: 'Reopened “Sown”' }).getByRole('button', { name: 'Undo' }).click();
  await records('Sown', 'Dug');
});

test.serial('what went to the Trash leaves the copy on the device with the next visit', async (t) => {
  const { page, script, person, visit } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Compost' });
  await makeTask(script, { title: 'Seeds' });
  await visit('/app/inbox');
  await showsTitles(page, 'Seeds', 'Compost');
  await script.delete(`/tasks/${id}`);
  await showsTitles(page, 'Seeds');
  await visit('/app/inbox');
  await showsTitles(page, 'Seeds');
  const held = () =>
    page.evaluate<string[]>(`new Promise((resolve) => {
      indexedDB.open('tasks-${person.accountId}').onsuccess = ({ target: { result: db } }) => {
        db.transaction('tasks').objectStore('tasks').getAll().onsuccess = ({ target }) => {
          db.close();
          resolve(target.result.map(({ title }) => title));
        };
      };
    })`);
  await waitFor(async () => (await held()).join() === 'Seeds');
});

const titles = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'];

test.serial('several lines are tasks in order, in a list and on a day, sent or not', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  for (const [path, place] of Object.entries({ '/app/inbox': 'Sooner', '/app/': 'Later' })) {
    const lines = titles.map((title) => `${place} ${title}`);
    await visit(path);
    await goOffline(page);
    await addByKeys(page, lines.join('\n'));
    await showsTitles(page, ...lines);
    await context.setOffline(false);
    const areSent = async () => {
      const sent = await tasksByTitle(script);
      return lines.every((line) => sent.has(line));
    };
    await waitFor(areSent);
    await visit(path);
    await showsTitles(page, ...lines);
  }
});

test.serial('several tasks keep their order when they are moved; the next row has the focus', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/inbox');
  await addByKeys(page, titles.join('\n'));
  await waitFor(async () => (await tasksByTitle(script)).size === titles.length);
  await rowOf(page, 'First').focus();
  await press(page, 'x', 'Shift+ArrowDown', 'm');
  await page.getByRole('dialog').locator('input:focus').waitFor();
  await page.keyboard.insertText('Someday');
  await press(page, 'Enter');
  await showsTitles(page, ...titles.slice(2));
  await rowOf(page, 'Third').and(page.locator(':focus')).waitFor();
  await page.getByRole('region', { name: 'Selected tasks' }).waitFor({ state: 'detached' });
  const filed = async () =>
    [...(await tasksByTitle(script)).values()].filter(({ list }) => list === 'someday');
  await waitFor(async () => (await filed()).length === 2);
  await visit('/app/someday');
  await showsTitles(page, 'First', 'Second');
});

test.serial('a toast is whole, above the whole bar of the selection, also beside an open task', async (t) => {
  const { page, visit } = await openApp(t);
  for (const width of [1100, 820, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await visit('/app/');
    await addByKeys(page, `Stay ${width}\nLeave ${width}`);
    if (width > 719) await rowOf(page, `Stay ${width}`).getByText('Stay').click();
    await rowOf(page, `Leave ${width}`).focus();
    await press(page, 'x');
    const bar = page.getByRole('region', { name: 'Selected tasks' });
    await bar.waitFor();
    await addByKeys(page, `${'Unbreakable'.repeat(20)} tomorrow`);
    const toast = page.locator('.toast', { hasText: 'Unbre…” for tomorrow' });
    await toast.waitFor();
    const [toastBox, barBox] = await Promise.all([toast.boundingBox(), bar.boundingBox()]);
    const [left, bottom] = [toastBox?.x ?? -1, (toastBox?.y ?? 0) + (toastBox?.height ?? 0)];
    t.true(left >= 0 && left + (toastBox?.width ?? 0) <= width, 'beside the window');
    t.true(bottom <= (barBox?.y ?? 0), 'over the bar');
    const last = await bar.getByRole('button', { name: 'End the selection' }).boundingBox();
    const end = (barBox?.x ?? 0) + (barBox?.width ?? 0);
    t.true((last?.x ?? end) + (last?.width ?? 0) <= end, 'the bar is cut off');
    await bar.getByRole('button', { name: 'Plan' }).click({ trial: true, timeout: 5_000 });
    await toast.getByRole('button', { name: 'Undo' }).click();
  }
});

test.serial('a task with a date is never called «Someday», and Someday does not hold it', async (t) => {
  const { page, script, visit } = await openApp(t);
  const today = new Date().toISOString().slice(0, 10);
  const dates = ['2020-01-01', today, '2099-01-05'];
  const tasks = [];
  for (const dueDate of dates)
    tasks.push(await makeTask(script, { title: `Errand ${dueDate}`, dueDate, list: 'someday' }));
  await makeTask(script, { title: 'Learn to juggle', list: 'someday' });
  const someday = page.getByRole('main').getByText('Someday');
  for (const path of ['', 'upcoming', 'anytime', 'inbox']) {
    await visit(`/app/${path}`);
    t.is(await someday.count(), 0, path);
  }
  for (const { id, title } of tasks) {
    await visit(`/app/?task=${id}`);
    const panel = page.getByRole('complementary', { name: title });
    await panel.getByText('Planned').first().waitFor();
    t.is(await panel.getByText('Someday').count(), 0);
  }
  await visit('/app/someday');
  await page.getByRole('row', { name: 'Learn to juggle' }).waitFor();
  t.is(await page.locator('[data-row]').count(), 1);
  await press(page, 'g', 't');
  await rowOf(page, `Errand ${today}`).focus();
  await press(page, 'm');
  await page.getByRole('combobox').fill('Someday');
  await press(page, 'Enter', 'g', 's');
  await showsTitles(page, 'Learn to juggle', `Errand ${today}`);
});

test.serial('the row with the focus is never below a bar; on paper the list stands alone', async (t) => {
  // A window of 1280 × 800 at 200 %.
  const app = await openApp(t, { view: { width: 640, height: 400, colorScheme: 'light' } });
  const { page, script } = app;
  for (let at = 1; at <= 12; at += 1) await makeTask(script, { title: `Task ${at}.` });
  await app.visit('/app/inbox');
  await rowOf(page, 'Task 12.').focus();
  const bottomOfFocus = async () => {
    const box = await page.locator('[data-row]:focus').boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  const tabs = await page.locator('.tabbar').boundingBox();
  for (let at = 2; at <= 12; at += 1) {
    await press(page, 'j');
    t.true((await bottomOfFocus()) <= (tabs?.y ?? 0));
  }
  await press(page, 'x');
  const bar = page.getByRole('region', { name: 'Selected tasks' });
  await waitFor(async () => (await bottomOfFocus()) <= ((await bar.boundingBox())?.y ?? 0));

  await page.emulateMedia({ media: 'print' });
  for (const part of ['.tabbar', '.selection-bar', '.bar'])
    t.false(await page.locator(part).first().isVisible(), part);
  t.is(await page.evaluate("getComputedStyle(document.querySelector('.page')).overflowY"), 'visible');
});

test.serial('on paper a list of many tasks is there in full', async (t) => {
  const { page, person, visit } = await openApp(t);
  await insertTasks(stack, person, 250);
  await visit('/app/inbox');
  const rows = page.locator('[data-row]');
  await gesturesThere(page);
  t.true((await rows.count()) < 250);
  // Firefox copies the page right after this event.
  const printed = `dispatchEvent(new Event('beforeprint')), document.querySelectorAll('[data-row]').length`;
  t.is(await page.evaluate(printed), 250);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await waitFor(async () => (await rows.count()) < 250);
});

test.serial('on paper a long title is there in full, and what is done has its tick', async (t) => {
  const { page, script, visit } = await openApp(t);
  const title = 'Sweep all the chimneys of the street '.repeat(9);
  await makeTask(script, { title, checklist: [{ title: 'Broom', completed: true }] });
  await visit('/app/inbox');
  const row = page.locator('[data-row] .t');
  const isCut = () => row.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  t.true(await isCut());
  await row.click();
  await page.locator('.detail .c.on').waitFor();
  await page.emulateMedia({ media: 'print' });
  const inks = "getComputedStyle(document.querySelector('.detail .c.on')).webkitPrintColorAdjust";
  t.is(await page.evaluate(inks), 'exact');
  await page.emulateMedia({ media: 'screen' });
  await press(page, 'Escape');
  await page.locator('.detail').waitFor({ state: 'detached' });
  await page.emulateMedia({ media: 'print' });
  t.false(await isCut());
});
