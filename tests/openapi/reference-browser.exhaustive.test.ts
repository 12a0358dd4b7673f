import test from 'ava';
import { newPerson, type Person } from '#tests/pages/visitors.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import { openWindow, sidewaysPixels, views } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import type { DocumentedOperation } from './read-document.ts';
import {
  closeForm,
  findOperation,
  keptByBrowser,
  openForm,
  ownAccessibilityFaults,
  send,
  visitReference,
} from './reference-browser.ts';

const browser = await launchChromium();
/** The page is heavy: the tests share one, in which somebody signs in half-way. */
const { page, faults } = await openWindow({ teardown: () => undefined }, browser);
const stack = await startStack(test, { withAuthServer: true });
/** Not by the name that the services were given. */
const reference = `${stack.apiRoot}/docs`.replace('127.0.0.1', 'localhost');
let person: Person;
test.before(async () => {
  person = await newPerson(stack);
});
test.after.always(() => browser.close());

test.afterEach((t) => t.deepEqual(faults.splice(0), []));

test.serial(
  'the sidebar lists every operation, without asking another host or breaking the page’s policy',
  async (t) => {
    await visitReference(page, reference);
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
  },
);

test.serial('requests go to the host the page came from, under whatever name', async (t) => {
  const requested = page.waitForRequest((request) => request.url().endsWith('/api/public/v1/me'));
  await send(await openForm(page, 'The account of this token'), '401 Unauthorized');
  t.is(new URL((await requested).url()).hostname, 'localhost');
  await closeForm(page);
});

test.serial('samples are shown in curl, JavaScript and Python', async (t) => {
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

test.serial('a personal token is used where it is pasted, and the page does not keep it', async (t) => {
  const { account, token } = await stack.newClient();
  const form = await openForm(page, 'The account of this token');
  await send(form, '401 Unauthorized');
  await form.getByRole('textbox', { name: /Bearer Token/ }).fill(token.secret);
  await send(form, '200 OK');
  await form.getByText(account.accountId).waitFor();
  t.false((await keptByBrowser(page)).includes(token.secret));
  await closeForm(page);
});

test.serial('a stranger is led to the sign-in and back', async (t) => {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('#visitor', { hasText: person.email }).waitFor();
  t.is(new URL(page.url()).pathname, '/api/public/v1/docs');
  const form = await openForm(page, 'The account of this token');
  await send(form, '200 OK');
  // Not the one whose token was pasted before.
  await form.getByText(person.accountId).first().waitFor();
  await closeForm(page);
});

test.serial('a signed-in user tries operations without a token', async (t) => {
  const form = await openForm(page, 'Create a task');
  await send(form, '201 Created');
  const script = stack.client(await stack.createToken(person));
  const { body } = await script.get<{ items: { title: string }[] }>('/tasks');
  t.deepEqual(
    body.items.map(({ title }) => title),
    ['Call the dentist'],
  );
  await closeForm(page);
  const list = await openForm(page, 'List tasks');
  await send(list, '200 OK');
  await list.getByText('"Call the dentist"').waitFor();
  await closeForm(page);
});

test.serial('everything can be read and nothing scrolls the page sideways', async (t) => {
  for (const [at, { name, width, height, colorScheme }] of views.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    // What was tried out before stays in the page.
    if (at === 0) await visitReference(page, reference);
    await takePicture(page, `docs-${name}`);
    t.deepEqual(await ownAccessibilityFaults(page), [], name);
    t.is(await sidewaysPixels(page), 0, name);
    await openForm(page, 'Change fields of a task');
    await takePicture(page, `docs-${name}-form`);
    t.deepEqual(await ownAccessibilityFaults(page), [], `${name}, form`);
    t.is(await sidewaysPixels(page), 0, `${name}, form`);
    await closeForm(page);
    t.is(await sidewaysPixels(page), 0, `${name}, form closed`);
  }
});
