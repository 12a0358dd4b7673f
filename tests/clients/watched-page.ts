import type { ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import type { Owner } from '#tests/oauth/oauth-flow.ts';

export type WatchedPage = {
  page: Page;
  /** What our own pages must not do: break their policy, log an error. */
  faults: string[];
};

/** A page in a browser of its own; closed at the end of the test. */
export async function openWatchedPage(
  t: ExecutionContext,
  browser: Browser,
  baseUrl: string,
): Promise<WatchedPage> {
  const context = await browser.newContext();
  t.teardown(() => context.close());
  // A busy machine takes its time to start a browser's processes.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  // A breach of the policy is logged as an error, too.
  page.on('console', (message) => {
    const isOurs = page.url().startsWith(baseUrl) || message.text().includes('Security Policy');
    if (isOurs && ['error', 'warning'].includes(message.type()))
      faults.push(`${message.type()}: ${message.text()}`);
  });
  return { page, faults };
}

/** Types into the sign-in form. */
export async function signIn(page: Page, { email, password }: Pick<Owner, 'email' | 'password'>) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Does not wait for where the answer leads: it may be no page at all. */
export async function press(page: Page, button: 'Allow' | 'Don’t allow'): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click({ noWaitAfter: true });
}
