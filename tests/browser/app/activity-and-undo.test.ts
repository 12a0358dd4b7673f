import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { insertTasks, makeProject, makeTask } from '#tests/support/factories.ts';
import { accessibilityFaults } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { addByKeys, hasFocus, press, rowOf, tasksByTitle, waitFor } from './page-steps.ts';

const { openApp, stack } = await startApp(test);

/** More changes than a page holds. */
const addLater = (accountId: string, taskId: string, kind: string) =>
  stack.sql`insert into tasks.change_history (account_id, sequence, changed_at, entity, entity_id, change,
      actor_kind, actor_id, actor_name, is_undo, has_long_values, before)
    select ${accountId}, 100 + number, now() + number * interval '1 second', 'task', ${taskId}, 'updated',
      ${kind}, 'a', 'Robot', false, false, jsonb_build_object('title', 'Title ' || number)
    from generate_series(1, 400) number`;

test.serial('a filter finds what is behind very many changes, and says if there are none', async (t) => {
  const { page, script, person, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Water the plants' });
  await addLater(person.accountId, task.id, 'browser');
  await visit('/app/');
  // The strip, too, tells of what a script did before that.
  await page.locator('.strip', { hasText: 'Nightly script added' }).waitFor();
  await visit('/app/activity');
  const batches = page.getByRole('main').locator('.batch');
  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await batches.first().waitFor();
  await choose('Scripts');
  const ofScript = batches.filter({ hasText: 'Nightly script' });
  await ofScript.getByText('added 1 task').waitFor();
  t.is(await batches.count(), 1);
  // What a script changes then is shown without another press.
  await makeTask(script, { title: 'Water the garden' });
  await ofScript.getByText('added 2 tasks').waitFor();
  await choose('Assistants');
  await page.getByText('No changes by assistants in the last 30 days.').waitFor();
  await choose('You');
  await batches.first().waitFor();
  t.is(await ofScript.count(), 0);
});

test.serial('older changes come once and stay', async (t) => {
  const { page, script, person, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Water the plants' });
  await addLater(person.accountId, task.id, 'app');
  await visit('/app/activity');
  const mayAnswer = Promise.withResolvers<void>();
  await page.route('**/activity?cursor=*', async (route) => {
    await mayAnswer.promise;
    await route.continue();
  });
  const older = page.getByRole('button', { name: 'Show older changes' });
  await older.click();
  await older.click();
  mayAnswer.resolve();
  const ofScript = page.getByRole('main').locator('.batch', { hasText: 'Nightly script' });
  await ofScript.getByText('added 1 task').waitFor();
  await makeTask(script, { title: 'Water the garden' });
  await ofScript.getByText('added 2 tasks').waitFor();
  t.is(await ofScript.count(), 1);
});

test.serial('of a change of very many tasks the first are listed, and the others counted', async (t) => {
  const { page, script, person, visit } = await openApp(t);
  const { id } = await makeProject(script);
  await insertTasks(stack, person, 150, { projectId: id });
  await script.delete(`/projects/${id}`);
  await visit('/app/activity');
  const batch = page.getByRole('main').locator('.batch');
  await batch.getByText('moved 1 project and 99 tasks to the Trash and made 51 more changes').waitFor();
  await batch.getByRole('button', { name: 'Undo these 151' }).waitFor();
  await batch.getByRole('button', { name: '96 more' }).click();
  t.is(await batch.locator('.diff li').last().textContent(), '51 more are not listed');
});

test.serial('activity says what became of a date and of a checklist', async (t) => {
  const { page, script, visit } = await openApp(t);
  const dueDate = Temporal.Now.plainDateISO('UTC').toString();
  const { id } = await makeTask(script, { title: 'Water', dueDate, recurrence: { frequency: 'daily' } });
  const items = [{ title: 'Can' }, { title: 'Hose' }, { title: 'Pot' }];
  const { body } = await script.patch<Task>(`/tasks/${id}`, { checklist: items });
  const checklist = body.checklist.map((item) => ({ ...item, completed: item.title !== 'Pot' }));
  await script.patch(`/tasks/${id}`, { checklist });
  await script.post(`/tasks/${id}/skip`);
  await visit(`/app/activity?task=${id}`);
  const batch = page.getByRole('main').locator('.batch');
  await batch.getByText(/skipped 1$/).waitFor();
  await page.keyboard.press('Control+a');
  t.regex(
    await page.evaluate<string>('String(getSelection())'),
    /skipped 1/,
    'without rows, text is selected',
  );
  const said = await batch.locator('.diff .said').allInnerTexts();
  t.deepEqual(
    said.map((text) => text.replaceAll(/\s+/g, ' ')),
    [
      'added it: Water',
      'changed the checklist: Water checklist added 3 items',
      'changed the checklist: Water checklist ticked 2 items',
      'skipped it: Water status open → to skipped date today → to tomorrow checklist unticked 2 items',
    ],
  );
  await page.locator('.meta-foot', { hasText: 'skipped it from today to tomorrow' }).waitFor();
});

test.serial('what was taken back is not counted as done, also on a device that did not do it', async (t) => {
  const { page, script, visit } = await openApp(t);
  await visit('/app/');
  const strip = page.locator('.strip', { hasText: 'Nightly script added' });
  await makeTask(script, { title: 'Water' });
  await strip.waitFor();
  await page.locator('#main').focus();
  await press(page, 'Tab');
  await hasFocus(strip.getByRole('button', { name: 'Undo' }));
  await strip.getByRole('button', { name: 'Undo' }).click();
  await strip.waitFor({ state: 'detached' });
  await makeTask(script, { title: 'Weed' });
  await strip.getByText('added 1 task').waitFor();
  // As on another device.
  await page.evaluate('localStorage.clear()');
  await page.reload();
  await strip.getByText('added 1 task').waitFor();
});

test.serial('“Review” shows the changes that the strip speaks of, Activity all others later', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Water the plants' });
  await visit('/app/inbox');
  await page.getByRole('link', { name: 'Review' }).waitFor();
  await page.getByRole('link', { name: 'Activity new changes', exact: true }).waitFor();
  await addByKeys(page, 'Buy seeds');
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('link', { name: 'Activity', exact: true }).waitFor();
  const batches = page.getByRole('main').locator('.batch');
  await batches.getByText('added 1 task').waitFor();
  t.regex((await batches.allInnerTexts()).join(), /^Nightly script/);
  await page.getByRole('button', { name: 'Scripts', exact: true, pressed: true }).waitFor();
  await page.getByRole('link', { name: 'Inbox' }).first().click();
  await rowOf(page, 'Buy seeds').waitFor();
  await page.getByRole('link', { name: 'Activity' }).click();
  await batches.filter({ hasText: 'You' }).waitFor();
  t.is(await batches.count(), 2);
});

test.serial('each change and undo has a name of its own, and keeps the focus when pressed', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeProject(script, { title: 'Garden' });
  for (let number = 1; number <= 6; number += 1) await makeTask(script, { title: `Task ${number}` });
  await script.delete(`/projects/${id}`);
  await visit('/app/activity');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: '3 more' }).focus();
  await press(page, 'Enter');
  await hasFocus(main.getByRole('link', { name: 'added it: Task 5', exact: true }));
  await main.getByRole('link', { name: 'moved it to the Trash: Garden', exact: true }).waitFor();

  await main.getByRole('button', { name: 'Undo: moved “Garden” to the Trash', exact: true }).focus();
  await press(page, 'Enter');
  await page.locator('.toast', { hasText: 'Undone: moved “Garden” to the Trash' }).waitFor();
  await hasFocus(main.getByRole('button', { name: 'Undone: moved “Garden” to the Trash', exact: true }));
  await main.getByRole('button', { name: /^Undo: You took changes back/ }).waitFor();
  await main.getByRole('button', { name: /^Undo: Nightly script started 1 project/ }).focus();
  await press(page, 'Enter');
  await page.locator('.toast', { hasText: 'Undone: Nightly script started 1 project' }).waitFor();
  await hasFocus(main.getByRole('button', { name: /^Undone: Nightly script/ }));
});

test.serial('a completed project is taken back with its tasks, and nothing else with it', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeProject(script, { title: 'Launch' });
  for (const title of ['One', 'Two']) await makeTask(script, { title, projectId: id });
  await script.post(`/projects/${id}/complete`);
  await script.patch(`/tasks/${(await makeTask(script, { title: 'Other' })).id}`, { title: 'Another' });
  await visit('/app/activity');
  const batch = page.locator('.batch', { hasText: 'Nightly script' });
  await batch.getByRole('button', { name: '3 more', exact: true }).click();
  const undo = 'Undo these 3: completed “Launch” and 2 more';
  await batch
    .locator('li', { hasText: /Launch.*active/ })
    .getByRole('button', { name: undo })
    .waitFor();
  t.is(await batch.getByRole('button', { name: /cancelled/ }).count(), 1, 'that of the whole entry');
  await takePicture(page, 'activity-project');
  await batch.getByRole('button', { name: undo }).click();
  await page.locator('.toast', { hasText: 'Undone: completed “Launch” and 2 more' }).waitFor();
  t.is((await script.get<{ status: string }>(`/projects/${id}`)).body.status, 'active');
  const tasks = await tasksByTitle(script);
  t.deepEqual([...tasks.keys()].sort(), ['Another', 'One', 'Two']);
  t.true([...tasks.values()].every(({ status, inTrash }) => status === 'open' && !inTrash));
  await takePicture(page, 'activity-project-undone');
});

test.serial('an undo of an older change says that it stays with that one alone', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Water' });
  await script.patch(`/tasks/${id}`, { title: 'Water the roses' });
  await script.patch(`/tasks/${id}`, { title: 'Water the beds' });
  await visit('/app/activity');
  const lines = page.locator('.batch', { hasText: 'Nightly script' }).locator('.diff > li');
  const older = lines.filter({ hasText: /Water\s*→.*roses/ });
  await older.getByRole('button', { name: /^Undo/ }).click();
  await older.getByText('Stays. It was changed since.').waitFor();
  t.is(await lines.getByText('Stays. It was changed since.').count(), 1);
  await lines
    .filter({ hasText: /→.*beds/s })
    .getByRole('button', { name: /^Undo/ })
    .waitFor();
});

type Window = Awaited<ReturnType<typeof openApp>>;

/** Undone once the server has it: taken back there, not out of the outbox. */
const acts: Record<string, (page: Window['page']) => Promise<void>> = {
  complete: (page) => press(page, 'Space'),
  cancel: (page) => press(page, 'Shift+Space'),
  'move to the Trash': (page) => press(page, 'Backspace'),
  'plan for today': (page) => press(page, 't'),
  'move to Someday': (page) => press(page, 'o'),
  rename: async (page) => {
    await press(page, 'r');
    await page.keyboard.type('Another title');
    await press(page, 'Enter');
  },
  'move to a project': async (page) => {
    await press(page, 'm');
    await page.getByRole('dialog').getByRole('combobox').fill('Garden');
    await press(page, 'Enter');
  },
  reorder: (page) => press(page, 'Alt+ArrowDown'),
};

/** All tasks as the API shows them, in the order of the inbox; the time of the change is what may differ. */
async function stateOf({ script }: Window): Promise<string> {
  const inbox = await script.get<{ items: Task[] }>('/tasks?view=inbox');
  const all = [...(await tasksByTitle(script)).values()].sort((a, b) => a.id.localeCompare(b.id));
  const order = inbox.body.items.map(({ id }) => id);
  return JSON.stringify([order, all.map(({ updatedAt: _, ...task }) => task)], null, 1);
}

test.serial('one key takes back what was done to a task, and another does it again', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  await makeProject(script, { title: 'Garden' });
  for (const title of ['Second', 'First']) await makeTask(script, { title });
  await app.visit('/app/inbox');
  const before = await stateOf(app);
  for (const [name, act] of Object.entries(acts)) {
    await rowOf(page, 'First').focus();
    await act(page);
    await waitFor(async () => (await stateOf(app)) !== before, { what: name });
    const after = await stateOf(app);
    for (const [keys, state] of [
      ['Control+z', before],
      ['Control+Shift+z', after],
      ['Control+z', before],
    ] as const) {
      await press(page, keys);
      await waitFor(async () => (await stateOf(app)) === state).catch(() => undefined);
      t.is(await stateOf(app), state, `${name}, ${keys}`);
    }
    await rowOf(page, 'First').waitFor();
  }
});

test.serial('a deadline and a repeat of several tasks are told, and taken back by the button', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  for (const title of ['Third', 'Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  const toast = (text: string) => page.locator('.toast', { hasText: text });
  const undo = async (label: string) => {
    await toast(label).getByRole('button', { name: 'Undo' }).focus();
    await press(page, 'Enter');
    await page.locator('[data-row]:focus').waitFor();
    await toast(`Undone: ${label}`).waitFor();
  };
  const count = async (field: 'deadlineDate' | 'recurrence') =>
    [...(await tasksByTitle(script)).values()].filter((task) => task[field] !== null).length;
  await rowOf(page, 'First').focus();
  await press(page, 'x', 'Shift+ArrowDown', 'd');
  await page.getByRole('dialog').getByRole('option', { name: 'Tomorrow' }).click();
  await waitFor(async () => (await count('deadlineDate')) === 2);
  await undo('Set the deadline of 2 tasks to tomorrow');
  await waitFor(async () => (await count('deadlineDate')) === 0);
  await rowOf(page, 'First').focus();
  await press(page, 'x', 'Shift+ArrowDown', 'Shift+R');
  await page.getByRole('dialog').getByRole('option', { name: 'Daily' }).click();
  await waitFor(async () => (await count('recurrence')) === 2);
  await undo('Set the repeat of 2 tasks: Daily');
  await waitFor(async () => (await count('recurrence')) === 0);
  // Someday has no dates: what goes is said.
  const { id } = await makeTask(script, { title: 'Practise' });
  await script.patch(`/tasks/${id}`, { deadlineDate: '2099-12-20' });
  await visit('/app/upcoming');
  await rowOf(page, 'Practise').focus();
  await press(page, 'o');
  await toast('Moved “Practise” to Someday, without the deadline').waitFor();
});

test.serial('a task that is open again does not fold away with the others that were completed', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  await rowOf(page, 'First').focus();
  await page.evaluate(`window.folded = new Set(); new MutationObserver(() => {
    for (const row of document.querySelectorAll('.is-folding')) folded.add(row.textContent);
  }).observe(document.body, { subtree: true, attributeFilter: ['class'] })`);
  const first = rowOf(page, 'First').getByRole('checkbox');
  await press(page, 'Space');
  await first.and(page.locator('[aria-checked="true"]')).waitFor();
  await press(page, 'Control+z');
  await first.and(page.locator('[aria-checked="false"]')).waitFor();
  await rowOf(page, 'Second').focus();
  await press(page, 'Space');
  await rowOf(page, 'Second').waitFor({ state: 'detached' });
  t.deepEqual(await page.evaluate('[...folded]'), ['Second']);
});

test.serial('a toast stands in the middle of the list, beside the sidebar and the open task', async (t) => {
  const { page, script, visit } = await openApp(t);
  for (const title of ['Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  const isCentred = async () => {
    const [toast, list] = await Promise.all(
      ['.toast', '#main'].map((selector) => page.locator(selector).boundingBox()),
    );
    const middle = (box: typeof toast) => (box?.x ?? 0) + (box?.width ?? 0) / 2;
    return Math.abs(middle(toast) - middle(list)) <= 1;
  };
  await rowOf(page, 'First').focus();
  await press(page, 't');
  // It stays as long as it has the focus.
  await page.locator('.toast .btn').focus();
  t.true(await isCentred());
  await press(page, '\\');
  await page.locator('.side').waitFor({ state: 'hidden' });
  t.true(await isCentred());
  await press(page, '\\');
  await page.locator('.side').waitFor();
  await rowOf(page, 'Second').focus();
  await press(page, 'Enter');
  await page.locator('.detail').waitFor();
  t.true(await isCentred());
});

test.serial('the history shows where notes differ, and all of them', async (t) => {
  const { page, script, visit } = await openApp(t);
  const steps = Array.from({ length: 60 }, (_, line) => `Step ${line + 1} of the plan`).join('\n');
  const plan = `${steps}\n🌱🌱🌱🌱🌱🌱🌱🌱`;
  const { id } = await makeTask(script, { title: 'Move', description: `${plan} Ask Ann` });
  await script.patch(`/tasks/${id}`, { description: `${plan} Ask Bob` });
  await visit(`/app/inbox?task=${id}`);
  await page.locator('.detail').getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog');
  await history.locator('del', { hasText: /^…🌱{7} Ask Ann$/u }).waitFor();
  await history.locator('ins', { hasText: /^…🌱{7} Ask Bob$/u }).waitFor();
  await history.getByText('Show more of the notes').click();
  await history.locator('pre', { hasText: `${plan} Ask Ann` }).waitFor();
  await takePicture(page, 'history-of-notes');
  await history.getByText('The newest 100,000 changes of the last 30 days are kept.').waitFor();
  // Among the changes of everything texts are cut, which leaves nothing to compare.
  await visit('/app/activity');
  const batch = page.getByRole('main').locator('.batch').first();
  await batch.getByText('longer text').waitFor();
  t.is(await batch.locator('del').count(), 0);
  t.deepEqual(await accessibilityFaults(page), []);
});

test.serial('the keys to the next and the first row lead from entry to entry of Activity', async (t) => {
  const { page, person, script, visit } = await openApp(t);
  const newer = 'להתקשר לרופא';
  await makeTask(script, { title: 'Older' });
  await makeTask(stack.client(await stack.createToken(person, { name: 'Other script' })), { title: newer });
  await visit('/app/activity');
  const link = (title: string) => page.getByRole('link', { name: title });
  await link('Older').waitFor();
  await press(page, 'j');
  await hasFocus(link(newer));
  await press(page, 'j');
  await hasFocus(link('Older'));
  await press(page, 'Home');
  await hasFocus(link(newer));
  t.is(await link(newer).and(page.locator(':dir(rtl)')).count(), 1, 'it is cut at its end');
});

test.serial('that a date was removed is told without the list that held the task meanwhile', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Call', dueDate: '2099-01-05' });
  await visit('/app/upcoming');
  await rowOf(page, 'Call').focus();
  await press(page, 'a');
  await waitFor(async () => (await tasksByTitle(script)).get('Call')?.list === 'inbox');
  await press(page, 'g', 'h');
  await page.getByText('You removed the date of 1 task and moved 1').waitFor();
  t.is(await page.getByRole('main').getByText('Someday').count(), 0);
});
