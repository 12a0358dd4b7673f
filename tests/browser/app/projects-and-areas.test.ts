import test from 'ava';
import type { Page } from 'playwright-core';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import {
  insertTasks,
  makeArea,
  makeProject,
  makeSection,
  makeTask,
  makeTasks,
} from '#tests/support/factories.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { phone } from './finger.ts';
import {
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

const { stack, openApp } = await startApp(test);

const entry = (page: Page, title: string) => page.locator('.side .nav li', { hasText: title });
const heading = (page: Page, title: string) => page.locator('.side .nav .area', { hasText: title });

const sidebarShows = (page: Page, ...titles: string[]) =>
  showsTexts(page.locator('.side .nav.group :is(.area > a, li > a .cut)'), titles);

async function areaOf(script: ApiClient, projectId: string): Promise<string | null> {
  return (await script.get<{ areaId: string | null }>(`/projects/${projectId}`)).body.areaId;
}

test.serial('a project goes into an area by menu or key, and a new one is made in it', async (t) => {
  const { page, script, visit } = await openApp(t);
  const home = await makeArea(script, { title: 'Home' });
  const garden = await makeProject(script, { title: 'Garden' });
  await visit(`/app/project/${garden.id}`);
  const chooseArea = async (title: string) => {
    await page.getByRole('main').getByRole('button', { name: 'Actions for Garden' }).click();
    await page.getByRole('menuitem', { name: 'Move to an area' }).click();
    await page.getByRole('option', { name: title }).click();
  };
  await chooseArea('Home');
  await sidebarShows(page, 'Home', 'Garden');
  await waitFor(async () => (await areaOf(script, garden.id)) === home.id);
  await chooseArea('No area');
  await waitFor(async () => (await areaOf(script, garden.id)) === null);
  await page.keyboard.press('Control+z');
  await waitFor(async () => (await areaOf(script, garden.id)) === home.id);

  await page.getByRole('link', { name: 'Home' }).first().click();
  await rowOf(page, 'Garden').focus();
  await press(page, 'm');
  await page.keyboard.type('Wor');
  await page.getByText('No other area is called “Wor”.').waitFor();
  await page.keyboard.press('Escape');

  await heading(page, 'Home').hover();
  await heading(page, 'Home').getByRole('button', { name: 'Actions for Home' }).click();
  await page.getByRole('menuitem', { name: 'New project' }).click();
  await page.locator('input:focus').fill('Kitchen');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();
  await sidebarShows(page, 'Home', 'Garden', 'Kitchen');
  await visit('/app/');
  await sidebarShows(page, 'Home', 'Garden', 'Kitchen');

  await heading(page, 'Home').getByRole('link').click();
  const menu = page.getByRole('main').getByRole('button', { name: 'Actions for Home' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.keyboard.type('House');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'House' }).waitFor();
  const renamed = page.getByRole('main').getByRole('button', { name: 'Actions for House' });
  await renamed.click();
  await page.getByRole('menuitem', { name: 'New project' }).click();
  await page.locator('input:focus').fill('Attic');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Attic' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Area: House' }).click();
  await page.getByRole('main').getByRole('button', { name: 'New project' }).click();
  await page.locator('input:focus').fill('Porch');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Porch' }).waitFor();
  // In the palette, too, it is in the area of what is open.
  await press(page, 'Control+k');
  await page.keyboard.type('new project');
  await page.getByRole('option', { name: 'New project' }).click();
  await page.locator('input:focus').fill('Roof');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Roof' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Area: House' }).click();
  await renamed.focus();
  await press(page, 'Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).focus();
  await press(page, 'Enter');
  await hasFocus(page.getByRole('heading', { level: 1, name: 'Today' }));
  await page.locator('.toast', { hasText: 'Deleted the area “House”, not its projects' }).waitFor();
  await sidebarShows(page, 'Garden', 'Kitchen', 'Attic', 'Porch', 'Roof');
});

test.serial('projects are dragged beside each other, into an area and to the Trash', async (t) => {
  const { page, script, visit } = await openApp(t);
  const home = await makeArea(script, { title: 'Home' });
  const projects = new Map<string, string>();
  for (const title of ['Kitchen', 'Garden', 'Attic']) {
    projects.set(title, (await makeProject(script, { title })).id);
  }
  const idOf = (title: string) => projects.get(title) ?? '';
  await makeTask(script, { title: 'Dig', projectId: idOf('Garden') });
  await visit(`/app/project/${idOf('Garden')}`);
  await draggable(page);
  await sidebarShows(page, 'Home', 'Kitchen', 'Garden', 'Attic');
  const drag = (title: string, target: ReturnType<typeof entry>, y: number) =>
    entry(page, title).dragTo(target, { targetPosition: { x: 60, y }, steps: 8 });

  await drag('Attic', entry(page, 'Kitchen'), 4);
  await sidebarShows(page, 'Home', 'Attic', 'Kitchen', 'Garden');
  await drag('Kitchen', heading(page, 'Home'), 14);
  await sidebarShows(page, 'Home', 'Kitchen', 'Attic', 'Garden');
  await drag('Garden', entry(page, 'Kitchen'), 28);
  await sidebarShows(page, 'Home', 'Kitchen', 'Garden', 'Attic');
  await waitFor(async () => (await areaOf(script, idOf('Garden'))) === home.id);
  t.is(await areaOf(script, idOf('Attic')), null);

  await drag('Garden', entry(page, 'Inbox'), 14);
  await drag('Garden', entry(page, 'Trash'), 14);
  await sidebarShows(page, 'Home', 'Kitchen', 'Attic');
  await page.waitForURL('**/app/');
  await page.keyboard.press('Control+z');
  await sidebarShows(page, 'Home', 'Kitchen', 'Garden', 'Attic');

  await heading(page, 'Home').getByRole('link').click();
  await rowOf(page, 'Garden').dragTo(rowOf(page, 'Kitchen'), { targetPosition: { x: 200, y: 4 }, steps: 8 });
  await sidebarShows(page, 'Home', 'Garden', 'Kitchen', 'Attic');
  await visit('/app');
  await sidebarShows(page, 'Home', 'Garden', 'Kitchen', 'Attic');
});

test.serial('a drag of several tasks shows them, how many they are, and which list takes them', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  const titles = ['One', 'Two', 'Three'];
  for (const title of titles) await makeTask(script, { title });
  await visit('/app/inbox');
  await draggable(page);
  for (const title of ['One', 'Two']) await rowOf(page, title).click({ modifiers: ['Control'] });
  await page.locator('.selection-bar', { hasText: '2 selected' }).waitFor();
  await page.evaluate(`window.previews = []; new MutationObserver((changes) => {
    for (const { addedNodes } of changes) previews.push(...[...addedNodes].map((node) => node.textContent));
  }).observe(document.body, { childList: true, characterData: true, subtree: true })`);
  await rowOf(page, 'Two').hover({ position: { x: 200, y: 20 } });
  await page.mouse.down();
  const target = page.locator('.side li', { hasText: 'Garden' });
  const { x = 0, y = 0 } = (await target.boundingBox()) ?? {};
  await page.mouse.move(x + 60, y + 12, { steps: 8 });
  await page.mouse.move(x + 64, y + 14, { steps: 2 });
  await page.locator('.side li.drop-on', { hasText: 'Garden' }).waitFor();
  t.is(await page.locator('[data-row].ghost').count(), 2);
  t.true((await page.evaluate<string[]>('previews')).includes('2 tasks'));
  await page.mouse.up();
  await showsTitles(page, 'Three');
  t.is(await page.locator('.ghost, .drop-on').count(), 0);

  await makeSection(script, projectId, { title: 'Beds' });
  await page.getByRole('link', { name: 'Garden' }).click();
  await page.getByRole('heading', { name: 'Beds' }).hover();
  await page.mouse.down();
  await rowOf(page, 'One').hover();
  await page.mouse.up();
  t.is(await page.evaluate('getSelection().toString()'), '', 'a heading that is pulled selects no text');
});

test.serial('the head of a project says its deadline both ways and how many tasks are done', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium', timezone: 'UTC' });
  const { id: areaId } = await makeArea(script, { title: 'Home' });
  const deadline = Temporal.Now.plainDateISO('UTC').add({ days: 40 });
  const fields = { title: 'Move to the new flat', areaId, deadlineDate: deadline.toString() };
  const { id: projectId } = await makeProject(script, fields);
  await visit(`/app/project/${projectId}`);
  const day = deadline.toLocaleString('en-GB', { day: 'numeric', month: 'long' });
  const chips = page.locator('.p-head .chip');
  await waitFor(async () => (await chips.count()) === 2);
  t.true((await chips.first().textContent())?.startsWith(`Deadline: in 40 days · ${day}`));
  const tasks = await makeTasks(script, 3, { projectId });
  await script.post(`/tasks/${tasks[0]?.id}/complete`);
  await chips.getByText('2 open, 1 done', { exact: true }).waitFor();
  await script.post(`/projects/${projectId}/complete`, { completeChildTasks: true });
  await showsTexts(chips, ['Completed', 'Area: Home']);
});

test.serial('toasts of projects say their deadline, which repeats end, and what stays closed', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  const recurrence = { frequency: 'daily' } as const;
  await makeTask(script, { title: 'Water', projectId, dueDate: '2099-01-01', recurrence });
  await visit(`/app/project/${projectId}`);
  const choose = async (name: string) => {
    await page.getByRole('main').getByRole('button', { name: 'Actions for Garden' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Set the deadline');
  await page.getByRole('option', { name: 'Tomorrow' }).click();
  await page.getByText('Set the deadline of “Garden” to tomorrow').waitFor();
  await choose('Complete');
  await page.getByRole('button', { name: 'Mark them cancelled' }).click();
  await page.getByText('Completed “Garden”. 1 repeat ends.').waitFor();
  await choose('Reopen');
  await page.getByText('Reopened “Garden”. Its closed tasks stay closed.').waitFor();

  await makeTask(script, { title: 'Juggle', list: 'someday' });
  await page.getByRole('link', { name: 'Someday' }).click();
  await rowOf(page, 'Juggle').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Set the deadline' }).click();
  await page.getByRole('option', { name: 'Tomorrow' }).click();
  await page.getByText('Set the deadline of “Juggle” to tomorrow. With a day, it leaves Someday.').waitFor();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'Juggle').waitFor();
});

test.serial('a project that is due is on top of Today, in Upcoming, and marked in the sidebar', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium', timezone: 'UTC' });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const report = await makeProject(script, { title: 'Report', deadlineDate: day(-2) });
  await makeProject(script, { title: 'Party', deadlineDate: day(3) });
  await makeProject(script, { title: 'Garden' });
  await makeTask(script, { title: 'Buy milk', dueDate: day(0) });
  await makeTask(script, { title: 'Bake a cake', dueDate: day(3) });
  await visit('/app/');
  await showsTitles(page, 'Report', 'Buy milk');
  await rowOf(page, 'Report').getByText('2 days late').waitFor();
  await entry(page, 'Report').getByText('deadline 2 days late').waitFor({ state: 'attached' });
  t.is(await page.locator('.side .group .n.late').count(), 1);
  await takePicture(page, 'app-due-project');

  await page.goto(page.url().replace(/\/app\/.*/, '/app/upcoming'));
  await showsTitles(page, 'Party', 'Bake a cake');
  await draggable(page);
  const said = await listen(page);
  await rowOf(page, 'Party').focus();
  await press(page, 'Alt+ArrowDown');
  await page.locator('.toast', { hasText: 'This list orders itself.' }).waitFor();
  await waitFor(async () => (await said()).includes('This list orders itself.'));
  await press(page, 'ArrowDown', 'ArrowUp', 'Enter');
  await page.getByRole('heading', { level: 1, name: 'Party' }).waitFor();

  await script.post(`/projects/${report.id}/complete`, { completeChildTasks: true });
  await page
    .locator('.side')
    .getByRole('link', { name: /^Today/ })
    .click();
  await showsTitles(page, 'Buy milk');
});

test.serial('a trashed project tells how many tasks went with it; Undo brings all back', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id: projectId } = await makeProject(script, { title: 'Garden' });
  await makeTask(script, { title: 'Dig', projectId });
  // So the page does not hear of what comes meanwhile.
  await page.route('**/app/api/v1/live', () => undefined);
  await visit(`/app/project/${projectId}`);
  await rowOf(page, 'Dig').waitFor();
  const live = async () =>
    [...(await tasksByTitle(script)).values()].filter(({ inTrash }) => !inTrash).length;
  for (const title of ['Sow', 'Water']) await makeTask(script, { title, projectId });
  t.is(await rowOf(page, 'Sow').count(), 0);
  await page.getByRole('main').getByRole('button', { name: 'Actions for Garden' }).click();
  await page.getByRole('menuitem', { name: 'Move to the Trash' }).click();
  const toast = page.locator('.toast', { hasText: 'Moved “Garden” to the Trash. 3 tasks went with it' });
  await toast.waitFor();
  t.is(await live(), 0);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.toast', { hasText: 'Undone: Moved “Garden” to the Trash' }).waitFor();
  await waitFor(async () => (await live()) === 3);
  await visit(`/app/project/${projectId}`);
  await showsTitles(page, 'Water', 'Sow', 'Dig');
});

test.serial(
  'a long name of an area takes one line of the sidebar and of the lists to pick from',
  async (t) => {
    const { page, script, visit } = await openApp(t);
    const title = 'Health, sports and all that has to do with them, every day of the year';
    const { id: areaId } = await makeArea(script, { title });
    await makeProject(script, { title: 'Marathon', areaId });
    await makeTask(script, { title: 'Run' });
    await visit('/app/inbox');
    await rowOf(page, 'Run').focus();
    /** Texts in one line are no higher than their line, whatever is cut off. */
    const isWhole = (selector: string) =>
      page.evaluate<boolean>(`{
      const { scrollHeight, clientHeight, parentElement } = document.querySelector('${selector}');
      scrollHeight <= clientHeight && clientHeight <= 28 &&
        parentElement.scrollWidth <= parentElement.clientWidth;
    }`);
    await page.locator('.side .area').getByText(title).waitFor();
    t.true(await isWhole('.side .area a'));
    await press(page, 'm');
    await page.getByRole('option', { name: 'Marathon' }).waitFor();
    t.true(await isWhole('[role="option"]:last-child .hint'));
    await press(page, 'Escape', 'n');
    await page.locator('dialog textarea:focus').first().waitFor();
    await page.keyboard.type('#');
    await page.getByRole('option', { name: 'Marathon' }).waitFor();
    t.true(await isWhole('[role="option"] .hint'));
  },
);

test.serial('a list with any name is taken from those behind # in quick add', async (t) => {
  const { page, script, visit } = await openApp(t);
  const titles = ['#urgent', '"Quoted" list', 'The “big” one', 'Home // Work', 'Two\nlines'];
  for (const title of titles) await makeProject(script, { title });
  await visit('/app/inbox');
  for (const title of titles) {
    await press(page, 'n');
    await page.locator('dialog textarea:focus').waitFor();
    await page.keyboard.type('Call #');
    await page.getByRole('option', { name: title }).click();
    await page.locator('dialog .chip', { hasText: title }).waitFor();
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await waitFor(async () => {
    const { body } = await script.get<{ items: Task[] }>('/tasks');
    const filed = body.items.filter(({ title, projectId }) => title === 'Call' && projectId !== null);
    return new Set(filed.map(({ projectId }) => projectId)).size === titles.length;
  });
});

test.serial(
  'a long name of a section lies on no row, and in the list picker its own name comes first',
  async (t) => {
    const { page, person, script, visit } = await openApp(t, phone);
    // The second list is a virtual one.
    const projects = await Promise.all(
      [0, 201].map(async (others) => {
        const { id: projectId } = await makeProject(script, {
          title: 'All that the garden needs '.repeat(4),
        });
        const { id: sectionId } = await makeSection(script, projectId, {
          title: 'Vegetables, herbs '.repeat(12),
        });
        await makeTask(script, { title: 'Sow beans', projectId, sectionId });
        await insertTasks(stack, person, others, { projectId });
        return projectId;
      }),
    );
    for (const projectId of projects) {
      await visit(`/app/project/${projectId}`);
      await page.locator('[data-row]').first().waitFor();
      await page.locator('.page').evaluate((list: { scrollTop: number; scrollHeight: number }) => {
        list.scrollTop = list.scrollHeight;
      });
      await rowOf(page, 'Sow beans').waitFor();
      const row = await rowOf(page, 'Sow beans').boundingBox();
      const name = await page.getByRole('heading', { name: 'Vegetables' }).boundingBox();
      t.true(row !== null && name !== null && name.y + name.height <= row.y);
    }
    await rowOf(page, 'Sow beans').focus();
    await page.keyboard.press('m');
    const choice = await page.getByRole('option').getByText('Vegetables').first().boundingBox();
    t.true(choice !== null && choice.x < 100);
  },
);

test.serial('a list whose name is typed in full comes before those that contain it', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const area = await makeArea(script, { title: 'Garden' });
  for (const title of ['Shed', 'Garden tools', 'Gardening books', 'Garden'])
    await makeProject(script, { title, areaId: title === 'Shed' ? area.id : null });
  await makeTask(script, { title: 'Dig' });
  await visit('/app/inbox');
  await rowOf(page, 'Dig').focus();
  await press(page, 'm');
  await page.getByRole('dialog').getByRole('combobox').fill('garden');
  await showsTexts(page.getByRole('option').locator('.cut:not(.hint)'), [
    'Garden',
    'Garden tools',
    'Gardening books',
    'Shed',
  ]);
  await press(page, 'Enter');
  await page.getByText('Moved “Dig” to Garden').waitFor();
  t.pass();
});
