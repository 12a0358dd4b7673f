import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { phone } from './finger.ts';
import {
  addByKeys,
  draggable,
  goOffline,
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

test.serial('the Logbook opens closed projects, without an area too, the newest closing first', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const home = await makeArea(script, { title: 'Home' });
  const [attic, trashed, garden] = [
    await makeProject(script, { title: 'Attic', areaId: home.id }),
    await makeProject(script, { title: 'Trashed' }),
    await makeProject(script, { title: 'Garden' }),
  ];
  await makeProject(script, { title: 'Active' });
  for (const { id } of [garden, trashed, attic])
    await script.post(`/projects/${id}/complete`, { completeChildTasks: true });
  await script.delete(`/projects/${trashed.id}`);
  await visit('/app/logbook');
  const button = page.getByRole('button', { name: 'Closed projects 2' });
  await button.click();
  const closed = page.getByRole('list', { name: 'Closed projects' }).getByRole('listitem');
  t.deepEqual(await closed.allInnerTexts(), ['Attic\ntoday', 'Garden\ntoday']);
  await closed.getByRole('link', { name: 'Garden' }).click();
  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  await page.locator('.p-head').getByText('Completed').waitFor();
  t.is(await page.getByRole('heading', { name: 'Notes' }).count(), 0);
  await page.getByRole('button', { name: 'Reopen Garden' }).click();
  await visit('/app/logbook');
  await page.getByRole('button', { name: 'Closed projects 1' }).waitFor();
});

test.serial('what leaves Logbook or Trash hands on the focus; an open task returns it', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    const { id } = await makeTask(script, { title });
    await script.post(`/tasks/${id}/complete`);
  }
  for (const title of ['Five', 'Six']) {
    const { id } = await makeTask(script, { title });
    await script.delete(`/tasks/${id}`);
  }
  const { id } = await makeProject(script, { title: 'Garden' });
  await script.delete(`/projects/${id}`);
  await visit('/app/logbook');
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  const title = (name: string) => page.getByRole('link', { name, exact: true });
  const restore = (name: string) => page.getByRole('button', { name: `Restore ${name}` });
  await box('Two').focus();
  // Before the first has left the list.
  await page.evaluate('for (const _ of "12") document.activeElement.click()');
  await hasFocus(box('Three'));
  await showsTexts(page.locator('.record .t'), ['Four', 'Three']);
  await title('Three').focus();
  await press(page, 'Enter');
  await hasFocus(page.locator('.detail'));
  await press(page, 'Escape');
  await hasFocus(title('Three'));

  await page.getByRole('link', { name: 'Trash' }).click();
  await restore('Garden').focus();
  await press(page, 'Enter');
  await hasFocus(restore('Six'));
  await press(page, 'Enter');
  await hasFocus(restore('Five'));
  await press(page, 'Shift+Tab', 'Enter');
  await hasFocus(page.locator('.detail'));
  await press(page, 'Escape');
  await hasFocus(title('Five'));
  await press(page, 'Tab', 'Enter');
  await hasFocus(page.getByRole('heading', { level: 1, name: 'Trash' }));
});

test.serial('a task whose project is in the Trash is not reopened, and says why', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Garden' });
  const task = await makeTask(script, { title: 'Dig', projectId: project.id });
  await script.post(`/tasks/${task.id}/complete`);
  await script.delete(`/projects/${project.id}`);
  await visit('/app/logbook');
  await page.getByRole('checkbox', { name: 'Dig' }).click();
  await page.getByText('Not reopened: “Dig”. The project is closed or in the Trash').waitFor();
  t.true(await page.getByRole('checkbox', { name: 'Dig' }).isChecked());
});

test.serial('on a phone a long name leaves room; the Trash says where a task goes back to', async (t) => {
  const { page, script, visit } = await openApp(t, phone);
  const { id: projectId } = await makeProject(script, { title: 'Everything in the old house '.repeat(4) });
  const task = await makeTask(script, { title: 'Clear the attic', projectId });
  await script.post(`/tasks/${task.id}/complete`);
  const widthOf = async (title: string) =>
    (await page.getByRole('link', { name: title, exact: true }).boundingBox())?.width ?? 0;
  await visit('/app/logbook');
  t.true((await widthOf('Clear the attic')) > 80);

  const stairs = await makeTask(script, { title: 'Sweep the stairs to the attic' });
  const paint = await makeTask(script, { title: 'Paint', projectId });
  for (const { id } of [task, stairs, paint]) await script.delete(`/tasks/${id}`);
  await visit('/app/trash');
  await page.getByText('back to: Everything in the old house').first().waitFor();
  await page.getByText('was done').waitFor();
  await takePicture(page, 'trash-phone');
  await page.setViewportSize({ width: 320, height: 640 });
  t.true((await widthOf('Sweep the stairs to the attic')) > 150);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
});

test.serial('a task in the Trash is read before it is restored, and cannot be changed', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Call the dentist', description: 'Ask for **Tuesday**' });
  await script.patch(`/tasks/${task.id}`, { checklist: [{ title: 'Find the number' }] });
  await script.delete(`/tasks/${task.id}`);
  await visit('/app/trash');
  await page.getByRole('link', { name: 'Call the dentist', exact: true }).click();
  const panel = page.locator('.detail');
  await panel
    .getByText('In the Trash.')
    .or(panel.getByText('Moved to the Trash by Nightly script.'))
    .waitFor();
  await panel.locator('strong', { hasText: 'Tuesday' }).waitFor();

  const written: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/tasks')) written.push(request.url());
  });
  for (const name of ['List: Inbox', /^When: /, /^Reminder: /, /^Repeat: /, /^Deadline: /]) {
    await panel.getByRole('button', { name }).click({ force: true });
    t.is(await page.getByRole('dialog').count(), 0);
  }
  for (const name of ['Call the dentist', 'Find the number'])
    await panel.getByRole('checkbox', { name }).click({ force: true });
  for (const field of await panel.getByRole('textbox').all()) t.false(await field.isEditable());
  t.is(await panel.getByRole('button', { name: /^Edit|^Add/ }).count(), 0);
  t.is(
    await panel.getByRole('checkbox', { name: 'Call the dentist' }).getAttribute('title'),
    'In the Trash.',
  );
  await panel.getByRole('button', { name: 'More', exact: true }).click();
  const items = page.getByRole('menuitem');
  t.deepEqual(await items.allInnerTexts(), ['Restore']);
  t.deepEqual(written, []);

  await items.click();
  await page.getByText('The Trash is empty.').waitFor();
  await panel.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await waitFor(async () => {
    const { body } = await script.get<{ inTrash: boolean }>(`/tasks/${task.id}`);
    return !body.inTrash;
  });
});

test.serial('a key for tasks says of one in Trash or Logbook what comes first', async (t) => {
  const { page, script, visit } = await openApp(t);
  const trashed = await makeTask(script, { title: 'Call the dentist' });
  await script.delete(`/tasks/${trashed.id}`);
  const done = await makeTask(script, { title: 'Water' });
  await script.post(`/tasks/${done.id}/complete`);
  const open = async (path: string, title: string) => {
    await visit(path);
    await page.getByRole('link', { name: title, exact: true }).focus();
    return listen(page);
  };
  const restoreFirst = 'Restore it to change it.';
  let said = await open('/app/trash', 'Call the dentist');
  const says = async (texts: string[], key: string) => {
    await press(page, key);
    const answers = async () => (await said()).filter((text) => !text.startsWith('Nightly script'));
    await waitFor(async () => (await answers()).length >= texts.length, { what: `a word on ${key}` });
    t.deepEqual(await answers(), texts);
  };
  await says([restoreFirst], 'Space');
  await says([restoreFirst, restoreFirst], 'Backspace');
  await press(page, 'Enter');
  await page.locator('.detail').getByText('Restore', { exact: true }).waitFor();
  await says([restoreFirst, restoreFirst, restoreFirst], 't');
  t.true((await tasksByTitle(script)).get('Call the dentist')?.inTrash);

  said = await open('/app/logbook', 'Water');
  await says(['Open it to change it.'], 't');
  await says(['Open it to change it.', 'Reopened “Water”Undo Ctrl+Z'], 'Space');
});

test.serial('a task restored without its project says where it is, and that the project stays', async (t) => {
  const { page, script, context, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  const { id } = await makeTask(script, { title: 'Weed', projectId });
  await script.delete(`/tasks/${id}`);
  await script.delete(`/projects/${projectId}`);
  await visit('/app/trash');
  const button = page.getByRole('button', { name: 'Restore Weed' });
  await button.waitFor();
  await goOffline(page);
  await button.click();
  const told = 'Restored “Weed” to the Inbox. Its project “Garden” stays in the Trash.';
  await page.locator('.toast', { hasText: told }).waitFor();
  await page.getByRole('link', { name: 'Inbox' }).click();
  await showsTitles(page, 'Weed');
  await context.setOffline(false);
  await waitFor(async () => (await tasksByTitle(script)).get('Weed')?.list === 'inbox');
  await showsTitles(page, 'Weed');
  t.pass();
});

test.serial('a done task is dragged into a section, where it has no place among open ones', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Garden' });
  const beds = await makeSection(script, project.id, { title: 'Beds' });
  const { id } = await makeTask(script, { title: 'Sow', projectId: project.id });
  await makeTask(script, { title: 'Dig', projectId: project.id });
  await script.post(`/tasks/${id}/complete`);
  await visit(`/app/project/${project.id}`);
  await draggable(page);
  await page.getByRole('button', { name: /^Done/ }).click();
  const heading = page.getByRole('heading', { name: 'Beds' });
  await rowOf(page, 'Sow').dragTo(heading, { sourcePosition: { x: 200, y: 20 }, steps: 8 });
  const moved = async () => (await script.get<Task>(`/tasks/${id}`)).body.sectionId === beds.id;
  await waitFor(moved);
  await addByKeys(page, 'Rake');
  await waitFor(async () => (await tasksByTitle(script)).has('Rake'));
  t.is(await page.getByText('not accepted').count(), 0);
});

test.serial('a page that cannot be had says so before the app knows that the network is gone', async (t) => {
  const { page, script, visit } = await openApp(t, { faults: /ERR_FAILED/ });
  await makeTask(script, { title: 'Water' });
  await visit('/app/inbox');
  await draggable(page);
  await page.route('**/settings', (route) => route.abort());
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('“Settings” needs a connection.').waitFor();
  await page.unroute('**/settings');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL('**/settings');
  t.pass();
});

test.serial('offline, Settings need a connection; an open Trash shows what is sent later', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'All done' });
  const done = await makeTask(script, { title: 'Done', projectId: project.id });
  await script.post(`/tasks/${done.id}/complete`);
  await script.delete(`/projects/${project.id}`);
  await makeTask(script, { title: 'Call the dentist' });
  await visit('/app/inbox');
  await draggable(page);
  await goOffline(page);
  await page.getByText('Offline.').waitFor();
  await press(page, 'Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('sign out');
  await press(page, 'Enter');
  await page.getByText('“Settings” needs a connection.').waitFor();
  await rowOf(page, 'Call the dentist').focus();
  await page.keyboard.press('Delete');
  await rowOf(page, 'Call the dentist').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Call the dentist', exact: true }).waitFor();
  const records = page.getByRole('listitem').filter({ hasText: 'All done' });
  t.notRegex(await records.innerText(), /0 tasks/);
});

test.serial('copying the link of a task says whether it was copied', async (t) => {
  const app = await openApp(t, { device: { permissions: ['clipboard-read', 'clipboard-write'] } });
  const { page, script } = app;
  const task = await makeTask(script, { title: 'Call the dentist' });
  await app.visit(`/app/inbox?task=${task.id}`);
  const copy = async () => {
    await page.locator('.detail').getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy the link' }).click();
  };
  await copy();
  await page.locator('.toast', { hasText: 'Copied the link' }).waitFor();
  t.regex(await page.evaluate('navigator.clipboard.readText()'), new RegExp(`/app/task/${task.id}$`));
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))');
  await copy();
  await page.locator('.toast', { hasText: 'The link could not be copied.' }).waitFor();
});

test.serial('a link to a task with a deadline alone leads to the day of that', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const { id } = await makeTask(script, { title: 'Apply', deadlineDate: '2099-12-24' });
  await visit(`/app/task/${id}`);
  await page.getByRole('heading', { level: 1, name: 'Upcoming' }).waitFor();
  const place = page.getByRole('button', { name: 'List: Planned' });
  const icon = await page.locator('nav a[href="/app/upcoming"] path').first().getAttribute('d');
  t.is(await place.locator('path').getAttribute('d'), icon);
});

test.serial('a link leads to a task that no list holds, and says where there is none', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Call the dentist', description: 'Ask for **Tuesday**' });
  await script.delete(`/tasks/${task.id}`);
  const panel = page.locator('.detail');
  await visit(`/app/task/${task.id}`);
  await panel.locator('strong', { hasText: 'Tuesday' }).waitFor();
  await page.reload();
  await panel.locator('strong', { hasText: 'Tuesday' }).waitFor();
  for (const nowhere of ['00000000-0000-4000-8000-000000000000', 'mistyped']) {
    await visit(`/app/task/${nowhere}`);
    await panel.getByText('This task is not here any more.').waitFor();
  }
  await goOffline(page);
  await visit('/app/task/00000000-0000-4000-8000-000000000001');
  await panel.getByText('it needs a connection').waitFor();
  t.pass();
});

for (const status of [503, 429]) {
  test.serial(`a task that a ${status} keeps away is read again, and not called gone`, async (t) => {
    const { page, script, visit } = await openApp(t);
    const fields = { title: 'Call the dentist', description: 'Ask for **Tuesday**' };
    const [listed, trashed] = [await makeTask(script, fields), await makeTask(script, fields)];
    await script.delete(`/tasks/${trashed.id}`);
    const panel = page.locator('.detail');
    const readAgain = async (id: string, told: string) => {
      await page.route('**/app/api/v1/rows', (route) => route.fulfill({ status, json: {} }));
      await visit(`/app/inbox?task=${id}`);
      await panel.getByText(told).waitFor();
      t.is(await panel.getByText('not here any more').count(), 0);
      await page.unroute('**/app/api/v1/rows');
      await panel.locator('strong', { hasText: 'Tuesday' }).waitFor();
    };
    await readAgain(listed.id, 'Notes and checklist could not be read.');
    await readAgain(trashed.id, 'This task could not be read.');
  });
}

test.serial('a project that goes to the Trash while it is open is named there and restored', async (t) => {
  const { page, script, context, visit } = await openApp(t);
  const { id } = await makeProject(script, { title: 'Garden' });
  await makeTask(script, { title: 'Weed', projectId: id });
  await visit(`/app/project/${id}`);
  await showsTitles(page, 'Weed');
  await goOffline(page);
  await page.getByText('Offline.').waitFor();
  for (const title of ['Sow', 'Dig']) await addByKeys(page, title);
  await script.delete(`/projects/${id}`);
  await context.setOffline(false);

  await page.getByText('2 changes were not accepted: “Sow” and 1 more.').waitFor();
  await page.getByRole('button', { name: 'Show' }).click();
  const next = page.getByRole('button', { name: 'Show the next' });
  const dialog = page.getByRole('dialog');
  const shows = async (title: string, place: string) => {
    await dialog.getByRole('heading', { name: `“${title}”` }).waitFor();
    await dialog.getByText(place).waitFor();
    await dialog.getByText('Its project “Garden” is in the Trash.').waitFor();
  };
  await shows('Sow', '1 of 2');
  await next.click();
  await shows('Dig', '2 of 2');
  await hasFocus(next);
  await press(page, 'Enter');
  await shows('Sow', '1 of 2');
  await next.click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('1 change was not accepted').waitFor();
  await dialog.getByRole('heading', { name: '“Sow”' }).waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
  await page.getByText('Moved to the Trash by Nightly script.').waitFor();
  await addByKeys(page, 'Errand');
  await waitFor(async () => (await tasksByTitle(script)).get('Errand')?.list === 'inbox');
  await page.getByRole('button', { name: 'Restore' }).click();
  await showsTitles(page, 'Weed');
});
