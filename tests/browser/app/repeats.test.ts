import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';
import { press, rowOf, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const { openApp } = await startApp(test);

const today = new Date().toISOString().slice(0, 10);
const inDays = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
const daily = { frequency: 'daily', interval: 3 } as const;

test.serial('an occurrence is skipped by key or menu, and taken back', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  await makeTask(script, { title: 'Once', dueDate: today });
  await makeTask(script, { title: 'Water', dueDate: today, recurrence: daily });
  const dueDate = async () => (await tasksByTitle(script)).get('Water')?.dueDate;
  await app.visit('/app');
  await showsTitles(page, 'Once', 'Water');
  await rowOf(page, 'Water').focus();
  await press(page, 'Shift+S');
  await page.getByText('Skipped. Next on').waitFor();
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
  t.deepEqual(app.faults, []);
});

test.serial(
  'a rule is put together by hand, with a weekday of the month and an end; another has neither',
  async (t) => {
    const app = await openApp(t);
    const { page, script } = app;
    await makeTask(script, { title: 'Report', dueDate: today });
    const rule = async () => (await tasksByTitle(script)).get('Report')?.recurrence;
    await app.visit('/app');
    await rowOf(page, 'Report').focus();
    await press(page, 'Shift+R');
    const dialog = page.getByRole('dialog', { name: 'Repeat' });
    await dialog.getByLabel('How often').press('Backspace');
    await page.keyboard.type('2');
    await dialog.getByLabel('Unit').selectOption('months');
    await dialog.getByLabel('Day of the month').selectOption('on the last');
    await dialog.getByLabel('Weekday').selectOption('Friday');
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
    await dialog.getByRole('option', { name: 'Daily' }).click();
    await waitFor(async () => (await rule())?.frequency === 'daily');
    t.deepEqual(Object.keys((await rule()) ?? {}).sort(), [
      'frequency',
      'fromCompletion',
      'interval',
      'weekdays',
    ]);
    t.deepEqual(app.faults, []);
  },
);
