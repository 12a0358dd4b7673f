import test from 'ava';
import type { PushPayload } from '#shared/app/push-payload.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type AppWindow, openApp } from './app-window.ts';

const browser = await launchChromium();
const stack = await startStack(undefined, { withAuthServer: true });
test.after.always(async () => {
  await browser.close();
  await stack.close();
});

type Shown = { title: string; body: string; actions: string[] };

/** The app's service worker, which gets messages as a push service delivers them. */
async function openWorker({ context, page, visit }: AppWindow) {
  const starting = context.waitForEvent('serviceworker');
  const devTools = await context.newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [found] = registrations;
    if (found !== undefined) registered.resolve(found.registrationId);
  });
  await devTools.send('ServiceWorker.enable');
  await visit('/app/');
  const worker = await starting;
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const registrationId = await registered.promise;
  // A browser without windows has no place for notifications.
  await worker.evaluate(`self.shown = []; registration.showNotification = async (title, { body, actions = [], data }) => {
    shown = [{ title, body, data, actions: actions.map(({ action }) => action) }];
  }`);
  return {
    deliver: (payload: PushPayload) =>
      devTools.send('ServiceWorker.deliverPushMessage', {
        origin: stack.baseUrl,
        registrationId,
        data: JSON.stringify(payload),
      }),
    answerWith: (status: number) =>
      worker.evaluate(`fetch = async () => Response.json({}, { status: ${status} })`),
    shown: () => worker.evaluate<Shown[]>('shown'),
    /** Presses a button of the one notification that is shown; resolves when all is done. */
    press: (action: string) =>
      worker.evaluate(`new Promise((resolve) => {
        const [notification] = shown;
        notification.close = () => { shown = []; };
        const waitUntil = (work) => work.then(resolve);
        dispatchEvent(Object.assign(new Event('notificationclick'), { action: '${action}', notification, waitUntil }));
      })`),
  };
}

test('a notification completes its task or moves it to tomorrow, and says what stands in the way', async (t) => {
  const app = await openApp(t, browser, stack, {
    timezone: 'Pacific/Pago_Pago',
    device: { timezoneId: 'Pacific/Kiritimati' },
  });
  const { deliver, answerWith, shown, press } = await openWorker(app);
  const today = Temporal.Now.plainDateISO('Pacific/Pago_Pago').toString();
  const payloadFor = (taskId: string): PushPayload => ({
    ...{ kind: 'task', tag: taskId, taskId, title: 'Call Ada' },
    ...{ dueDate: today, time: '09:00', timezone: 'Pacific/Pago_Pago' },
  });
  const remind = async () => {
    const task = await makeTask(app.script, { title: 'Call Ada', dueDate: today, reminderTime: '09:00' });
    await deliver(payloadFor(task.id));
    await waitFor(async () => (await shown()).length === 1, {
      timeoutMilliseconds: 30_000,
      what: 'the notification',
    });
    return task;
  };
  const read = async (id: string) =>
    (await app.script.get<{ status: string; dueDate: string }>(`/tasks/${id}`)).body;

  const done = await remind();
  t.like((await shown())[0], { title: 'Call Ada', actions: ['done', 'tomorrow'] });
  await press('done');
  t.is((await read(done.id)).status, 'completed');
  t.deepEqual(await shown(), []);

  const later = await remind();
  await press('tomorrow');
  t.like(await read(later.id), {
    status: 'open',
    dueDate: Temporal.PlainDate.from(today).add({ days: 1 }).toString(),
  });

  const moved = await remind();
  await app.script.patch(`/tasks/${moved.id}`, { reminderTime: '10:00' });
  await press('done');
  t.is((await read(moved.id)).status, 'open');
  t.regex((await shown())[0]?.body ?? '', /the task has changed/);

  await remind();
  t.is((await shown())[0]?.body, 'Reminder, 09:00');
  await answerWith(503);
  await press('done');
  t.regex((await shown())[0]?.body ?? '', /^Not done: the service could not be reached/);
});

test('where no reminder would be sent, a task with a reminder says so and leads to the settings', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page } = app;
  await makeTask(app.script, {
    title: 'Call Ada',
    dueDate: Temporal.Now.plainDateISO('UTC').toString(),
    reminderTime: '23:59',
  });
  await app.visit('/app/');
  await page.getByText('Call Ada').first().click();
  await page.keyboard.press('s');
  await page.getByText('nothing will be sent').waitFor();
  await takePicture(page, 'app/reminder-note');
  await page.getByRole('link', { name: 'Turn them on' }).click();
  await page.getByText('No reminder will be sent').waitFor();
  // Chromium without a window blocks notifications: a press of the button could only say so again.
  await page.getByText('are blocked in your browser’s settings').waitFor();
  t.is(await page.getByRole('button', { name: 'Turn on reminders here' }).count(), 0);
  t.deepEqual(app.faults, []);
  for (const [name, width, colorScheme] of [
    ['phone-light', 390, 'light'],
    ['desktop-dark', 1280, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `settings/reminders-${name}`);
  }
});
