import type { ExecutionContext } from 'ava';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { faintTexts, sidewaysPixels } from '#tests/openapi/reference-browser.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { type Hands, handsOf } from './hands.ts';
import type { Look } from './looks.ts';

export type Walk = Hands & {
  page: Page;
  /**
   * Whatever should not happen on the way: messages on the console, breaches of the policy among them, requests that
   * fail or are refused, other hosts that are asked; pages wider than the screen, texts too faint to read.
   */
  faults: string[];
  /** Opens an address. */
  open(url: string): Promise<void>;
  /** Waits for the page with that heading and looks at it; `picture` names it, and its picture. */
  see(heading: string | RegExp, picture: string): Promise<void>;
};

export type WalkOptions = {
  /** Starts the name of each picture. */
  name: string;
  look: Look;
  /** Where requests may go. */
  origins: readonly string[];
};

/** A browser of its own for one test. */
export async function startWalk(
  t: ExecutionContext,
  browser: Browser,
  { name, look, origins }: WalkOptions,
): Promise<Walk> {
  const { width, height, colorScheme, hasScript } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled: hasScript,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  t.teardown(() => context.close());
  // A busy machine takes its time to start a browser's processes.
  context.setDefaultTimeout(60_000);
  const faults: string[] = [];
  watchRequests(context, faults, origins);
  const page = await context.newPage();
  watchPage(page, faults);

  let pictures = 0;
  return {
    ...handsOf(look, page, faults),
    page,
    faults,
    async open(url) {
      await page.goto(url);
    },
    async see(heading, picture) {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.waitForLoadState('load');
      pictures += 1;
      await takePicture(page, `walks/${name}-${String(pictures).padStart(2, '0')}-${picture}-${look.name}`);
      const sideways = await sidewaysPixels(page);
      if (sideways > 0) faults.push(`${picture} is ${sideways} pixels wider than the screen`);
      faults.push(...(await faintTexts(page)).map((text) => `${picture}: ${text}`));
    },
  };
}

function watchRequests(context: BrowserContext, faults: string[], origins: readonly string[]): void {
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && !origins.includes(origin)) faults.push(`asked ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A page that is left takes along what it was still waiting for.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${request.url()} failed: ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
}

function watchPage(page: Page, faults: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
}
