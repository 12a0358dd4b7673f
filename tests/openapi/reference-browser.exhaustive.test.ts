import test from 'ava';
import { newPerson } from '#tests/pages/visitors.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import { sidewaysPixels, views } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import type { DocumentedOperation } from './read-document.ts';
import {
  findOperation,
  keptByBrowser,
  openForm,
  openReference,
  openReferenceSignedIn,
  ownAccessibilityFaults,
  send,
  visitReference,
} from './reference-browser.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

test.serial(
  'the sidebar lists every operation, without asking another host or breaking the page’s policy',
  async (t) => {
    const { page, faults } = await openReference(t, browser, stack);
    const { body } = await stack.anonymous.get<OpenApiDocument>('/openapi.json');
    const operations = Object.values(body.paths).flatMap((item) =>
      Object.values(item as Record<string, DocumentedOperation>),
    );
    t.true(operations.length > 30);
    const sidebar = page.getByRole('complementary', { name: /^Sidebar/ });
    for (const tag of new Set(operations.flatMap(({ tags }) => tags))) {
      const opener = sidebar.getByRole('button', { name: `Open Group - ${tag}` });
      if (await opener.isVisible()) await opener.click();
    }
    for (const { summary } of operations) await sidebar.getByText(summary).first().waitFor();
    t.deepEqual(faults, []);
  },
);

test.serial('whoever is signed in tries operations without a token', async (t) => {
  const { page, faults, script, person } = await openReferenceSignedIn(t, browser, stack);
  t.true((await page.locator('#visitor').innerText()).includes(person.email));
  const form = await openForm(page, 'Create a task');
  await send(form, '201 Created');
  const { body } = await script.get<{ items: { title: string }[] }>('/tasks');
  t.deepEqual(
    body.items.map(({ title }) => title),
    ['Call the dentist'],
  );
  await page.keyboard.press('Escape');
  const list = await openForm(page, 'List tasks');
  await send(list, '200 OK');
  await list.getByText('"Call the dentist"').waitFor();
  t.deepEqual(faults, []);
});

test.serial('a stranger is led to the sign-in and back', async (t) => {
  const person = await newPerson(stack);
  const { page } = await openReference(t, browser, stack);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('#visitor', { hasText: person.email }).waitFor();
  t.is(new URL(page.url()).pathname, '/api/public/v1/docs');
});

test.serial(
  'a personal token is used instead where it is pasted, and the page does not keep it',
  async (t) => {
    const { account, token } = await stack.newClient();
    const { page, faults } = await openReference(t, browser, stack);
    const form = await openForm(page, 'The account of this token');
    await send(form, '401 Unauthorized');
    await form.getByRole('textbox', { name: /Bearer Token/ }).fill(token.secret);
    await send(form, '200 OK');
    await form.getByText(account.accountId).waitFor();
    t.false((await keptByBrowser(page)).includes(token.secret));
    await visitReference(page, page.url().replace(/#.*/, ''));
    await send(await openForm(page, 'The account of this token'), '401 Unauthorized');
    t.deepEqual(faults, []);
  },
);

test.serial('requests go to the host the page came from, under whatever name', async (t) => {
  const { page } = await openReference(t, browser, stack);
  const url = `${stack.apiRoot}/docs`.replace('127.0.0.1', 'localhost');
  await visitReference(page, url);
  const requested = page.waitForRequest((request) => request.url().endsWith('/api/public/v1/me'));
  const form = await openForm(page, 'The account of this token');
  await send(form, '401 Unauthorized');
  t.is(new URL((await requested).url()).hostname, 'localhost');
});

test.serial('samples are shown in curl, JavaScript and Python', async (t) => {
  const { page } = await openReference(t, browser, stack);
  const operation = await findOperation(page, 'Create a task');
  await operation.getByText('curl -X POST').waitFor();
  for (const [label, line] of [
    ['JavaScript', 'await fetch('],
    ['Python', 'requests.post('],
  ] as const) {
    await operation.getByRole('button', { name: /^(curl|JavaScript)$/ }).click();
    await page.getByRole('option', { name: label }).click();
    await operation.getByText(line).first().waitFor();
  }
  t.pass();
});

for (const { name, ...view } of views)
  test.serial(`everything can be read and nothing scrolls the page sideways: ${name}`, async (t) => {
    const { page, faults } = await openReferenceSignedIn(t, browser, stack, view);
    await takePicture(page, `docs-${name}`);
    t.deepEqual(await ownAccessibilityFaults(page), []);
    t.is(await sidewaysPixels(page), 0);
    const form = await openForm(page, 'Change fields of a task');
    await takePicture(page, `docs-${name}-form`);
    t.deepEqual(await ownAccessibilityFaults(page), []);
    t.is(await sidewaysPixels(page), 0);
    await form.getByRole('button', { name: 'Close Client' }).click();
    // It fades out.
    await form.waitFor({ state: 'hidden' });
    t.deepEqual(await ownAccessibilityFaults(page), []);
    t.is(await sidewaysPixels(page), 0);
    t.deepEqual(faults, []);
  });
