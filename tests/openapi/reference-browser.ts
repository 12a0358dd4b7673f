import { readFile } from 'node:fs/promises';
import type { ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';

export type View = { name: string; width: number; height: number; colorScheme: 'light' | 'dark' };

export const phone: View = { name: 'phone-light', width: 375, height: 812, colorScheme: 'light' };
export const desktop: View = { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light' };
/** Each screen and each scheme once: colours do not depend on the width. */
export const views: readonly View[] = [phone, { ...desktop, name: 'desktop-dark', colorScheme: 'dark' }];

export type OpenReference = {
  page: Page;
  /** What a page must not do: ask another host, break its policy, log an error. */
  faults: string[];
};

/** The reference page in a browser of its own, shown completely; closed at the end of the test. */
export async function openReference(
  t: ExecutionContext,
  browser: Browser,
  url: string,
  { width, height, colorScheme }: View,
): Promise<OpenReference> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  t.teardown(() => context.close());
  // A busy machine takes its time to start a browser's processes.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const requested = new URL(request.url());
    if (requested.protocol !== 'data:' && requested.origin !== origin) faults.push(`asked ${request.url()}`);
  });
  // A breach of the policy is logged as an error, too.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(url);
  await page.locator('.opblock').first().waitFor();
  return { page, faults };
}

export function operation(page: Page, tag: string, operationId: string) {
  return page.locator(`#operations-${tag}-${operationId}`);
}

export async function unfold(page: Page, tag: string, operationId: string) {
  const block = operation(page, tag, operationId);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.opblock-body').waitFor();
  return block;
}

export async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.auth-wrapper .authorize').click();
  await page.locator('.auth-container input').fill(token);
  await page.locator('.auth-btn-wrapper .authorize').click();
  await page.locator('.auth-btn-wrapper .btn-done').click();
}

/** Sends the operation's request with its parameters as they stand; the status that came back. */
export async function tryOut(page: Page, tag: string, operationId: string): Promise<string> {
  const block = await unfold(page, tag, operationId);
  await block.locator('.try-out__btn').click();
  await block.locator('.btn.execute').click();
  return block.locator('.live-responses-table tbody .response-col_status').first().innerText();
}

/** How far the page can be scrolled sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** All that the page could leave behind in the browser. */
export function keptByBrowser(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
}

/** Texts that are hard to tell from their background, each with its place. */
export async function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(await readFile(new URL('./faint-texts.js', import.meta.url), 'utf8'));
}
