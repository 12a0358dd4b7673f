import test from 'ava';
import { newPerson } from '#tests/pages/visitors.ts';
import { insertTasks, makeProject, makeTask } from '#tests/support/factories.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { addCookies } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { type AppWindow, startApp } from './app-window.ts';
import {
  addByKeys,
  goOffline,
  press,
  rowOf,
  showsTitles,
  storedCounts,
  tasksByTitle,
  waitFor,
} from './page-steps.ts';

const { stack, openApp } = await startApp(test);

async function endSessions({ person }: Pick<AppWindow, 'person'>): Promise<void> {
  await stack.sql`delete from auth.browser_session where account_id = ${person.accountId}`;
  await stack.announceChange(person.accountId);
}

async function signIn({ page }: AppWindow, { email, password }: { email: string; password: string }) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/app/inbox*');
}

test.serial(
  'nothing is taken before it is known whose it is, then its rows once; a link that adds a task waits',
  async (t) => {
    const { page, script } = await openApp(t);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const { promise: slowness, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/app/session/token', async (route) => {
      await slowness;
      await route.continue();
    });
    await page.goto(`${stack.baseUrl}/app/inbox?add=Milk`);
    await page.getByRole('status').filter({ hasText: 'on their way' }).waitFor();
    await page.keyboard.press('n');
    t.is(await page.locator('button, textarea, dialog').count(), 0);
    goOn();
    await page.locator('dialog textarea:focus').waitFor();
    await page.keyboard.press('Enter');
    await waitFor(async () => (await tasksByTitle(script)).has('Milk'));
    t.is(asked.filter((path) => path === '/app/api/v1/snapshot').length, 1);
  },
);

test.serial('a sign-out that does not reach the server loses nothing that was not sent', async (t) => {
  const app = await openApp(t, { faults: /ERR_FAILED/ });
  const { page, context, script } = app;
  await app.visit('/app/inbox');
  const settings = await context.newPage();
  await settings.goto(`${stack.baseUrl}/settings`);
  await goOffline(page);
  await page.getByText('Offline.').waitFor();
  await addByKeys(page, 'Not sent');
  const asked: string[] = [];
  settings.on('dialog', async (dialog) => {
    asked.push(dialog.message());
    await (asked.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  const signOut = settings.getByRole('button', { name: 'Sign out' }).first();
  const note = settings.getByRole('alert');
  await signOut.click();
  await note
    .filter({ hasText: 'you are still signed in, and your tasks are still on this device.' })
    .waitFor();
  // As where there is a network that leads nowhere.
  const isAsked = Promise.withResolvers<void>();
  const mayFail = Promise.withResolvers<void>();
  await context.route('**/*', async (route) => {
    if (route.request().url().endsWith('/sign-out')) isAsked.resolve();
    await mayFail.promise;
    await route.abort();
  });
  await context.setOffline(false);
  await signOut.click();
  await isAsked.promise;
  await note.filter({ hasText: /^Signing out…$/ }).waitFor();
  mayFail.resolve();
  await note.filter({ hasText: 'you are still signed in' }).waitFor();
  await takePicture(settings, 'sign-out-unanswered');
  t.deepEqual(asked, []);
  await rowOf(page, 'Not sent').waitFor();
  await context.unroute('**/*');
  // The app still has no connection, and so cannot send.
  await context.route('**/app/**', (route) => route.abort());
  await signOut.click({ noWaitAfter: true });
  await waitFor(() => asked.length === 1);
  t.regex(asked.join(), /^Changes of the app that this device has not sent yet: 1\./);
  await note.waitFor({ state: 'detached' });
  t.is((await storedCounts(app.page))[`tasks-${app.person.accountId}`]?.records, 1);
  await context.unroute('**/app/**');
  await waitFor(async () => (await tasksByTitle(script)).has('Not sent'));
  t.is((await tasksByTitle(script)).size, 1);
});

test.serial('what was being typed when the session ended is kept, and sent after the sign-in', async (t) => {
  const app = await openApp(t);
  const { page, person, script } = app;
  const { id } = await makeTask(script, { title: 'Private', description: 'Before' });
  await app.visit(`/app/inbox?task=${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.locator('textarea:focus').press('Control+End');
  await page.keyboard.type(' and after');
  const dialog = page.getByRole('dialog', { name: 'You are signed out' });
  // Without a pause, also while the session is ended: so nothing is saved before.
  const typing = waitFor(async () => {
    await page.keyboard.type('.');
    return dialog.isVisible();
  });
  await Promise.all([endSessions(app), typing]);
  await waitFor(async () => (await storedCounts(app.page))[`tasks-${person.accountId}`]?.tasks === 0);
  await page.getByText('1 change is kept on this device').waitFor();
  // The session is refused likewise where the operator has come to require a second factor.
  await dialog.getByText('Your session has ended, or needs a second factor now.').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(app, person);
  const read = async () => (await tasksByTitle(script)).get('Private')?.description ?? '';
  await waitFor(async () => (await read()).endsWith('.'));
  t.regex(await read(), /^Before and after\.+$/);
});

test.serial('an ended session empties page and device; what was not sent stays its owner’s', async (t) => {
  const app = await openApp(t);
  const { page, context, person, script } = app;
  await makeTask(script, { title: 'Private' });
  await app.visit('/app/inbox');
  await showsTitles(page, 'Private');
  await goOffline(page);
  await page.getByText('Offline.').waitFor();
  await addByKeys(page, 'Not sent');
  await press(page, 'n');
  await page.keyboard.insertText('Not added');
  await page.mouse.click(5, 5);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await endSessions(app);
  await context.setOffline(false);
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
  t.is(await page.getByText('Private').count(), 0);
  const name = `tasks-${person.accountId}`;
  await waitFor(async () => (await storedCounts(app.page))[name]?.tasks === 0);
  t.deepEqual((await storedCounts(app.page))[name], { tasks: 0, records: 1 });
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  t.true(await page.getByRole('dialog', { name: 'You are signed out' }).isVisible());
  await page.getByText('1 change is kept on this device').waitFor();

  const other = await newPerson(stack);
  const otherScript = stack.client(await stack.createToken(other));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(app, other);
  await page.getByText('Connect an assistant').waitFor();
  await page.getByRole('button', { name: 'Add a task, such as: Buy milk tomorrow' }).waitFor();
  await press(page, 'n');
  t.is(await page.getByRole('textbox', { name: 'Task' }).inputValue(), '');
  await page.keyboard.press('Escape');
  await addByKeys(page, 'Of the other');
  await waitFor(async () => (await tasksByTitle(otherScript)).has('Of the other'));
  t.deepEqual([...(await tasksByTitle(otherScript)).keys()], ['Of the other']);
  t.deepEqual([...(await tasksByTitle(script)).keys()], ['Private']);
  await endSessions({ person: other });
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(app, person);
  await showsTitles(page, 'Not sent', 'Private');
  await waitFor(async () => (await tasksByTitle(script)).has('Not sent'));
  t.is((await tasksByTitle(script)).size, 2);
  await press(page, 'n');
  t.is(await page.getByRole('textbox', { name: 'Task' }).inputValue(), 'Not added');
  t.is((await tasksByTitle(otherScript)).size, 1);
});

test.serial('a password changed elsewhere empties open pages, and one sign-in brings all back', async (t) => {
  const app = await openApp(t);
  const { page, context, person, script } = app;
  await makeTask(script, { title: 'Private' });
  await app.visit('/app/inbox');
  const beside = await context.newPage();
  await beside.goto(page.url());
  await showsTitles(beside, 'Private');
  const elsewhere = createPageBrowser(stack.baseUrl);
  await elsewhere.signIn(person);
  const passwords = { current_password: person.password, new_password: 'eight loud lighthouses' };
  const answer = await elsewhere.submit(await elsewhere.get('/settings'), '/settings/password', passwords);
  t.is(answer.status, 303);
  for (const open of [page, beside]) await open.getByRole('dialog', { name: 'You are signed out' }).waitFor();
  t.is(await page.getByText('Private').count(), 0);
  await waitFor(async () => (await storedCounts(app.page))[`tasks-${person.accountId}`]?.tasks === 0);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(app, { email: person.email, password: passwords.new_password });
  await showsTitles(page, 'Private');
  await showsTitles(beside, 'Private');
});

test.serial('a suspended account reads all and changes nothing; what waits is sent later', async (t) => {
  const { page, person, script, visit } = await openApp(t);
  for (const title of ['Second', 'First']) await makeTask(script, { title });
  await visit('/app/inbox');
  await showsTitles(page, 'First', 'Second');
  // The app learns of it by what it sends, not by what it happens to ask for before.
  const sent = Promise.withResolvers<void>();
  await page.route(/\/changes\?/, (route) => sent.promise.then(() => route.continue()));
  await stack.sql`update auth.account set status = 'suspended' where id = ${person.accountId}`;
  await addByKeys(page, 'Written meanwhile');
  await stack.announceChange(person.accountId);
  sent.resolve();
  await page.getByText('Your account is suspended.').waitFor();
  await showsTitles(page, 'Written meanwhile', 'First', 'Second');
  await rowOf(page, 'First').focus();
  await press(page, 'Space');
  await page.locator('.toast', { hasText: 'suspended' }).waitFor();
  await rowOf(page, 'First').click();
  await page.getByRole('button', { name: /^List/ }).and(page.locator('[aria-disabled="true"]')).waitFor();
  await stack.setStatus(person, 'active');
  await page.getByText('Your account is suspended.').waitFor({ state: 'detached' });
  await waitFor(async () => (await tasksByTitle(script)).has('Written meanwhile'));
  t.is((await tasksByTitle(script)).get('First')?.status, 'open');
  t.is((await tasksByTitle(script)).size, 3);
});

test.serial('while an account is suspended no way leads to a change', async (t) => {
  const { page, person, script, visit } = await openApp(t, { plan: 'premium' });
  const { id: projectId } = await makeProject(script, { title: 'Garden', deadlineDate: '2099-12-24' });
  await makeTask(script, { title: 'Dig', projectId, dueDate: '2099-12-01' });
  await visit(`/app/project/${projectId}`);
  const row = rowOf(page, 'Dig');
  const disabled = (name: RegExp) =>
    page.getByRole('button', { name }).and(page.locator('[aria-disabled="true"]'));
  await page.locator('.strip', { hasText: 'Nightly script' }).waitFor();
  await stack.setStatus(person, 'suspended');
  await page.getByText('Your account is suspended.').waitFor();
  await disabled(/^Undo/).waitFor();
  await disabled(/^Deadline: .* 24 December 2099/).waitFor();
  await row.focus();
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
  await page.locator('.toast', { hasText: 'suspended' }).waitFor();
  t.is(await page.getByRole('dialog').count(), 0);
  await row.locator('.t').dblclick();
  await page.locator('.detail').waitFor();
  t.is(await page.locator('[data-row] input').count(), 0);
  await press(page, 'Control+k');
  await page.keyboard.insertText('Weed');
  await disabled(/Add “Weed” as a task/).waitFor();
  await press(page, 'Control+Enter', 'Escape');
  t.false((await rowOf(page, 'Weed').or(page.getByText('1 change waits')).count()) > 0);
  await stack.setStatus(person, 'active');
  await page.getByText('Your account is suspended.').waitFor({ state: 'detached' });
  await row.locator('.t').dblclick();
  await page.locator('[data-row] input:focus').waitFor();
});

test.serial('when its stream ends with its token, the page opens the next one at once', async (t) => {
  const { page, visit } = await openApp(t);
  await page.clock.install();
  const { promise: hasStopped, resolve: noteStop } = Promise.withResolvers<void>();
  let streams = 0;
  await page.route('**/app/api/v1/live', async (route) => {
    streams += 1;
    if (streams > 1) return route.continue();
    await hasStopped;
    await route.fulfill({ contentType: 'text/event-stream', body: ':\n\nretry: 0\n\n' });
  });
  await visit('/app/');
  await waitFor(() => streams === 1);
  // No timer of the page ends from now on.
  await page.clock.pauseAt(Date.now() + 5_000);
  noteStop();
  await waitFor(() => streams === 2);
});

test.serial('very many changes that are on their way are counted, until they have arrived', async (t) => {
  const { page, person, visit } = await openApp(t);
  await insertTasks(stack, person, 110);
  const mayArrive = Promise.withResolvers<void>();
  await page.route('**/complete', async (route) => {
    await mayArrive.promise;
    await route.continue();
  });
  await visit('/app/inbox');
  await rowOf(page, 'Task').first().focus();
  await press(page, 'Control+a');
  await page.keyboard.press('Space');
  const sending = page.getByText('110 changes are being sent.');
  await sending.waitFor();
  mayArrive.resolve();
  await page.getByText('changes are being sent.').waitFor({ state: 'detached' });
  t.pass();
});

test.serial('a page asks for nothing in the name of another account that signed in beside it', async (t) => {
  const app = await openApp(t, { device: { serviceWorkers: 'block' }, faults: /blocked by Playwright/ });
  const { page, context, person } = app;
  await app.visit('/app/inbox');
  await context.setOffline(true);
  await page.getByText('Offline.').waitFor();
  await addByKeys(page, 'Not sent');
  await endSessions(app);
  await context.setOffline(false);
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();

  const other = await newPerson(stack);
  const visitor = createPageBrowser(stack.baseUrl);
  await visitor.signIn(other);
  await addCookies(context, stack.baseUrl, visitor.cookies.header('/'));
  const isLeft = Promise.withResolvers<void>();
  await page.route('**/app/inbox', async (route) => {
    await route.abort('aborted');
    isLeft.resolve();
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.evaluate(`void dispatchEvent(new Event('focus'))`);
  await isLeft.promise;
  // The requests before this one are known, too.
  await page.evaluate(`fetch('/app/manifest.webmanifest').then(() => undefined)`);
  t.deepEqual(
    asked.filter((path) => path.startsWith('/app/api/') || path.startsWith('/api/')),
    [],
  );
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
  await page.unroute('**/app/inbox');
  await page.reload();
  await page.getByText('Connect an assistant').waitFor();
  const { [`tasks-${person.accountId}`]: kept } = await storedCounts(page);
  t.deepEqual(kept, { tasks: 0, records: 1 });
});

test.serial(
  'an ended session closes the dialogs that name tasks, and none is opened behind it',
  async (t) => {
    const app = await openApp(t);
    const { page, script } = app;
    const { id } = await makeTask(script, { title: 'Private' });
    await app.visit(`/app/inbox?task=${id}`);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('dialog', { name: 'History of “Private”' }).waitFor();
    await endSessions(app);
    const dialog = page.getByRole('dialog', { name: 'You are signed out' });
    await dialog.waitFor();
    t.is(await page.getByText('Private').count(), 0);
    await page.keyboard.press('ControlOrMeta+k');
    await dialog.getByRole('link', { name: 'Sign in' }).and(page.locator(':focus')).waitFor();
    t.is(await page.locator('dialog').count(), 1);
  },
);
