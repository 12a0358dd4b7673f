import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { press, rowOf, tasksByTitle, waitFor } from './page-steps.ts';

const { openApp } = await startApp(test);

type Window = Awaited<ReturnType<typeof openApp>>;
const today = new Date().toISOString().slice(0, 10);

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

test.serial('one key takes back what was done to a task', async (t) => {
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
    await press(page, 'Control+z');
    await waitFor(async () => (await stateOf(app)) === before).catch(() => undefined);
    t.is(await stateOf(app), before, name);
    await rowOf(page, 'First').waitFor();
  }
  t.deepEqual(app.faults, []);
});

test.serial('one key takes back a completed repeat with its logged occurrence', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  await makeTask(script, { title: 'Water the plants', dueDate: today, recurrence: { frequency: 'daily' } });
  await app.visit('/app/');
  await rowOf(page, 'Water the plants').focus();
  const open = async () => {
    const { body } = await script.get<{ items: Task[] }>('/tasks?view=all');
    return JSON.stringify(body.items.map(({ updatedAt: _, ...task }) => task));
  };
  const before = await open();
  await press(page, 'Space');
  await page.getByText('Done. Next tomorrow').waitFor();
  t.not(await open(), before);
  await press(page, 'Control+z');
  await waitFor(async () => (await open()) === before).catch(() => undefined);
  t.is(await open(), before);
});

test.serial('a task that is open again does not fold away with the others that were completed', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  for (const title of ['Second', 'First']) await makeTask(script, { title });
  await app.visit('/app/inbox');
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
  const app = await openApp(t);
  const { page, script } = app;
  for (const title of ['Second', 'First']) await makeTask(script, { title });
  await app.visit('/app/inbox');
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
