import type { Browser, BrowserContext } from 'playwright-core';

/** A browser without a past but these cookies. */
export async function openSignedInContext(
  browser: Browser,
  { baseUrl, cookies }: { baseUrl: string; cookies: string },
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(60_000);
  for (const cookie of cookies.split('; ')) {
    const [name = '', value = ''] = cookie.split('=', 2);
    await context.addCookies([{ name, value, url: baseUrl }]);
  }
  return context;
}
