import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { newPerson, type Person } from '#tests/pages/visitors.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import {
  accessibilityFaults,
  animationsEnd,
  openWindow,
  sidewaysPixels,
  views,
} from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { DocumentedOperation } from './read-document.ts';

async function visitReference(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: 'Task Management API' }).waitFor();
  await page.locator('#visitor', { hasText: 'account' }).waitFor();
}

/** The part of the page about one operation, brought into view through the search. */
async function findOperation(page: Page, summary: string): Promise<Locator> {
  const search = page.getByRole('dialog');
  const field = search.getByRole('combobox');
  const found = search.getByRole('option', { name: summary }).first();
  const isShown = (locator: Locator) =>
    locator.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  await waitFor(
    async () => {
      // A key that is pressed before the page has drawn itself does nothing.
      if (!(await field.isVisible())) await page.keyboard.press('Control+k');
      if (!(await isShown(field))) return false;
      // What is typed before it has indexed the document finds nothing.
      await field.fill('');
      await field.fill(summary);
      return isShown(found);
    },
    { timeoutMilliseconds: 100_000, what: `«${summary}» in the search` },
  );
  await found.click();
  const heading = page.getByRole('heading', { name: summary, exact: true });
  await heading.waitFor();
  return page.getByRole('region', { name: summary, exact: true });
}

/** Opens the form of an operation's request, which it sends as it stands. */
async function openForm(page: Page, summary: string): Promise<Locator> {
  const operation = await findOperation(page, summary);
  await operation.getByRole('button', { name: /Test Request/ }).click();
  const form = page.getByRole('dialog');
  await form
    .getByRole('button', { name: /^Send\b/ })
    .first()
    .waitFor();
  return form;
}

async function closeForm(page: Page): Promise<void> {
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Close Client' }).click();
  // It fades out.
  await form.waitFor({ state: 'hidden' });
}

/** Sends it and waits for a response of this status. */
async function send(form: Locator, status: string): Promise<void> {
  await form
    .getByRole('button', { name: /^Send\b/ })
    .first()
    .click();
  await form.getByText(status, { exact: true }).waitFor();
}

/** All that the page could leave behind in the browser. */
function keptByBrowser(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
}

/** What axe finds in Scalar's own elements, which no setting changes: the rule and a part of the element. */
const faultsOfScalar: readonly [string, string][] = [
  // Copying is offered by an icon alone.
  ['button-name', 'copy-button'],
  ['aria-valid-attr-value', 'copy-button'],
  // The response cards of all operations, and the toasts of page and form, have one name each.
  ['landmark-unique', 'Example Responses'],
  ['landmark-unique', 'Notifications'],
  // The list of a tag's operations scrolls, and has nothing to focus.
  ['scrollable-region-focusable', 'class="endpoints"'],
  // The form is a page within the page.
  ['landmark-no-duplicate-main', 'references-rendered'],
  // Its button beside each parameter is said to be none.
  ['aria-allowed-role', 'More Information'],
  ['aria-prohibited-attr', 'More Information'],
  ['presentation-role-conflict', 'More Information'],
  // Its editors of bodies and of parameters.
  ['aria-input-field-name', 'cm-content'],
  ['aria-required-attr', 'code-input-lite__editor'],
];

/** What axe finds in the page, contrast of every text included, but for what Scalar alone could change. */
async function ownAccessibilityFaults(page: Page): Promise<string[]> {
  await animationsEnd(page);
  const faults = await accessibilityFaults(page);
  return faults.filter(
    (fault) => !faultsOfScalar.some(([rule, part]) => fault.startsWith(`${rule}:`) && fault.includes(part)),
  );
}

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

test.serial('the sidebar lists every operation, without other hosts or a breach of the policy', async (t) => {
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
});

test.serial('a sample holds the token’s placeholder that the guide names', async (t) => {
  const { body } = await stack.anonymous.get<{ info: { description: string } }>('/openapi.json');
  const [placeholder = 'none'] = /YOUR_\w+/.exec(body.info.description) ?? [];
  const operation = await findOperation(page, 'The account of this token');
  await operation.getByText(`Bearer ${placeholder}`).waitFor();
  t.pass();
});

test.serial('the samples in Python are those that run as they stand and print the response', async (t) => {
  const operation = await findOperation(page, 'The account of this token');
  await operation.getByRole('button', { name: /Shell Curl/ }).click();
  const offered = page.getByRole('option');
  await offered.filter({ hasText: 'http.client' }).waitFor();
  const names = await offered.allInnerTexts();
  t.deepEqual(
    names.filter((name) => /Requests|aiohttp|HTTPX/.test(name)),
    [],
  );
  await offered.filter({ hasText: 'http.client' }).click();
  await operation.getByText('print(response.read().decode())').waitFor();
});

test.serial('requests go to the host the page came from, under whatever name', async (t) => {
  const requested = page.waitForRequest((request) => request.url().endsWith('/api/public/v1/me'));
  await send(await openForm(page, 'The account of this token'), '401 Unauthorized');
  t.is(new URL((await requested).url()).hostname, 'localhost');
  await closeForm(page);
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
