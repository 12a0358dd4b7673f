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
  /** What a page must not do: ask another host, break its policy, log an error. */
  faults: string[];
};

/** A context, and the origins that its pages asked. */
type Lent = { context: BrowserContext; visited: Set<string> };

/** Contexts that tests gave back. They keep files and compiled scripts, which halves what a page of the app costs. */
const givenBack = new WeakMap<Browser, Lent[]>();

async function lendContext(t: Owner, browser: Browser): Promise<Lent> {
  const lent = givenBack.get(browser)?.pop() ?? { context: await browser.newContext(), visited: new Set() };
  t.teardown(async () => {
    await Promise.all(lent.context.pages().map((page) => page.close()));
    await lent.context.clearCookies();
    await lent.context.setOffline(false);
    givenBack.set(browser, [...(givenBack.get(browser) ?? []), lent]);
  });
  return lent;
}

async function ownContext(t: Owner, browser: Browser, options: BrowserContextOptions): Promise<Lent> {
  const context = await browser.newContext(options);
  t.teardown(() => context.close());
  return { context, visited: new Set() };
}

/**
 * A page in a browser without a past, closed at the end of the test; it asks `origins` alone, else its first one.
 * With options, even none, it is a context that no other test gets: for what changes it, as a clock does.
 */
export async function openWindow(
  t: Owner,
  browser: Browser,
  { width, height, colorScheme }: Omit<View, 'name'> = { ...desktop, colorScheme: 'light' },
  options?: BrowserContextOptions & { origins?: readonly string[] },
): Promise<ShownPage> {
  const { origins, ...further } = options ?? {};
  const viewport = { width, height };
  const { context, visited } = await (options === undefined
    ? lendContext(t, browser)
    : ownContext(t, browser, { viewport, colorScheme, ...further }));
  // A busy machine takes its time to start a browser's processes.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  if (options === undefined) {
    await forget(page, visited);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
  }
  await slowDown(page);
  const faults: string[] = [];
  let allowed = origins;
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol === 'data:') return;
    allowed ??= [origin];
    visited.add(origin);
    if (!allowed.includes(origin)) faults.push(`asked ${request.url()}`);
  });
  // A breach of the policy is logged as an error, too; so is an answer that refuses, which a test asks for.
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded');
    if (['error', 'warning'].includes(message.type()) && !isRefusal)
      faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return { page, context, faults };
}

/** Deletes what pages of these origins have stored. */
async function forget(page: Page, origins: Iterable<string>): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const storageTypes = 'indexeddb,local_storage,service_workers,cache_storage';
  for (const origin of origins) await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await devtools.detach();
}

/** Makes a browser one that is signed in; `header`: the cookies as a request sends them. */
export async function addCookies(context: BrowserContext, baseUrl: string, header: string): Promise<void> {
  const cookies = header.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split('=', 2);
    return { name, value, url: baseUrl };
  });
  await context.addCookies(cookies);
}

/** BROWSER_SLOWDOWN=20 shows what a test takes for granted that a slow machine does later. */
async function slowDown(page: Page): Promise<void> {
  const { BROWSER_SLOWDOWN: rate } = process.env;
  if (rate === undefined) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(rate) });
}

type AxeViolation = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] };

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds against WCAG 2.2 AA and its own best practices, each with its place. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axeSource);
  // Nothing else is looked up for what passes.
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
  // A colour that changes bit by bit is there at the end.
  await page.evaluate(`new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished))).then(() => undefined)`);
}

/** How far the page can be scrolled sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/**
 * Passes when everybody can use the page in each view, with everything unfolded, and it did nothing that a page must
 * not do. Leaves it in the last view.
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
