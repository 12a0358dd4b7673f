import test from 'ava';
import { connectedAppsPath } from '#shared/app/app-protocol.ts';
import type { PushPayload } from '#shared/app/push-payload.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, registerClient } from '#tests/oauth/oauth-flow.ts';
import { samplePng } from '#tests/oauth/sample-pictures.ts';
import { makeTask } from '#tests/support/factories.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { inspect, views } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type AppWindow, startApp } from './app-window.ts';

const { stack, openApp } = await startApp(test);
const endpoints = createOAuthEndpoints(stack.baseUrl);

test.serial('an assistant is connected by the steps shown, and says what it did last', async (t) => {
  const { page, person, visit, faults } = await openApp(t, { view: views[0] });
  await visit('/app/anytime');
  await page.getByRole('link', { name: 'Lists' }).click();
  await page.getByRole('link', { name: 'Assistants' }).first().click();
  await page.getByText('Waiting for the first connection').waitFor();
  t.is(new URL(page.url()).pathname, '/app/assistants');
  await page.getByText('Claude Code', { exact: true }).click();
  await page.getByText(`claude mcp add --transport http tasks ${stack.baseUrl}/mcp`).waitFor();
  await inspect(t, { page, faults }, 'assistants-none');

  const owner = createPageBrowser(stack.baseUrl);
  await owner.signIn(person);
  const clientId = await registerClient({ endpoints });
  const app = await connectApp({ endpoints, browser: owner }, { clientId });
  await stack.sql`insert into auth.client_logo (client_id, image, stored_at)
      values (${clientId}, ${samplePng(96, 96)}, now())`;
  const connected = page.getByRole('region', { name: 'Connected' });
  await connected.getByText('Test app').waitFor();
  await connected.getByText('No changes in the last 30 days').waitFor();
  const client = stack.client(app.tokens.access_token);
  for (const title of ['Milk', 'Bread']) await client.post('/tasks', { title });
  await connected.getByText('Added 2 tasks, just now').waitFor();
  await page.reload();
  await connected.getByText('Added 2 tasks').waitFor();
  await connectApp({ endpoints, browser: owner }, { clientId });
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await connected.getByRole('listitem').nth(1).waitFor();
  t.is(await connected.locator(`img[src="${connectedAppsPath}/${app.grantId}/logo"]`).count(), 1);
  await connected.getByText('No changes in the last 30 days').waitFor();
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/activity?actor=')) reads += 1;
  });
  await client.post('/areas', { title: 'Home' });
  await connected.getByText('and 1 area').waitFor();
  t.is(reads, 0, 'what one app does is not asked for once per app');
  await inspect(t, { page, faults }, 'assistants');
});

test.serial('who begins is led to a first task and an assistant, until one of them is there', async (t) => {
  const { page, person, visit } = await openApp(t);
  const owner = createPageBrowser(stack.baseUrl);
  await owner.signIn(person);
  const card = page.getByRole('heading', { name: 'Connect an assistant' });
  for (const path of ['/app/inbox', '/app/']) {
    await visit(path);
    await card.waitFor();
    await page.getByText('This service runs only on this device').waitFor();
    t.is(await page.locator('.empty:visible').count(), 0, path);
  }
  await page.getByRole('button', { name: 'Add a task, such as: Buy milk tomorrow' }).click();
  await page.getByRole('textbox', { name: 'Task' }).fill('First');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'First' }).waitFor();
  t.is(await card.count(), 0);
  await page.getByRole('row', { name: 'First' }).press('Delete');
  await card.waitFor();
  await connectApp({ endpoints, browser: owner }, { clientId: await registerClient({ endpoints }) });
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await page.getByText('Test app is connected').waitFor();
  for (const [path, words] of [
    ['/app/', 'Nothing planned.'],
    ['/app/inbox', 'Inbox is empty.'],
  ] as const) {
    const read = page.waitForEvent('requestfinished', (request) => request.url().endsWith(connectedAppsPath));
    await visit(path);
    await read;
    await page.getByText(words).waitFor();
    t.is(await card.count(), 0, path);
  }
});

test.serial('the assistant server’s address shows in a browser how an assistant is connected', async (t) => {
  const { page, visit, faults } = await openApp(t);
  await visit('/mcp');
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  await page.getByText('Claude Code', { exact: true }).click();
  await page.getByText(`claude mcp add --transport http tasks ${stack.baseUrl}/mcp`).waitFor();
  await inspect(t, { page, faults }, 'assistant-server');
  await page.getByRole('link', { name: 'What the connected ones did' }).click();
  await page.getByRole('heading', { level: 1, name: 'Assistants' }).waitFor();
});

type Shown = { tag: string; title: string; body: string; actions: string[] };

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
  await worker.evaluate(`self.shown = [];
    registration.showNotification = async (title, { tag, body, actions = [], data }) => {
    const others = shown.filter((each) => each.tag !== tag);
    shown = [...others, { tag, title, body, data, actions: actions.map(({ action }) => action) }];
  }`);
  return {
    /** Nothing is shown before. */
    async deliver(payloads: PushPayload[]): Promise<void> {
      await worker.evaluate('shown = []');
      await devTools.send('ServiceWorker.deliverPushMessage', {
        origin: stack.baseUrl,
        registrationId,
        data: JSON.stringify(payloads),
      });
    },
    answerWith: (status: number) =>
      worker.evaluate(`fetch = async () => Response.json({}, { status: ${status} })`),
    shown: () => worker.evaluate<Shown[]>('shown'),
    /** Presses a button of the one notification that is shown; resolves when all is done. */
    press: (action: string) =>
      worker.evaluate(`new Promise((resolve) => {
        const [notification] = shown;
        notification.close = () => { shown = []; };
        const waitUntil = (work) => work.then(resolve);
        const click = new Event('notificationclick');
        dispatchEvent(Object.assign(click, { action: '${action}', notification, waitUntil }));
      })`),
  };
}

test('a notification completes its task or moves it to tomorrow, and reports failures', async (t) => {
  const app = await openApp(t, {
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
    await deliver([payloadFor(task.id)]);
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

  await deliver(['Ada', 'Bea'].map((title) => ({ ...payloadFor(title), title })));
  await waitFor(async () => (await shown()).length === 2);
  t.deepEqual((await shown()).map(({ title }) => title).toSorted(), ['Ada', 'Bea']);
});

test('where no reminder would be sent, a task with one says so and links to the settings', async (t) => {
  const { page, script, visit } = await openApp(t);
  await makeTask(script, {
    title: 'Call Ada',
    dueDate: Temporal.Now.plainDateISO('UTC').toString(),
    reminderTime: '23:59',
  });
  await visit('/app/');
  await page.getByText('Call Ada').first().click();
  const note = page.getByText('nothing will be sent');
  await note.waitFor();
  await page.keyboard.press('s');
  await note.nth(1).waitFor();
  await takePicture(page, 'app/reminder-note');
  await page.getByRole('link', { name: 'Turn them on' }).last().click();
  await page.getByText('No reminder will be sent').waitFor();
  // Chromium without a window blocks notifications: a press of the button could only say so again.
  await page.getByText('are blocked in your browser’s settings').waitFor();
  t.is(await page.getByRole('button', { name: 'Turn on reminders here' }).count(), 0);
});

test.serial('what reminders and offline use need is fetched once the network is back', async (t) => {
  const { page, context, visit } = await openApp(t);
  await context.addInitScript(`const { serviceWorker } = navigator;
    serviceWorker.register = () => {
      window.isRefused = delete serviceWorker.register;
      return Promise.reject(new TypeError('Failed to fetch'));
    };`);
  await visit('/app/inbox');
  await waitFor(() => page.evaluate<boolean>('window.isRefused === true'));
  await page.evaluate(`void dispatchEvent(new Event('online'))`);
  const registered = 'navigator.serviceWorker.getRegistration().then((found) => found !== undefined)';
  await waitFor(() => page.evaluate<boolean>(registered));
  t.pass();
});
