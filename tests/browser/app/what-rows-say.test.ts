import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { showsTexts } from './page-steps.ts';

const { openApp } = await startApp(test);

const today = Temporal.Now.plainDateISO('UTC').toString();

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
