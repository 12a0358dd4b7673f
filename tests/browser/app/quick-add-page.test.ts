import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { examples } from '#tests/web-app/quick-add-examples.ts';
import { startApp } from './app-window.ts';
import { phone } from './finger.ts';
import { addByKeys, press, rowOf, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const { openApp } = await startApp(test);

test.serial('what is typed is read on the day of the account, whatever the device’s zone', async (t) => {
  const app = await openApp(t, {
    plan: 'premium',
    timezone: 'Europe/Berlin',
    device: { timezoneId: 'America/New_York', locale: 'en-GB' },
  });
  const { page, script } = app;
  const move = await makeProject(script, { title: 'Move to the new flat' });
  const papers = await makeSection(script, move.id, { title: 'Papers' });
  const report = await makeProject(script, { title: 'Quarterly report' });
  const names = new Map([
    [move.id, 'move'],
    [papers.id, 'papers'],
    [report.id, 'report'],
  ]);
  const sent: object[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().endsWith('/api/public/v1/tasks')) return;
    const body: object = JSON.parse(request.postData() ?? '', (_, value) => names.get(value) ?? value);
    // Without them the service takes the inbox, and no section.
    const said = Object.entries(body).filter(([, value]) => value !== null && value !== 'inbox');
    sent.push(Object.fromEntries(said));
  });
  // A Monday: ten o'clock in Berlin, four in New York.
  await page.clock.setFixedTime('2026-11-23T09:00:00Z');
  await app.visit('/app/inbox');
  await page.getByRole('link', { name: 'Quarterly report' }).waitFor();
  for (const [place, [text, body]] of examples.entries()) {
    await addByKeys(page, text);
    await waitFor(() => sent.length === place + 1, { what: text });
    t.deepEqual(sent[place], body, text);
  }
});

test.serial('by taps alone a task gets its day, and Escape leaves what was typed', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  const tomorrow = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
  const field = page.getByRole('dialog', { name: 'Add a task' }).getByLabel('Task, with its date');
  const date = page.getByRole('button', { name: 'Date', exact: true });
  const picker = page.getByRole('dialog', { name: 'When' });
  await visit('/app/inbox');
  for (const [title, text] of Object.entries({ Milk: 'Milk', Call: 'Call // the number' })) {
    await page.getByRole('button', { name: 'Add a task' }).last().tap();
    await page.keyboard.insertText(text);
    await date.tap();
    await page.keyboard.press('Escape');
    await picker.waitFor({ state: 'detached' });
    t.is(await field.inputValue(), text);
    await date.tap();
    await picker.getByRole('option', { name: 'Tomorrow' }).tap();
    await picker.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add task' }).tap();
    await waitFor(async () => (await tasksByTitle(script)).get(title)?.dueDate === tomorrow);
  }
  await page.getByRole('button', { name: 'Add a task' }).last().tap();
  await page.keyboard.insertText('Call on 3 Dec at 9:15');
  await page.getByRole('dialog').getByRole('status').getByText('3 Dec, 09:15').waitFor({ state: 'attached' });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await date.tap();
  await picker.getByRole('cell').getByRole('button').last().tap();
  await page.locator('dialog textarea:focus').first().waitFor();
  await page.keyboard.insertText('Dig');
  await page.getByRole('button', { name: 'Add task' }).tap();
  await waitFor(async () => ((await tasksByTitle(script)).get('Dig')?.dueDate ?? '') > tomorrow);
});

test.serial('by taps alone a task gets its list, its deadline and its repeat', async (t) => {
  const { page, script, visit } = await openApp(t, { ...phone, plan: 'premium' });
  const project = await makeProject(script, { title: 'Plant trees' });
  await visit('/app/inbox');
  await page.getByRole('button', { name: 'Add a task' }).last().tap();
  await page.keyboard.insertText('Dig');
  const chip = (name: string) => page.getByRole('button', { name, exact: true });
  const pick = async (name: string, option: string) => {
    await chip(name).tap();
    // On a weekend «Next weekend» is offered, too.
    await page.getByRole('option', { name: new RegExp(`^${option}\\b`) }).tap();
    await chip(name).waitFor({ state: 'detached' });
  };
  await pick('Repeat', 'Every weekday');
  await pick('Deadline', 'Next week');
  await pick('List', 'Plant trees');
  await takePicture(page, 'app-quick-add-picked');
  await page.getByRole('button', { name: 'Add task' }).tap();
  await waitFor(async () => (await tasksByTitle(script)).has('Dig'));
  const dug = (await tasksByTitle(script)).get('Dig');
  const today = Temporal.Now.plainDateISO('UTC');
  t.is(dug?.projectId, project.id);
  t.is(dug?.deadlineDate, today.add({ days: 8 - today.dayOfWeek }).toString());
  t.deepEqual([dug?.recurrence?.frequency, dug?.recurrence?.weekdays.length], ['weekly', 5]);
});

test.serial('tasks are added below the row with the focus, and at the end of a project', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script);
  await makeTask(script, { title: 'Last', projectId: project.id });
  await makeTask(script, { title: 'First', projectId: project.id });
  await visit(`/app/project/${project.id}`);
  await rowOf(page, 'First').focus();
  await press(page, 'Shift+n');
  await page.keyboard.insertText('Second\nThird');
  await page.getByRole('button', { name: 'Add 2 tasks' }).click();
  await showsTitles(page, 'First', 'Second', 'Third', 'Last');
  await page.getByRole('grid').getByRole('button', { name: 'Add a task' }).click();
  await page.keyboard.insertText('End');
  await press(page, 'Enter');
  await showsTitles(page, 'First', 'Second', 'Third', 'Last', 'End');
  await page.keyboard.press('Control+z');
  await showsTitles(page, 'First', 'Second', 'Third', 'Last');

  await makeTask(script, { title: 'Later', list: 'someday' });
  await makeTask(script, { title: 'Sooner', list: 'someday' });
  await visit('/app/someday');
  await rowOf(page, 'Sooner').focus();
  await press(page, 'Shift+n');
  await page.keyboard.insertText('Between');
  await press(page, 'Enter');
  await showsTitles(page, 'Sooner', 'Between', 'Later');
});

test.serial('dates are read in a browser that names no language', async (t) => {
  const { page, script, visit } = await openApp(t);
  await page.addInitScript(`navigator.__defineGetter__('language', () => 'C')`);
  await visit('/app/inbox');
  await addByKeys(page, 'Dig tomorrow');
  const tomorrow = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
  await waitFor(async () => (await tasksByTitle(script)).get('Dig')?.dueDate === tomorrow);
});

test.serial('what was typed and not added is there and selected the next time', async (t) => {
  const { page, script, visit } = await openApp(t, { device: { locale: 'en-PH' } });
  const grammar = Promise.withResolvers<void>();
  await page.route('**/english-grammar-*', async (route) => {
    await grammar.promise;
    await route.continue();
  });
  await visit('/app/inbox');
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Task' });
  const close = async () => {
    // Beside the dialog.
    await page.mouse.click(5, 5);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await press(page, 'n');
  await page.keyboard.insertText('Water the garden');
  await close();
  await press(page, 'n');
  t.is(await field.inputValue(), 'Water the garden');
  await page.keyboard.insertText('Dig 3/12');
  t.is(await field.inputValue(), 'Dig 3/12');
  await press(page, 'Control+Enter', 'Enter');
  t.is(await field.inputValue(), '');
  await page.keyboard.insertText('Sow');
  grammar.resolve();
  await waitFor(async () => (await tasksByTitle(script)).get('Dig')?.dueDate?.endsWith('-03-12'));
  t.is(await field.inputValue(), 'Sow');
  await visit('/app/inbox?add=Water');
  await field.waitFor();
  await press(page, 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).has('Water'));
  t.is((await tasksByTitle(script)).size, 2);
  await press(page, 'n');
  t.is(await field.inputValue(), 'Sow', 'in a page that was loaded anew, too');
  // Twice as many UTF-16 units: more than the limit of characters.
  const long = '🥛'.repeat(600);
  await page.keyboard.insertText(long);
  await press(page, 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).has(long));
  await press(page, 'n');
  t.is(await field.inputValue(), '');
});

test.serial('several lines say how many tasks they are; pasted mail is one task with notes', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/inbox');
  await press(page, 'n');
  const dialog = page.getByRole('dialog');
  const day = dialog.getByTitle('Make it plain text');
  await page.keyboard.insertText('Line 1 tomorrow // first');
  await day.waitFor();
  await page.keyboard.insertText('\nLine 2 on friday');
  await dialog.getByRole('button', { name: 'Add 2 tasks' }).waitFor();
  t.is(await day.count(), 0);
  t.is(await dialog.getByPlaceholder('first').count(), 0);
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('of both');
  await dialog.getByRole('button', { name: 'Add 2 tasks' }).click();
  const notesOf = async (title: string) => (await tasksByTitle(script)).get(title)?.description;
  await waitFor(async () => (await notesOf('Line 1')) === 'first\n\nof both');
  await waitFor(async () => (await notesOf('Line 2')) === 'of both');

  await waitFor(() =>
    page.evaluate(
      'performance.getEntriesByType("resource").some(({ name }) => name.includes("english-grammar"))',
    ),
  );
  await press(page, 'n');
  const mail = 'Subject: Re: The flat\nFrom: Ann\n\nPlease sign it.\n> > And call the notary.\n>\n--\nAnn';
  await page.keyboard.insertText(mail);
  await dialog.getByRole('button', { name: 'Add 3 tasks' }).waitFor();
  await dialog.getByRole('button', { name: 'Add one with notes' }).click();
  await waitFor(async () => (await notesOf('The flat')) === mail.replace(/^.*\n/, ''));
  await press(page, 'n');
  await page.keyboard.insertText('Call Ann\n> Please call.');
  await dialog.getByRole('button', { name: 'Add 2 tasks' }).waitFor();
  await press(page, 'Alt+Enter');
  await waitFor(async () => (await notesOf('Call Ann')) === '> Please call.');
  t.is((await tasksByTitle(script)).size, 4);
  await press(page, 'n');
  const many = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
  await dialog.getByRole('textbox').first().fill(many);
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const lines = await dialog
      .locator('.qa-text')
      .evaluate((text: { clientHeight: number }) => text.clientHeight / 28);
    t.is(lines, Math.round(lines), 'whole lines');
    const [sheet, button] = await Promise.all(
      [dialog, dialog.locator('.foot .btn').first()].map((part) => part.boundingBox()),
    );
    t.true((button?.x ?? 0) >= (sheet?.x ?? 0) + 20, 'a button has no room');
  }
});

test.serial('pasted lines that are ticked become done tasks, and one undo takes all back', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/inbox');
  await addByKeys(page, '- [ ] butter\n- [x] coffee\n- [X] tea');
  await page.getByText('Added 3 tasks, 2 of them done').waitFor();
  const titlesIn = async (view: string) => {
    const { body } = await script.get<{ items: Task[] }>(`/tasks?view=${view}`);
    return body.items.map(({ title }) => title).sort();
  };
  await waitFor(async () => (await titlesIn('logbook')).join() === 'coffee,tea');
  await showsTitles(page, 'butter');
  await press(page, 'Control+z');
  await showsTitles(page);
  await waitFor(async () => (await titlesIn('trash')).length === 3);
});

test.serial('lines that are a checklist are still one after they were put aside, until added', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/inbox');
  const dialog = page.getByRole('dialog');
  const open = async () => {
    await press(page, 'n');
    await dialog.locator('textarea:focus').waitFor();
  };
  await open();
  await page.keyboard.insertText('Trip');
  await dialog.getByRole('button', { name: 'Checklist' }).click();
  await dialog.getByRole('textbox', { name: 'checklist items on the next lines' }).waitFor();
  await dialog.getByText('Next item').waitFor();
  await page.keyboard.insertText('Map');
  await press(page, 'Enter');
  await page.keyboard.insertText('Tent');
  await press(page, 'Escape');
  await dialog.waitFor({ state: 'detached' });
  await open();
  await dialog.getByRole('button', { name: 'Add one with a checklist' }).waitFor();
  await press(page, 'Control+Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Trip')?.checklist.length === 2);
  await open();
  await page.keyboard.insertText('Call');
  await dialog.getByRole('button', { name: 'Checklist' }).click();
  await press(page, 'Backspace', 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).has('Call'));
  t.is((await tasksByTitle(script)).size, 2);
});

test.serial('a task that goes elsewhere than the screen says where', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Garden' });
  const says = (text: string) =>
    page.locator('.toast', { hasText: new RegExp(`${text}$|${text}Undo`) }).waitFor();
  await visit(`/app/project/${project.id}`);
  await addByKeys(page, 'Prune the tree someday');
  await says('Added “Prune the tree” to Someday');
  await visit('/app/upcoming');
  await addByKeys(page, 'Buy a saw');
  await says('Added “Buy a saw” to the Inbox');
  await addByKeys(page, 'Sharpen it tomorrow');
  await says('Added “Sharpen it” for tomorrow');
  await visit('/app/inbox');
  await addByKeys(page, 'Buy gloves');
  await says('Added “Buy gloves”');
  await waitFor(async () => (await tasksByTitle(script)).size === 4);
});

test.serial('chips say that no reminder is sent, that its time is past, and a project’s area', async (t) => {
  const { page, script, visit } = await openApp(t, { timezone: 'Europe/Berlin' });
  const area = await makeArea(script, { title: 'Garden' });
  const { id: projectId } = await makeProject(script, { title: 'Plant trees', areaId: area.id });
  await page.clock.setFixedTime('2026-11-23T09:00:00Z');
  await visit('/app/inbox');
  await page.getByRole('link', { name: 'Plant trees' }).waitFor();
  const dialog = page.getByRole('dialog');
  await press(page, 'n');
  await page.keyboard.insertText('Call Ann today 9:30');
  await dialog.getByRole('button', { name: '09:30 has passed' }).waitFor();
  await dialog.getByText('Turn them on').waitFor();
  await page.keyboard.insertText(' 10:30');
  await dialog.getByRole('button', { name: '10:30', exact: true }).waitFor();
  await page.keyboard.insertText(' #gar');
  await page.getByRole('option', { name: 'New project “gar”' }).waitFor();
  await press(page, 'ArrowDown', 'Enter');
  await dialog.getByRole('button', { name: 'Plant trees' }).waitFor();
  await press(page, 'Enter');

  // «#» alone offers all projects, and stays text when none is picked.
  await press(page, 'n');
  await page.keyboard.type('Dig #');
  await page.getByRole('option', { name: 'Plant trees' }).waitFor();
  await press(page, 'ArrowDown', 'Enter');
  await dialog.getByRole('button', { name: 'Plant trees' }).waitFor();
  await press(page, 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Dig')?.projectId === projectId);
  await press(page, 'n');
  await page.keyboard.type('Buy size #');
  await page.getByRole('option', { name: 'Plant trees' }).waitFor();
  await press(page, 'Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Buy size #')?.projectId === null);
  t.pass();
});

test.serial('where a window is as low as at 400 %, no chip with the focus is below the button', async (t) => {
  const { page, visit } = await openApp(t, { view: { width: 320, height: 256, colorScheme: 'light' } });
  await visit('/app/inbox');
  await press(page, 'n');
  await page.locator('dialog textarea:focus').waitFor();
  await page.keyboard.insertText('Water tomorrow 9:00 every week');
  await page.getByRole('button', { name: 'Weekly' }).waitFor();
  const chips = await page.locator('.qa-chips button').all();
  t.true(chips.length > 4);
  for (const chip of chips) {
    await chip.focus();
    const isInView = `{
      const { x, y, width, height } = document.activeElement.getBoundingClientRect();
      document.activeElement.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }`;
    t.true(await page.evaluate(isInView), await chip.innerText());
  }
});

test.serial('of many lines those are shown that the field holds there', async (t) => {
  const { page, visit } = await openApp(t);
  await visit('/app/inbox');
  await press(page, 'n');
  const field = page.locator('dialog textarea:focus');
  await field.waitFor();
  await page.keyboard.insertText(Array.from({ length: 50 }, (_, line) => `Row ${line}`).join('\n'));
  await page.getByRole('button', { name: 'Add 50 tasks' }).waitFor();
  const heightOf = async (element: typeof field) => (await element.boundingBox())?.height;
  t.is(await heightOf(field), await heightOf(page.locator('dialog .mirror')));
});

test.serial('a time that is added right behind midnight is one of the new day', async (t) => {
  const { page, script, visit } = await openApp(t);
  const day = Temporal.Now.plainDateISO('UTC');
  await page.clock.install({ time: `${day}T23:59:50Z` });
  await visit('/app/inbox');
  await press(page, 'n');
  await page.keyboard.insertText('Call 9:15');
  await page.locator('.tok', { hasText: '9:15' }).waitFor();
  const next = day.add({ days: 1 }).toString();
  await page.clock.setSystemTime(`${next}T00:00:01Z`);
  await page.keyboard.press('Enter');
  const added = await waitFor(async () => (await tasksByTitle(script)).get('Call'));
  t.is(added.dueDate, next);
});

test.serial('of lists with one name that is taken which was picked', async (t) => {
  const { page, script, visit } = await openApp(t);
  const projectIn = async (title: string) =>
    makeProject(script, { title: 'Client work', areaId: (await makeArea(script, { title })).id });
  const projects = { North: await projectIn('North'), South: await projectIn('South') };
  await visit('/app/inbox');
  for (const [area, { id }] of Object.entries(projects)) {
    await press(page, 'n');
    await page.keyboard.insertText(`Call ${area} #`);
    await page.getByRole('option', { name: area }).click();
    await press(page, 'Enter');
    await waitFor(async () => (await tasksByTitle(script)).get(`Call ${area}`)?.projectId === id);
  }
});
