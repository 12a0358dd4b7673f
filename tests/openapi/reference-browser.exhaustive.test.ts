import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import { startStack } from '#tests/support/stack.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import type { DocumentedOperation } from './read-document.ts';
import {
  authorize,
  desktop,
  faintTexts,
  keptByBrowser,
  openReference,
  operation,
  phone,
  sidewaysPixels,
  tryOut,
  unfold,
  views,
} from './reference-browser.ts';

const browser = await launchChromium();
const stack = await startStack(test);
test.after.always(() => browser.close());

const pageUrl = `${stack.apiRoot}/docs`;

test.serial(
  'the page shows every operation without asking another host or breaking its policy',
  async (t) => {
    const { page, faults } = await openReference(t, browser, pageUrl, desktop);
    const { body } = await stack.anonymous.get<OpenApiDocument>('/openapi.json');
    const operations = Object.values(body.paths).flatMap((item) =>
      Object.values(item).filter(
        (member): member is DocumentedOperation =>
          typeof member === 'object' && member !== null && 'tags' in member,
      ),
    );
    t.true(operations.length > 30);
    for (const { operationId, tags, summary } of operations) {
      const shown = await operation(page, tags[0] ?? '', operationId).innerText();
      t.true(shown.includes(summary), operationId);
    }
    t.true(await page.locator('.guide').evaluate((guide) => guide.hasAttribute('open')));
    t.deepEqual(faults, []);
  },
);

test.serial('an operation can be tried with a personal token, which the page does not keep', async (t) => {
  const { account, token } = await stack.newClient();
  const { page, faults } = await openReference(t, browser, pageUrl, desktop);
  await authorize(page, token.secret);
  t.is(await tryOut(page, 'Account', 'getIdentity'), '200');
  const answer = await operation(page, 'Account', 'getIdentity').locator('.live-responses-table').innerText();
  t.true(answer.includes(account.accountId));

  t.false((await keptByBrowser(page)).includes(token.secret));
  t.deepEqual(faults, []);
  await page.goto(pageUrl);
  t.is(await tryOut(page, 'Account', 'getIdentity'), '401');
});

test.serial('a task can be created from the page', async (t) => {
  const client = await stack.newClient();
  const { page, faults } = await openReference(t, browser, pageUrl, desktop);
  await authorize(page, client.token.secret);
  const block = await unfold(page, 'Tasks', 'createTask');
  await block.locator('.try-out__btn').click();
  await block.locator('textarea').fill('{"title":"made on the page"}');
  await block.locator('.btn.execute').click();
  await block.locator('.live-responses-table').waitFor();
  const { body } = await client.get<{ items: { title: string }[] }>('/tasks');
  t.deepEqual(
    body.items.map(({ title }) => title),
    ['made on the page'],
  );
  t.deepEqual(faults, []);
});

test.serial('requests go to the host the page came from, under whatever name', async (t) => {
  const { token } = await stack.newClient();
  const url = pageUrl.replace('127.0.0.1', 'localhost');
  t.not(url, pageUrl);
  const { page, faults } = await openReference(t, browser, url, desktop);
  await authorize(page, token.secret);
  t.is(await tryOut(page, 'Account', 'getIdentity'), '200');
  t.deepEqual(faults, []);
});

test.serial('at the width of a phone nothing makes the page scroll sideways', async (t) => {
  const { token } = await stack.newClient();
  const { page, faults } = await openReference(t, browser, pageUrl, phone);
  t.false(await page.locator('.guide').evaluate((guide) => guide.hasAttribute('open')));
  t.is(await sidewaysPixels(page), 0);
  await page.locator('.guide summary').click();
  t.is(await sidewaysPixels(page), 0);
  await authorize(page, token.secret);
  t.is(await tryOut(page, 'Tasks', 'listTasks'), '200');
  t.is(await sidewaysPixels(page), 0);
  await unfold(page, 'Tasks', 'updateTask');
  await page.locator('.models-control').first().click();
  t.is(await sidewaysPixels(page), 0);
  t.deepEqual(faults, []);
});

for (const view of views) {
  test.serial(`every text can be read: ${view.name}`, async (t) => {
    const { token } = await stack.newClient();
    const { page } = await openReference(t, browser, pageUrl, view);
    await takePicture(page, `docs-${view.name}`);
    await authorize(page, token.secret);
    await tryOut(page, 'Tasks', 'listTasks');
    for (const operationId of ['createTask', 'updateTask', 'deleteTask'])
      await unfold(page, 'Tasks', operationId);
    await takePicture(page, `docs-${view.name}-unfolded`);
    t.deepEqual(await faintTexts(page), []);
  });
}
