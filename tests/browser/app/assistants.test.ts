import test from 'ava';
import { connectedAppsPath } from '#shared/app/app-protocol.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, registerClient } from '#tests/oauth/oauth-flow.ts';
import { samplePng } from '#tests/oauth/sample-pictures.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { accessibilityFaults, lookAs, sidewaysPixels, views } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';

const { stack, openApp } = await startApp(test);
const endpoints = createOAuthEndpoints(stack.baseUrl);

test.serial('an assistant is connected by the steps shown, and says what it did last', async (t) => {
  const { page, person, faults, visit } = await openApp(t, { view: views[0] });
  const inspect = async (picture: string) => {
    for (const view of views) {
      await lookAs(page, view);
      await takePicture(page, `${picture}-${view.name}`);
      t.deepEqual(await accessibilityFaults(page), [], view.name);
      t.is(await sidewaysPixels(page), 0, view.name);
    }
  };
  await visit('/app/anytime');
  await page.getByRole('link', { name: 'Lists' }).click();
  await page.getByRole('link', { name: 'Assistants' }).first().click();
  await page.getByText('Waiting for the first connection').waitFor();
  t.is(new URL(page.url()).pathname, '/app/assistants');
  await page.getByText('Claude Code', { exact: true }).click();
  await page.getByText(`claude mcp add --transport http tasks ${stack.baseUrl}/mcp`).waitFor();
  await inspect('assistants-none');

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
  await inspect('assistants');
  t.deepEqual(faults, []);
});

test.serial('the address of the assistant server opened in a browser leads there', async (t) => {
  const { page, faults, visit } = await openApp(t);
  await visit('/mcp');
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  await page.getByRole('link', { name: 'Show me how to connect one' }).click();
  await page.getByRole('heading', { level: 1, name: 'Assistants' }).waitFor();
  t.deepEqual(faults, []);
});
