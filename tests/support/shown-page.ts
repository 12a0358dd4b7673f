import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExecutionContext } from 'ava';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { takePicture } from './take-picture.ts';

export type View = { name: string; width: number; height: number; colorScheme: 'light' | 'dark' };

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 900 };

const everyView: readonly View[] = [
  { name: 'phone-dark', ...phone, colorScheme: 'dark' },
  { name: 'desktop-light', ...desktop, colorScheme: 'light' },
  { name: 'phone-light', ...phone, colorScheme: 'light' },
  { name: 'desktop-dark', ...desktop, colorScheme: 'dark' },
];

/** Both widths and both colour schemes; VIEWS=all: each with each. */
export const views = process.env.VIEWS === 'all' ? everyView : everyView.slice(0, 2);

type Owner = { teardown(close: () => Promise<void>): void };

export type ShownPage = {
  page: Page;
  context: BrowserContext;
  /** Requests to other hosts, violations of the policy, and logged errors. */
  faults: string[];
};

/**
 * A page in a new browser context, closed at the end of the test. It may send requests only to `origins`, by
 * default its first one.
 */
export async function openWindow(
  t: Owner,
  browser: Browser,
  { width, height, colorScheme }: Omit<View, 'name'> = { ...desktop, colorScheme: 'light' },
  { origins, ...further }: BrowserContextOptions & { origins?: readonly string[] } = {},
): Promise<ShownPage> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, ...further });
  t.teardown(() => context.close());
  // Starting a browser's processes takes long on a busy machine.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await slowDown(page);
  const faults: string[] = [];
  let allowed = origins;
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    allowed ??= [origin];
    if (protocol !== 'data:' && !allowed.includes(origin)) faults.push(`asked ${request.url()}`);
  });
  // Violations of the policy are logged as errors; so are refusals and network errors, which tests cause on
  // purpose.
  page.on('console', (message) => {
    const isWanted = /^Failed to load resource: (the server responded|net::ERR_INTERNET_DISCONNECTED)/.test(
      message.text(),
    );
    if (['error', 'warning'].includes(message.type()) && !isWanted)
      faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, context, faults };
}

/** Makes a browser one that is signed in; `header`: the cookies as a request sends them. */
export async function addCookies(context: BrowserContext, baseUrl: string, header: string): Promise<void> {
  const cookies = header.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split('=', 2);
    return { name, value, url: baseUrl };
  });
  await context.addCookies(cookies);
}

/** BROWSER_SLOWDOWN=20 reveals tests that depend on the browser's speed. */
async function slowDown(page: Page): Promise<void> {
  const { BROWSER_SLOWDOWN: rate } = process.env;
  if (rate === undefined) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(rate) });
}

type AxeViolation = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] };

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe's findings (WCAG 2.2 AA and best practices), each with its element. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axeSource);
  // Details are needed of violations only.
  const { violations } = await page.evaluate<{ violations: AxeViolation[] }>(
    `axe.run({ resultTypes: ['violations'], selectors: false })`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html}: ${node.failureSummary ?? ''}`),
  );
}

/** The page that is shown, as another device shows it. */
export async function lookAs(page: Page, { width, height, colorScheme }: View): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await animationsEnd(page);
}

/** Waits for animations: contrast is right only at their end. */
export async function animationsEnd(page: Page): Promise<void> {
  await page.evaluate(`new Promise(requestAnimationFrame).then(() =>
    Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished))).then(() => undefined)`);
}

/** How far the page can be scrolled sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/**
 * Passes if axe finds nothing in any view, with everything unfolded, and the page has no faults. Leaves the
 * page in the last view.
 */
export async function inspect(
  t: ExecutionContext,
  { page, faults }: Pick<ShownPage, 'page' | 'faults'>,
  picture: string,
): Promise<void> {
  await page.evaluate(`document.querySelectorAll('details').forEach((element) => { element.open = true; })`);
  // 320 pixels are 400 % of a small window (WCAG 2.2 §1.4.10).
  await page.setViewportSize({ ...phone, width: 320 });
  t.is(await sidewaysPixels(page), 0, `${picture}, 320 pixels`);
  for (const view of views) {
    await lookAs(page, view);
    await takePicture(page, `${picture}-${view.name}`);
    t.deepEqual(await accessibilityFaults(page), [], `${picture}, ${view.name}`);
    t.is(await sidewaysPixels(page), 0, `${picture}, ${view.name}`);
  }
  t.deepEqual(faults, [], picture);
}
