import test from 'ava';
import { makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { formatDay } from '#web-app/dates/format-day.ts';
import { startApp } from './app-window.ts';
import { showsTexts } from './page-steps.ts';

const { openApp } = await startApp(test);

const today = Temporal.Now.plainDateISO('UTC').toString();
const inDays = (days: number) => Temporal.PlainDate.from(today).add({ days }).toString();
const short = (days: number) => formatDay(inDays(days), today);

test.serial('an open task says when its time has passed today, and one to come does not', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  await page.clock.install({ time: `${today}T11:59:30Z` });
  const day = { dueDate: today };
  const { id } = await makeTask(script, { title: 'Stand-up', ...day, reminderTime: '09:00' });
  await makeTask(script, { title: 'Lunch', ...day, reminderTime: '12:00' });
  await makeTask(script, { title: 'Dentist', ...day, reminderTime: '18:30' });
  await app.visit('/app/');
  const times = page.locator('.row time');
  await showsTexts(times, ['reminder 09:00 passed', 'reminder 12:00', 'reminder 18:30']);
  await page.clock.fastForward(91_000);
  await showsTexts(times, ['reminder 09:00 passed', 'reminder 12:00 passed', 'reminder 18:30']);
  await takePicture(page, 'app/passed-desktop-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await takePicture(page, 'app/passed-phone-dark');
  await script.post(`/tasks/${id}/complete`);
  await app.visit(`/app/?task=${id}`);
  const reminder = page.getByRole('button', { name: 'Reminder' });
  await showsTexts(reminder, ['Reminder: 09:00']);
  await script.post(`/tasks/${id}/uncomplete`);
  await showsTexts(reminder, ['Reminder: 09:00passed']);
  t.deepEqual(app.faults, []);
});

test.serial(
  'occurrences that were done are told apart by their day, and nothing closed is late',
  async (t) => {
    const app = await openApp(t, { plan: 'premium' });
    const { page, script } = app;
    const recurrence = { frequency: 'weekly' } as const;
    const title = 'Water all the plants in the house and on the balcony';
    const water = await makeTask(script, { title, dueDate: inDays(-14), recurrence });
    await script.post(`/tasks/${water.id}/complete`);
    await script.patch(`/tasks/${water.id}`, { dueDate: today });
    await script.post(`/tasks/${water.id}/complete`);
    const late = await makeTask(script, { title: 'Report', dueDate: today, deadlineDate: inDays(-20) });
    await script.post(`/tasks/${late.id}/complete`);
    await app.visit('/app/logbook');
    await showsTexts(page.locator('.record'), ['Report', title, `${title}for ${short(-14)}`]);
    await page.setViewportSize({ width: 390, height: 844 });
    t.true(((await page.getByText(`for ${short(-14)}`).boundingBox())?.height ?? 99) < 30, 'in one line');
    await app.visit('/app/');
    await page.getByRole('button', { name: /^Done today/ }).click();
    await showsTexts(page.locator('.row time'), [`deadline ${short(-20)}`, short(-14)]);
    t.is(await page.locator('.row .late').count(), 0);
    t.deepEqual(app.faults, []);
  },
);

test.serial('a search shows what is closed as closed, behind what is open', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  for (const [title, deed] of [
    ['Garden of last year', 'complete'],
    ['Garden of this year', null],
  ] as const) {
    const { id } = await makeProject(script, { title });
    if (deed !== null) await script.post(`/projects/${id}/${deed}`, {});
  }
  const { id } = await makeTask(script, { title: 'Garden gate', dueDate: inDays(-20) });
  await script.post(`/tasks/${id}/cancel`);
  await app.visit('/app/?q=garden');
  const found = page.getByRole('option').filter({ hasText: 'Garden' });
  await showsTexts(found, [
    `Garden gateCancelled today, for ${short(-20)}`,
    'Garden of this yearProject',
    'Garden of last yearCompleted project',
  ]);
  await takePicture(page, 'app/closed-in-search');
  t.deepEqual(app.faults, []);
});

test.serial('in a long Upcoming each heading stands above its tasks', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  for (const days of [1, 2, 3]) await makeTasks(script, 2, { dueDate: inDays(days) });
  await makeTasks(script, 200, { dueDate: inDays(70) });
  await app.visit('/app/upcoming');
  const lines = page.locator('[role="grid"] > [aria-rowindex]');
  await lines.nth(8).waitFor();
  const tops = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().top));
  t.deepEqual(
    tops.toSorted((a, b) => a - b),
    tops,
  );
  t.deepEqual(app.faults, []);
});

test.serial('a deadline counts its days up to two weeks; Upcoming names the month that begins', async (t) => {
  const app = await openApp(t, { plan: 'premium' });
  const { page, script } = app;
  const { id: projectId } = await makeProject(script);
  await makeTask(script, { title: 'Far', projectId, deadlineDate: inDays(15) });
  await makeTask(script, { title: 'Near', projectId, deadlineDate: inDays(14) });
  await app.visit(`/app/project/${projectId}`);
  await showsTexts(page.locator('.row time'), ['deadline in 14 days', `deadline ${short(15)}`]);
  const days = [1, 2, 3, 4, 5, 6, 7].map((count) => Temporal.PlainDate.from(today).add({ days: count }));
  for (const day of days) await makeTask(script, { title: 'Daily', dueDate: day.toString() });
  await app.visit('/app/upcoming');
  const named = days.map((day, index) => {
    const name = index === 0 ? 'Tomorrow' : day.toLocaleString('en-GB', { weekday: 'long' });
    return day.day === 1 ? `${name} ${day.toLocaleString('en-GB', { month: 'long' })}` : name;
  });
  await showsTexts(page.locator('.day h2'), named);
  t.deepEqual(app.faults, []);
});

test.serial('Today counts as done what was completed, not what was cancelled', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  for (const title of ['Call', 'Write']) {
    const { id } = await makeTask(script, { title, dueDate: today });
    await script.post(`/tasks/${id}/cancel`);
  }
  await app.visit('/app/');
  await page.getByText('Nothing planned.').waitFor();
  const { id } = await makeTask(script, { title: 'Read', dueDate: today });
  await script.post(`/tasks/${id}/complete`);
  await page.getByText('1 task done. Tomorrow has 0.').waitFor();
  t.deepEqual(app.faults, []);
});
