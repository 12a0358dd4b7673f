import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { accessibilityFaults } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
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
  tasksByTitle,
  waitFor,
} from './page-steps.ts';

const { stack, openApp } = await startApp(test);

const today = Temporal.Now.plainDateISO('UTC').toString();
const tomorrow = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();

test.serial('a task of a script appears by itself, with its actor, count and a polite message', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/');
  const said = await listen(page);
  // The actor goes three seconds later.
  const actor = page.locator('.row', { hasText: 'Compare three offers' }).locator('.who-did');
  await Promise.all([
    actor.filter({ hasText: 'Nightly script' }).waitFor(),
    makeTask(script, { title: 'Compare three offers', dueDate: today }),
  ]);
  await page.locator('.strip', { hasText: 'Nightly script added 1 task' }).waitFor();
  await page
    .getByRole('link', { name: /^Today.*1/ })
    .first()
    .waitFor();
  await waitFor(async () => (await said()).length > 0);
  t.deepEqual(
    (await said()).filter((text) => text.includes('Nightly script')),
    ['Nightly script added 1 task'],
  );
  // It was in view for long enough.
  await actor.waitFor({ state: 'detached' });
});

test.serial('a trashed project comes back with its tasks, if the plan has room', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Garden in spring' });
  for (const title of ['Dig', 'Sow']) await makeTask(script, { title, projectId: project.id });
  await script.delete(`/projects/${project.id}`);
  await visit('/app/trash');
  const record = page.locator('.record', { hasText: 'Garden in spring' });
  await record.getByText('with 2 tasks').waitFor();
  await record.getByRole('button', { name: /^Restore/ }).click();
  await record.waitFor({ state: 'detached' });
  await waitFor(async () => (await tasksByTitle(script)).get('Dig')?.inTrash === false);

  await script.delete(`/projects/${project.id}`);
  for (let count = 0; count < 5; count += 1) await makeProject(script, { title: `Project ${count}` });
  await visit('/app/trash');
  await record.getByRole('button', { name: /^Restore/ }).click();
  await page.getByRole('heading', { name: 'Five projects are the limit of the free plan' }).waitFor();
  await page.getByRole('button', { name: 'Show my projects' }).click();
  const { body } = await script.get<{ items: unknown[] }>('/projects?status=active');
  t.is(body.items.length, 5);
});

/** Types on as soon as the field has gone and something else has the focus. */
const typeOn = `
  new Promise((resolve) => {
    const type = () => {
      for (const key of ' rest d')
        document.activeElement
          .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      resolve();
    };
    const look = () => {
      const isGone = document.querySelector('input.rename, h2 input') === null;
      if (isGone && document.activeElement !== document.body) type();
      else requestAnimationFrame(look);
    };
    look();
  })`;

test.serial('letters act on no row when what they were meant for goes; they are saved or told', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Garden' });
  const section = await makeSection(script, project.id, { title: 'Beds' });
  const names = ['One', 'Two', 'Three', 'Four'];
  const tasks = await Promise.all(names.map((title) => makeTask(script, { title, projectId: project.id })));
  const idOf = (title: string) => tasks[names.indexOf(title)]?.id;
  await visit(`/app/project/${project.id}`);
  const said = await listen(page);

  await rowOf(page, 'One').focus();
  await press(page, 'r');
  await page.keyboard.insertText('One, typed');
  const typed = page.evaluate(typeOn);
  await script.post(`/tasks/${idOf('One')}/complete`);
  await typed;
  await waitFor(
    async () => (await script.get<{ title: string }>(`/tasks/${idOf('One')}`)).body.title === 'One, typed',
  );

  await page.getByRole('button', { name: 'Actions for Beds' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.keyboard.insertText('Lawn');
  const typedAgain = page.evaluate(typeOn);
  await script.delete(`/projects/${project.id}/sections/${section.id}`);
  await typedAgain;
  await page.getByText('“Lawn” was not saved').waitFor();

  await rowOf(page, 'Two').focus();
  const gone = page.evaluate(
    typeOn.replace("querySelector('input.rename, h2 input')", `querySelector('[data-row="${idOf('Two')}"]')`),
  );
  await script.post(`/tasks/${idOf('Two')}/complete`);
  await gone;
  await waitFor(async () => (await said()).includes('Two left the list.'));

  t.is(await page.getByRole('dialog').count(), 0);
  t.is(await page.getByRole('textbox').count(), 0);
  const { body } = await script.get<{ items: { title: string; status: string }[] }>(
    `/projects/${project.id}/tasks`,
  );
  t.deepEqual(
    body.items
      .filter(({ status }) => status === 'open')
      .map(({ title }) => title)
      .sort(),
    ['Four', 'Three'],
  );
});

test.serial('keys go on through tasks that a script has just added', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/inbox');
  for (const title of ['Third', 'Second', 'First']) await makeTask(script, { title });
  await showsTitles(page, 'First', 'Second', 'Third');
  const said = await listen(page);
  await rowOf(page, 'First').getByText('Nightly script').waitFor();
  await rowOf(page, 'First').focus();
  await press(page, 'o');
  await hasFocus(rowOf(page, 'Second'));
  await press(page, 'o');
  await showsTitles(page, 'Third');
  await press(page, 'Control+z');
  await showsTitles(page, 'Second', 'Third');
  t.false((await said()).some((text) => text.endsWith('left the list.')));
});

test.serial('at midnight the page moves on by itself and asks for nothing', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Of today', dueDate: today, description: 'Early' });
  await makeTask(script, { title: 'Of tomorrow', dueDate: tomorrow });
  await page.clock.install({ time: `${today}T23:59:30Z` });
  await visit('/app/');
  await showsTitles(page, 'Of today');
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const texts = page.waitForResponse('**/app/api/v1/rows');
  // Texts for offline come when the page has nothing else to do.
  await page.clock.fastForward(15_000);
  await texts;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.clock.fastForward(16_000);
  await showsTitles(page, 'Of today', 'Of tomorrow');
  await rowOf(page, 'Of today').getByText('Yesterday').waitFor();
  t.deepEqual(
    requests.filter((path) => path.startsWith('/app/api/') && !path.endsWith('/live')),
    [],
  );
});

test.serial('what was done «just now» is minutes old later, and still there if its undo fails', async (t) => {
  const { page, script, visit } = await openApp(t);
  await page.clock.install();
  await makeTask(script, { title: 'New' });
  await visit('/app/');
  const strip = page.locator('.strip', { hasText: 'Nightly script' });
  await strip.getByText('just now').waitFor();
  await page.clock.fastForward(150_000);
  await strip.getByText(/\d min\. ago/).waitFor();
  await page.route('**/app/api/v1/undo', (route) => route.fulfill({ status: 503, json: {} }));
  await strip.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.toast', { hasText: 'Not undone' }).waitFor();
  await strip.waitFor();
});

test.serial('another zone is another day on the open page, if the browser knows the zone', async (t) => {
  const { page, person, script, visit } = await openApp(t);
  const isLateInUtc = Temporal.Now.plainTimeISO('UTC').hour >= 11;
  const zone = isLateInUtc ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
  const there = Temporal.Now.plainDateISO(zone);
  await makeTask(script, { title: 'Of here', dueDate: today });
  await makeTask(script, { title: 'Of there', dueDate: there.toString() });
  await visit(isLateInUtc ? '/app/' : '/app/upcoming');
  const settings = createPageBrowser(stack.baseUrl);
  await settings.signIn(person);
  await settings.submit(await settings.get('/settings'), '/settings/timezone', { timezone: zone });
  if (isLateInUtc) await showsTitles(page, 'Of here', 'Of there');
  else await showsTitles(page, 'Of here');

  // A browser older than the zone takes the device's.
  await page.addInitScript(`Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
    construct(Format, [locale, options]) {
      if (options?.timeZone === '${zone}') throw new RangeError('Invalid time zone specified');
      return new Format(locale, options);
    },
  });`);
  await visit('/app/');
  await showsTitles(page, ...(isLateInUtc ? ['Of here'] : ['Of there', 'Of here']));
  const told = page.locator('.strip', { hasText: `does not know your time zone, ${zone}` });
  await told.getByRole('link', { name: 'Settings' }).waitFor();
  await told.getByRole('button', { name: 'Hide this' }).click();
  await told.waitFor({ state: 'detached' });
  await visit('/app/');
  await draggable(page);
  t.is(await told.count(), 0);
});

test.serial('what a script did is told on lists, and on the page of a project that it touched', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  await makeTask(script, { title: 'Dig', projectId });
  await visit('/app/inbox');
  await page.getByRole('button', { name: 'New project' }).click();
  await page.keyboard.type('Kitchen');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();
  const strip = page.locator('.strip', { hasText: 'Nightly script' });
  const goTo = async (name: string) => {
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  await goTo('Inbox');
  await strip.waitFor();
  await goTo('Kitchen');
  t.is(await strip.count(), 0);
  await goTo('Garden');
  await strip.waitFor();
});

test.serial('what others have just done is told where it moves no row', async (t) => {
  for (const width of [1280, 390, 320]) {
    const { page, script, visit } = await openApp(t, { view: { width, height: 800, colorScheme: 'light' } });
    await visit('/app/inbox');
    await addByKeys(page, 'Dig');
    const place = () => rowOf(page, 'Dig').boundingBox();
    await rowOf(page, 'Dig').waitFor();
    const before = await place();
    await makeTask(script, { title: 'Water the roses, the beds and all that is in pots', dueDate: today });
    const strip = page.locator('.strip', { hasText: 'Nightly script added 1 task' });
    await strip.getByRole('link', { name: 'Review' }).waitFor();
    t.deepEqual(await place(), before, String(width));
    t.true(((await strip.boundingBox())?.y ?? -1) >= 0, `cut off at ${width}`);
    await takePicture(page, `strip-${width}`);
    t.deepEqual(await accessibilityFaults(page), []);
  }
});

test.serial('a change that went back in part is partly undone; its button undoes the rest', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  const { id: sectionId } = await makeSection(script, projectId, { title: 'Beds' });
  for (const title of ['Dig', 'Sow']) await makeTask(script, { title, projectId, sectionId });
  await script.delete(`/projects/${projectId}/sections/${sectionId}`);
  await visit(`/app/project/${projectId}`);
  await rowOf(page, 'Dig').focus();
  await press(page, 'm');
  await page.getByRole('dialog').getByRole('combobox').fill('Inbox');
  await press(page, 'Enter');
  await page.locator('.toast', { hasText: 'Inbox' }).waitFor();
  await visit('/app/activity');
  const batch = page.locator('.batch', { hasText: 'Nightly script' });
  await batch.getByRole('button', { name: '2 more', exact: true }).click();
  await batch.getByRole('button', { name: /^Undo these 3: / }).click();
  await batch.getByText('· personal token · partly undone').waitFor();
  await batch.getByRole('button', { name: /^Undone: .* and 1 more$/ }).waitFor();
  await batch.getByText('Stays. It was changed since.').waitFor();
  await takePicture(page, 'activity-partly-undone');
  t.deepEqual(await accessibilityFaults(page), []);
  await page
    .getByRole('button', { name: /^Undo: You moved/ })
    .first()
    .click();
  await page.locator('.toast', { hasText: 'Undone: You moved' }).waitFor();
  await batch.getByRole('button', { name: 'Undo: moved “Dig”', exact: true }).click();
  await batch.getByRole('button', { name: /^Undone: .* and 2 more$/ }).waitFor();
  t.is((await tasksByTitle(script)).get('Dig')?.sectionId, sectionId);
});

test.serial('menus and the palette act on what they were opened for, as it was then', async (t) => {
  const { page, script, visit } = await openApp(t);
  const [dig, sow, rake] = await Promise.all(
    ['Dig', 'Sow', 'Rake'].map((title) => makeTask(script, { title })),
  );
  const read = async (task?: Task) => (await script.get<Task>(`/tasks/${task?.id}`)).body;
  const toast = page.locator('.toast');
  await visit('/app/inbox');
  await gesturesThere(page);
  await rowOf(page, 'Dig').click({ button: 'right' });
  const complete = page.getByRole('menuitem', { name: /^Complete/ });
  await complete.waitFor();
  await script.post(`/tasks/${dig?.id}/complete`);
  await rowOf(page, 'Dig').waitFor({ state: 'detached' });
  await complete.click();
  await showsTexts(toast, ['It was changed elsewhere meanwhile.']);
  t.is((await read(dig)).status, 'completed');

  await rowOf(page, 'Sow').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Rename/ }).waitFor();
  await script.post(`/tasks/${sow?.id}/move`, { list: 'someday' });
  await rowOf(page, 'Sow').waitFor({ state: 'detached' });
  await page.getByRole('menuitem', { name: /^Rename/ }).click();
  await showsTexts(toast, ['Sow left the list.']);

  await script.post(`/tasks/${sow?.id}/move`, { list: 'inbox' });
  await rowOf(page, 'Sow').focus();
  await press(page, 'Control+k');
  await page.keyboard.type('trash');
  await page.getByText('With “Sow”').waitFor();
  await script.post(`/tasks/${sow?.id}/complete`);
  await rowOf(page, 'Sow').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await showsTexts(toast.locator('span').first(), ['Moved “Sow” to the Trash']);
  t.false((await read(rake)).inTrash);

  const water = await makeTask(script, {
    title: 'Water',
    dueDate: today,
    recurrence: { frequency: 'daily' },
  });
  await visit(`/app/?task=${water.id}`);
  const panel = page.locator('.detail');
  await panel.getByText('Today').first().waitFor();
  await panel.getByRole('button', { name: 'More' }).click();
  await complete.waitFor();
  await script.post(`/tasks/${water.id}/complete`);
  await panel.getByText('Tomorrow').first().waitFor();
  await complete.click();
  await showsTexts(toast, ['It was changed elsewhere meanwhile.']);
  t.is((await read(water)).dueDate, tomorrow);
});

test.serial('a task that comes out of the Trash while a tab opens is kept on the device', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  await visit('/app/inbox');
  const { id } = await makeTask(script, { title: 'Sow' });
  await rowOf(page, 'Sow').waitFor();
  await script.delete(`/tasks/${id}`);
  await rowOf(page, 'Sow').waitFor({ state: 'detached' });

  // The tab that opens waits before it removes from the device what is in the Trash.
  const opening = await context.newPage();
  await opening.route('**/gate', async (route) => {
    await script.post(`/tasks/${id}/restore`);
    await rowOf(page, 'Sow').waitFor();
    await route.fulfill({ body: '' });
  });
  await opening.addInitScript(`{
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (...values) => {
      const request = open(...values);
      request.addEventListener('success', () => {
        const begin = request.result.transaction.bind(request.result);
        request.result.transaction = (stores, mode) => {
          if (stores === 'tasks' && mode === 'readwrite') passGate();
          return begin(stores, mode);
        };
      });
      return request;
    };
    function passGate() {
      const gate = new XMLHttpRequest();
      gate.open('GET', '/app/gate', false);
      gate.send();
      document.documentElement.dataset.gate = 'passed';
    }
  }`);
  await opening.goto(page.url());
  await opening.locator('[data-gate="passed"]').waitFor();
  await rowOf(opening, 'Sow').waitFor();
  for (const tab of [page, opening]) await tab.close();

  const later = await context.newPage();
  await later.route('**/changes?**', (route) => route.abort());
  await later.goto(page.url());
  await rowOf(later, 'Sow').waitFor();
});
