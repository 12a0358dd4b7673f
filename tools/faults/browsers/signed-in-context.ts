import type { Browser, BrowserContext } from 'playwright-core';
import { addCookies } from '#tests/support/shown-page.ts';

/** A new browser context with only these cookies. */
export async function openSignedInContext(
  browser: Browser,
  { baseUrl, cookies }: { baseUrl: string; cookies: string },
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(60_000);
  await addCookies(context, baseUrl, cookies);
  return context;
}
