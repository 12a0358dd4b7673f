import test from 'ava';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { accessibilityFaults } from '#tests/support/shown-page.ts';
import { startApp } from './app-window.ts';
import { phone } from './finger.ts';
import { listen, press, rowOf, showsTexts, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const { openApp } = await startApp(test);

const today = new Date().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
const daily = { frequency: 'daily', interval: 3 } as const;

test.serial('an occurrence is skipped by key or menu, and taken back', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Once', dueDate: today });
  await makeTask(script, { title: 'Water', dueDate: today, recurrence: daily });
  const dueDate = async () => (await tasksByTitle(script)).get('Water')?.dueDate;
  await visit('/app');
  await showsTitles(page, 'Once', 'Water');
  await rowOf(page, 'Water').focus();
  await press(page, 'Shift+S');
  await page.getByText('Skipped “Water” this time. Next on').waitFor();
  await showsTitles(page, 'Once');
  t.is(await dueDate(), inDays(3));
  await page.keyboard.press('Control+z');
  await showsTitles(page, 'Once', 'Water');
  await waitFor(async () => (await dueDate()) === today);

  await press(page, 'Shift+S');
  await page.getByText('Only a task that repeats can be skipped.').waitFor();
  await rowOf(page, 'Once').click({ button: 'right' });
  t.is(await page.getByRole('menuitem', { name: 'Skip this time' }).count(), 0);
  await page.keyboard.press('Escape');
  await rowOf(page, 'Water').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Skip this time' }).click();
  await showsTitles(page, 'Once');
  await waitFor(async () => (await dueDate()) === inDays(3));

  await makeTask(script, { title: 'Last', dueDate: today, recurrence: { ...daily, until: today } });
  await rowOf(page, 'Last').focus();
  await press(page, 'Shift+S');
  await page.getByText('There is no next one: the task is cancelled.').waitFor();
});

test.serial('a completed repeat is announced once; of several the toast goes on to tell all', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Water', 'Air', 'Sweep'])
    await makeTask(script, { title, dueDate: today, recurrence: { frequency: 'daily' } });
  await visit('/app');
  await rowOf(page, 'Water').focus();
  const said = await listen(page);
  await press(page, 'Space');
  await page.locator('.toast', { hasText: 'Completed “Water”. Next tomorrow' }).waitFor();
  t.deepEqual(
    (await said()).filter((text) => /Water|Next/.test(text)).map((text) => text.replace(/Undo.*/, '')),
    ['Completed “Water”', '. Next tomorrow'],
  );
  await press(page, 'Control+a', 'Space');
  const upcoming = () => script.get<{ items: unknown[] }>('/tasks?view=upcoming');
  await waitFor(async () => (await upcoming()).body.items.length === 3);
  await page.getByRole('link', { name: 'Upcoming' }).click();
  await showsTitles(page, 'Water', 'Air', 'Sweep');
  t.regex(await page.locator('.toast').innerText(), /^Completed 2 tasks\s*Undo/);
});

test.serial('a rule is put together by hand, with and without an end; what is no rule is told', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Report', dueDate: today });
  const rule = async () => (await tasksByTitle(script)).get('Report')?.recurrence;
  await visit('/app');
  await rowOf(page, 'Report').focus();
  await press(page, 'Shift+R');
  const dialog = page.getByRole('dialog', { name: 'Repeat' });
  await dialog.getByLabel('Every').press('Backspace');
  await page.keyboard.type('2');
  await dialog.getByLabel('Unit').selectOption('months');
  await dialog.getByLabel('Day of the month').selectOption('on the last');
  await dialog.getByLabel('Weekday').selectOption('Friday');
  // The browser says that the year has a digit too many.
  await dialog.getByLabel('Until').fill(`1${inDays(400)}`);
  await dialog.getByRole('button', { name: 'Set' }).click();
  await dialog.getByLabel('Until').and(page.locator(':focus')).waitFor();
  await dialog.getByLabel('Until').fill(inDays(400));
  await dialog.getByRole('button', { name: 'Set' }).click();
  await waitFor(async () => (await rule()) !== null);
  t.like(await rule(), {
    frequency: 'monthly',
    interval: 2,
    weekdays: ['friday'],
    weekOfMonth: -1,
    until: inDays(400),
  });

  await rowOf(page, 'Report').focus();
  await press(page, 'Shift+R');
  await dialog.getByRole('combobox').and(page.locator(':focus')).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'Shift+R');
  await dialog.getByRole('option', { selected: true, name: 'Every 2 months on the last Friday' }).waitFor();
  await page.getByRole('combobox', { name: 'Repeat' }).fill('blah');
  await page.getByRole('status').getByText('Not a rule. Try “every 2 weeks” or “every mon, thu”.').waitFor();
  await page.getByRole('combobox', { name: 'Repeat' }).fill('');
  await dialog.getByRole('option', { name: 'Daily' }).click();
  await waitFor(async () => (await rule())?.frequency === 'daily');
  t.deepEqual(Object.keys((await rule()) ?? {}).sort(), [
    'frequency',
    'fromCompletion',
    'interval',
    'weekdays',
  ]);
});

const desktop = { view: { width: 1280, height: 900, colorScheme: 'light' } } as const;

test.serial('in a low window a sheet has all choices of a day, and nothing covers notes', async (t) => {
  const app = await openApp(t, { view: { width: 640, height: 400, colorScheme: 'light' } });
  const { page } = app;
  const task = await makeTask(app.script, { title: 'Water the plants' });
  await app.visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: /^When:/ }).click();
  await page.getByRole('option', { name: 'No date' }).waitFor();
  const hidden = `document.querySelector('.pal').scrollHeight - document.querySelector('.pal').clientHeight`;
  t.is(await page.evaluate<number>(hidden), 0);
  await app.visit('/app/inbox');
  await press(page, 'n');
  await page.getByRole('dialog').getByRole('button', { name: 'Add task' }).waitFor();
  await page.getByRole('textbox', { name: 'Notes' }).click();
});

test.serial('the calendar goes by keys to the ends of a week and the same day of other months', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Pay the rent', dueDate: '2027-01-31' });
  await visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: /^When:/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('table', { name: 'January 2027' }).waitFor();
  await dialog.locator('table button[tabindex="0"]').focus();
  const focused = () => page.locator(':focus').getAttribute('aria-label');
  const steps = [
    ['PageDown', '28 February 2027'],
    ['Home', '22 February 2027'],
    ['End', '28 February 2027'],
    ['PageUp', '28 January 2027'],
  ] as const;
  for (const [key, day] of steps) {
    await page.keyboard.press(key);
    await waitFor(async () => (await focused())?.endsWith(day) ?? false, { what: `${day} after ${key}` });
  }
});

test.serial('the calendar and the keys of days end with the year 9999', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Some day', dueDate: '9999-12-31' });
  await visit(`/app/upcoming?task=${task.id}`);
  await rowOf(page, 'Some day').focus();
  await page.keyboard.press('Control+]');
  await page.getByRole('button', { name: /^When:/ }).click();
  const month = page.getByRole('dialog').getByRole('table', { name: 'December 9999' });
  await month.locator('button[tabindex="0"]').focus();
  for (const key of ['ArrowRight', 'PageDown', 'End']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Next month' }).click();
  await showsTexts(month.locator('tbody tr').nth(4).locator('button'), ['27', '28', '29', '30', '31']);
  await month.locator('button', { hasText: '30' }).last().click();
  await waitFor(async () => (await tasksByTitle(script)).get('Some day')?.dueDate === '9999-12-30');
  t.pass();
});

test.serial('the palette shows what has that very name before all that only mention it', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeProject(script, { title: 'Quarterly report' });
  await makeTask(script, { title: 'Write the outlook', description: 'Of the next quarter' });
  for (const number of '12345678') await makeTask(script, { title: `Call number ${number}` });
  await makeTask(script, { title: 'Call' });
  await visit('/app/inbox');
  await press(page, 'Control+k');
  const field = page.getByRole('combobox', { name: 'Search or do' });
  await field.fill('call');
  await showsTexts(page.locator('[role="option"][aria-selected="true"] .cut').first(), ['Call']);

  // What is pasted stays within it; what is too long finds nothing.
  await field.fill('W'.repeat(20_000));
  const nothing = page.getByRole('dialog').getByText('Nothing found for “WWW');
  await nothing.first().waitFor();
  await page.getByRole('button', { name: /Add “W+…” as a task/ }).waitFor();
  const wide = await page.evaluate(`[...document.querySelectorAll('dialog, .pal, .foot')]
      .filter((each) => each.scrollWidth > each.clientWidth).map(({ className }) => className)`);
  t.deepEqual(wide, []);

  await field.fill('quart');
  await page
    .getByRole('group', { name: 'Tasks' })
    .getByRole('option', { name: 'Write the outlook' })
    .waitFor();
  await page.getByRole('status').getByText('2 choices').waitFor();
  await press(page, 'Enter');
  await page.getByRole('heading', { level: 1, name: 'Quarterly report' }).waitFor();
});

test.serial('the palette finds what Settings have by the words that people type', async (t) => {
  const { page, visit } = await openApp(t);
  await visit('/app/inbox');
  await press(page, 'Control+k');
  const field = page.getByRole('combobox', { name: 'Search or do' });
  const commands = page.getByRole('group', { name: 'Commands' }).getByRole('option');
  const found = {
    'log out': 'Sign out (in Settings)',
    'sign out': 'Sign out (in Settings)',
    settings: 'Settings',
    backup: 'Export or import',
    shortcuts: 'All keys',
    'dark mode': 'Light or dark',
    reminders: 'Reminders and digest',
  };
  for (const [typed, command] of Object.entries(found)) {
    await field.fill(typed);
    await commands.filter({ hasText: command }).first().waitFor();
  }
  // Leaves the page, so nothing is there to wait for in it.
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/reminders');
});

test.serial('app and sign-in are as light or dark in this browser as Settings have it', async (t) => {
  const { page, visit } = await openApp(t);
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await visit('/app/inbox');
  const light = await ground();
  await press(page, 'Control+k');
  await page.keyboard.insertText('dark mode');
  await page.getByRole('option', { name: 'Light or dark' }).click();
  await page.getByLabel('Appearance').selectOption('Dark');
  await page.locator('#appearance').getByRole('button').click();
  await page.getByText('Saved for this browser.').waitFor();
  t.deepEqual(await accessibilityFaults(page), []);
  await visit('/app/inbox');
  const dark = await ground();
  t.not(dark, light);
  t.is(await page.locator('meta[media="all"]').getAttribute('content'), '#121316');
  await page.emulateMedia({ media: 'print' });
  t.is(await ground(), light, 'on paper');
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  t.is(await ground(), dark);
});

test.serial('a typed day shows in the calendar, its time in the field, and both in the toast', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Call', dueDate: today, reminderTime: '10:30' });
  await visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: /^When:/ }).click();
  const dialog = page.getByRole('dialog', { name: 'When' });
  await dialog.getByRole('combobox').fill('3 Feb 2099 9am');
  const table = dialog.getByRole('table', { name: 'February 2099' });
  await table.getByRole('button', { name: 'Tue 3 February 2099', pressed: true }).waitFor();
  t.is(await dialog.getByLabel('Reminder').inputValue(), '09:00');
  await page.keyboard.press('Enter');
  await page.getByText('Planned “Call” for 3 Feb 2099, 09:00').waitFor();

  await page.getByRole('button', { name: /^When:/ }).click();
  await dialog.getByLabel('Reminder').fill('18:15');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^When:/ }).click();
  t.is(await dialog.getByLabel('Reminder').inputValue(), '09:00', 'Escape discards what was typed');
  await dialog.getByRole('combobox').fill('today 00:00');
  await dialog.getByRole('option', { name: '00:00 has passed' }).waitFor();
  await dialog.getByRole('combobox').fill('');
  await dialog.getByLabel('Reminder').fill('18:15');
  await page.keyboard.press('Enter');
  await page.getByText('Set the reminder of “Call” to 18:15').waitFor();
});

test.serial('the picker of lists finds what is there, by its area, too, and makes the rest', async (t) => {
  const { page, script, visit } = await openApp(t);
  const home = await makeArea(script, { title: 'At home' });
  const garden = await makeProject(script, { title: 'Garden', areaId: home.id });
  await makeProject(script, { title: 'Website' });
  const task = await makeTask(script, { title: 'Dig' });
  await visit(`/app/inbox?task=${task.id}`);
  await page.getByRole('button', { name: 'List: Inbox' }).click();
  const field = page.getByRole('combobox', { name: 'Move to' });
  await field.fill('at HOME');
  const found = page.getByRole('option');
  await waitFor(async () => (await found.count()) === 2);
  t.regex(await found.first().innerText(), /Garden\s+At home/);
  await page.keyboard.press('Enter');
  await waitFor(async () => (await tasksByTitle(script)).get('Dig')?.projectId === garden.id);
  await page.getByRole('button', { name: 'List: Garden' }).click();
  await field.fill('garden');
  await page.getByRole('option', { name: 'Garden' }).waitFor();
  t.is(await page.getByRole('option').count(), 1);
  await field.fill('Garden shed');
  await page.getByRole('option', { name: 'New project “Garden shed”' }).click();
  await page.getByText('Moved “Dig” to Garden shed').waitFor();
  await page.getByRole('link', { name: 'Garden shed' }).click();
  await page.getByRole('heading', { level: 1, name: 'Garden shed' }).waitFor();
  await showsTitles(page, 'Dig');
});

for (const [name, options] of Object.entries({ desktop, phone })) {
  test.serial(`at the limits of the free plan projects and areas are shown: ${name}`, async (t) => {
    const { page, script, visit } = await openApp(t, options);
    for (const title of ['Home', 'Work']) await makeArea(script, { title });
    for (let count = 1; count <= 5; count += 1) await makeProject(script, { title: `Project ${count}` });
    const dialog = page.getByRole('dialog');
    const add = async (kind: string) => {
      await visit('/app/lists');
      await page.getByRole('main').getByRole('button', { name: kind }).click();
      await page.keyboard.type('One more');
      await page.keyboard.press('Enter');
      await dialog.waitFor();
    };
    const shown = page.getByRole('main').getByRole('link');
    await add('New project');
    await dialog.getByText('“One more” was not accepted.').waitFor();
    await dialog.getByRole('link', { name: 'Your plan' }).waitFor();
    t.is(await page.locator('h1').first().innerText(), 'Inbox', 'behind it is no screen of what is refused');
    t.is(await page.getByText('Added “One more”').count(), 0);
    t.deepEqual(await dialog.getByRole('button').allInnerTexts(), [
      'Keep it as a task',
      'Show my projects',
      'Close',
    ]);
    await dialog.getByRole('button', { name: 'Show my projects' }).click();
    await page.waitForURL('**/app/lists');
    await shown.getByText('Project 5').waitFor();
    await add('New area');
    t.deepEqual(await dialog.getByRole('button').allInnerTexts(), ['Show my areas', 'Close']);
    await dialog.getByRole('button', { name: 'Show my areas' }).click();
    await shown.getByText('Work').waitFor();
    t.is(await dialog.count(), 0);
    await add('New project');
    await dialog.getByRole('button', { name: 'Keep it as a task' }).click();
    await showsTitles(page, 'One more');
    const strip = page.locator('.strip', { hasText: '“One more”' });
    await strip.getByRole('link', { name: 'Your plan' }).click();
    await page.getByRole('heading', { name: 'Your plan: Free' }).waitFor();
  });
}

test.serial(
  'the days that a date picker offers are in order; of weekends the coming one, on a weekend the next one',
  async (t) => {
    const { page, script, visit } = await openApp(t);
    await makeTask(script, { title: 'Sort photos', list: 'inbox' });
    for (const [day, later] of [
      ['2026-11-27', ['This weekend Sat 28 Nov', 'Next week Mon 30 Nov']],
      ['2026-11-28', ['Next week Mon 30 Nov', 'Next weekend Sat 5 Dec']],
      ['2026-11-29', ['Next week Mon 30 Nov', 'Next weekend Sat 5 Dec']],
    ] as const) {
      await page.clock.setFixedTime(`${day}T12:00:00Z`);
      await visit('/app/inbox');
      await rowOf(page, 'Sort photos').focus();
      await press(page, 's');
      const choices = await page.getByRole('option', { name: 'week' }).allInnerTexts();
      t.deepEqual(
        choices.map((choice) => choice.replace(/\s+/g, ' ')),
        later,
      );
    }
  },
);

test.serial('a list is found without its accents, and its letters are marked', async (t) => {
  const { page, script, visit } = await openApp(t);
  // M̃ is a letter and a mark in both normal forms.
  await makeProject(script, { title: 'İm̃ & Bürom̃ 한글' });
  await makeTask(script, { title: 'Milk' });
  await visit('/app/inbox');
  await rowOf(page, 'Milk').focus();
  for (const opening of ['m', '/']) {
    await press(page, opening);
    const found = page.getByRole('option', { name: /^İm̃ & / });
    for (const [query, marked] of [
      ['burom', 'Bürom̃'],
      ['글', '글'],
    ] as const) {
      await page.getByRole('combobox').fill(query);
      await found.locator('b', { hasText: new RegExp(`^${marked}$`, 'u') }).waitFor();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  t.pass();
});
