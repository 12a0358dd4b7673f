import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';

const { openApp, stack } = await startApp(test);

test.serial(
  'a filter without changes says so, once there are no older changes to look at; older ones come once and stay',
  async (t) => {
    const app = await openApp(t);
    const { page, script, person } = app;
    const task = await makeTask(script, { title: 'Water the plants' });
    // Longer than a page.
    await stack.sql`insert into tasks.change_history (account_id, sequence, changed_at, entity, entity_id, change,
      actor_kind, actor_id, actor_name, is_undo, has_long_values, before)
    select ${person.accountId}, 100 + number, now() + number * interval '1 second', 'task', ${task.id}, 'updated',
      'app', 'a', 'Robot', false, false, jsonb_build_object('title', 'Title ' || number)
    from generate_series(1, 400) number`;
    await app.visit('/app/activity');
    const batches = page.getByRole('main').locator('.batch');
    const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await batches.first().waitFor();
    await choose('Scripts');
    await page.getByRole('button', { name: 'Show older changes' }).waitFor();
    t.is(await batches.count(), 0);
    t.is(await page.getByText(/^No changes/).count(), 0);
    const mayAnswer = Promise.withResolvers<void>();
    await page.route('**/activity?cursor=*', async (route) => {
      await mayAnswer.promise;
      await route.continue();
    });
    const older = page.getByRole('button', { name: 'Show older changes' });
    await older.click();
    await older.click();
    mayAnswer.resolve();
    const ofScript = batches.filter({ hasText: 'Nightly script' });
    await ofScript.getByText('added 1 task').waitFor();
    // What a script changes then is shown without another press.
    await makeTask(script, { title: 'Water the garden' });
    await ofScript.getByText('added 2 tasks').waitFor();
    t.is(await ofScript.count(), 1);
    await choose('You');
    await page.getByText('No changes by you in the last 30 days.').waitFor();
    t.deepEqual(app.faults, []);
  },
);

test.serial('activity says what became of a date and of a checklist', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const dueDate = Temporal.Now.plainDateISO('UTC').toString();
  const { id } = await makeTask(script, { title: 'Water', dueDate, recurrence: { frequency: 'daily' } });
  const items = [{ title: 'Can' }, { title: 'Hose' }, { title: 'Pot' }];
  const { body } = await script.patch<Task>(`/tasks/${id}`, { checklist: items });
  const checklist = body.checklist.map((item) => ({ ...item, completed: item.title !== 'Pot' }));
  await script.patch(`/tasks/${id}`, { checklist });
  await script.post(`/tasks/${id}/skip`);
  await app.visit(`/app/activity?task=${id}`);
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
      'Water',
      'Water checklist added 3 items',
      'Water checklist ticked 2 items',
      'Water status open → to skipped date today → to tomorrow checklist unticked 2 items',
    ],
  );
  await page.locator('.meta-foot', { hasText: 'skipped it from today to tomorrow' }).waitFor();
  t.deepEqual(app.faults, []);
});

test.serial('what was taken back is not counted as done, also on a device that did not do it', async (t) => {
  const app = await openApp(t);
  await app.visit('/app/');
  const { page, script } = app;
  const strip = page.locator('.strip', { hasText: 'Nightly script added' });
  await makeTask(script, { title: 'Water' });
  await strip.getByRole('button', { name: 'Undo' }).click();
  await strip.waitFor({ state: 'detached' });
  await makeTask(script, { title: 'Weed' });
  await strip.getByText('added 1 task').waitFor();
  // As on another device.
  await page.evaluate('localStorage.clear()');
  await page.reload();
  await strip.getByText('added 1 task').waitFor();
  t.deepEqual(app.faults, []);
});

test.serial('an undo of an older change says that it stays with that one alone', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const { id } = await makeTask(script, { title: 'Water' });
  await script.patch(`/tasks/${id}`, { title: 'Water the roses' });
  await script.patch(`/tasks/${id}`, { title: 'Water the beds' });
  await app.visit('/app/activity');
  const lines = page.locator('.batch', { hasText: 'Nightly script' }).locator('.diff > li');
  const older = lines.filter({ hasText: /Water\s*→.*roses/ });
  await older.getByRole('button', { name: /^Undo/ }).click();
  await older.getByText('Stays. It was changed since.').waitFor();
  t.is(await lines.getByText('Stays. It was changed since.').count(), 1);
  await lines
    .filter({ hasText: /→.*beds/s })
    .getByRole('button', { name: /^Undo/ })
    .waitFor();
  t.deepEqual(app.faults, []);
});
