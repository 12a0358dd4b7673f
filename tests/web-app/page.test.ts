import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const browser = await launchChromium();
const stack = await startStack(undefined, { withAuthServer: true });
test.after.always(async () => {
  await browser.close();
  await stack.close();
});

const password = 'seven quiet harbours';
const today = new Date().toISOString().slice(0, 10);

async function newPerson() {
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  return { email, client: await stack.newClient({ password, email }) };
}

async function openPage(t: ExecutionContext) {
  const context = await browser.newContext({ locale: 'en-GB' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  return { context, page, faults };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${stack.baseUrl}/sign-in?return_to=/app/`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/app/');
}

const endSessions = (email: string) =>
  stack.sql`delete from auth.browser_session where account_id =
    (select id from auth.account where email = ${email})`;

test('the page shows what scripts add, works offline after a reload, and hides all when its session ends', async (t) => {
  const { client, email } = await newPerson();
  await client.post('/tasks', { title: 'Water the plants', dueDate: today });
  const { context, page, faults } = await openPage(t);
  await signIn(page, email);
  await page.getByText('Water the plants').first().waitFor();
  await client.post('/tasks', { title: 'Call the bank', dueDate: today });
  await page.getByText('Call the bank').first().waitFor();

  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await context.setOffline(true);
  await page.reload();
  await page.getByText('Call the bank').first().waitFor();
  await context.setOffline(false);

  await endSessions(email);
  await page.reload();
  // The page may be loading.
  const isHidden = () => page.evaluate<boolean>(`localStorage.getItem('tasks-account') === null`);
  await waitFor(() => isHidden().catch(() => false));
  await Promise.all([page.waitForResponse('**/app/session/token'), page.reload()]);
  t.is(await page.getByText('Call the bank').count(), 0);
  t.deepEqual(faults, []);
});
