import process from 'node:process';
import type { BrowserContext, Page } from 'playwright-core';
import { addByKeys, rowOf } from '#tests/browser/app/page-steps.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { NotedWrites } from './noted-writes.ts';
import { openSignedInContext } from './signed-in-context.ts';
import { readStoredCopy, type StoredCopy } from './stored-copy.ts';
import { Titles } from './titles.ts';

type Options = {
  name: string;
  baseUrl: string;
  accountId: string;
  cookies: string;
  random: () => number;
  writes: NotedWrites;
};

/** Chromium with two tabs of the built app, operated by keyboard only. */
export type KeyedBrowser = AsyncDisposable & {
  titles: Titles;
  /** Errors that its pages logged or threw. */
  faults: string[];
  /** A random action in one of the tabs; false if there was no row for it. */
  act(): Promise<boolean>;
  setOnline(isOnline: boolean): Promise<void>;
  /** Kills (SIGKILL) every renderer process right after a task was added, then opens the pages again. */
  killTabs(): Promise<void>;
  /** One tab crashes; the other one goes on. */
  crashTab(): Promise<void>;
  readCopy(): Promise<StoredCopy>;
};

const screens = ['i', 'i', 't', 't', 'u', 'a', 's'];
/** On the focused row. */
const rowKeys = [
  ...['Space', 'Space', 'Space', 't', 't', 'o', 'a', 'Control+]', 'Control+[', 'Backspace', 'Backspace'],
  ...['Alt+ArrowUp', 'Alt+ArrowDown', 'Alt+Shift+ArrowUp', 'Shift+Space'],
];

export async function openKeyedBrowser(options: Options): Promise<KeyedBrowser> {
  const { name, baseUrl, accountId, cookies, random, writes } = options;
  await using parts = new AsyncDisposableStack();
  const browser = await launchChromium();
  parts.defer(() => browser.close());
  const context = await openSignedInContext(browser, { baseUrl, cookies });
  const faults: string[] = [];
  noteWrites(context, writes);
  const titles = new Titles();
  let isOnline = true;
  let acts = 0;
  const tabs = [await openTab(), await openTab()];
  await tabs[0]?.evaluate('navigator.serviceWorker.ready.then(() => undefined)');

  async function openTab(): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${name}: ${error}`));
    page.on('console', (message) => {
      // Network errors are not errors of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(`${name}: ${message.text()}`);
    });
    await showInbox(page);
    return page;
  }

  async function showInbox(page: Page): Promise<void> {
    await page.goto(`${baseUrl}/app/inbox`);
    await page.locator('h1:visible').first().waitFor();
  }

  async function reopen(place: number): Promise<void> {
    const former = tabs[place];
    await former?.close();
    if (former !== undefined) titles.forget(former);
    tabs[place] = await openTab();
  }

  function oneOf<Value>(values: readonly Value[]): Value {
    return values[Math.floor(random() * values.length)] as Value;
  }

  const nextTitle = () => {
    acts += 1;
    return `Sow ${name}x${acts}`;
  };

  async function add(page: Page): Promise<string> {
    const title = nextTitle();
    await addByKeys(page, random() < 0.3 ? `${title} today` : title);
    // From here on the task must not be lost: the message is shown after the write to disk.
    const message = page.locator('.toasts', { hasText: title });
    const isSaid = await message.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (isSaid) titles.added(page, title);
    return title;
  }

  async function focusSomeRow(page: Page): Promise<boolean> {
    return page.evaluate(
      `((share) => {
        const rows = document.querySelectorAll('[data-row]');
        const row = rows[Math.floor(share * rows.length)];
        row?.focus();
        return row !== undefined;
      })(${random()})`,
    );
  }

  async function rename(page: Page): Promise<boolean> {
    if (!(await focusSomeRow(page))) return false;
    await page.keyboard.press('r');
    const isOpen = () =>
      page.evaluate<boolean>(`document.activeElement?.matches('[data-row] input') ?? false`);
    // The row may have disappeared meanwhile.
    const isRenaming = await waitFor(isOpen, { timeoutMilliseconds: 1_000 }).catch(() => false);
    if (!isRenaming) return false;
    await page.keyboard.insertText(nextTitle());
    await page.keyboard.press('Enter');
    return true;
  }

  async function undo(page: Page): Promise<boolean> {
    titles.undone(page);
    await page.keyboard.press('Control+z');
    return true;
  }

  /** Navigation changes no data. */
  async function goElsewhere(page: Page): Promise<boolean> {
    await page.keyboard.press('g');
    await page.keyboard.press(oneOf(screens));
    return false;
  }

  async function changeRow(page: Page): Promise<boolean> {
    if (!(await focusSomeRow(page))) return false;
    await page.keyboard.press(oneOf(rowKeys));
    return true;
  }

  async function act(): Promise<boolean> {
    const page = oneOf(tabs);
    // Closes a dialog, and saves a field whose row has disappeared.
    await page.keyboard.press('Escape');
    const choice = random();
    if (choice < 0.3) return (await add(page)) !== '';
    if (choice < 0.45) return rename(page);
    if (choice < 0.53) return undo(page);
    return choice < 0.6 ? goElsewhere(page) : changeRow(page);
  }

  const kept = parts.move();
  return {
    titles,
    faults,
    act,
    async setOnline(next) {
      isOnline = next;
      await context.setOffline(!isOnline);
    },
    async killTabs() {
      const [page] = tabs;
      if (page === undefined) return;
      await showInbox(page);
      titles.forget(page);
      const title = nextTitle();
      await addByKeys(page, title);
      await rowOf(page, title).waitFor();
      titles.added(page, title);
      const session = await browser.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      await session.detach();
      const crashed = Promise.all(tabs.map((tab) => tab.waitForEvent('crash', { timeout: 10_000 })));
      for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
      await crashed;
      for (const place of tabs.keys()) await reopen(place);
    },
    async crashTab() {
      const place = Math.floor(random() * tabs.length);
      const page = tabs[place];
      if (page === undefined) return;
      const crashed = page.waitForEvent('crash', { timeout: 10_000 });
      const session = await context.newCDPSession(page);
      await Promise.race([session.send('Page.crash').catch(() => undefined), crashed]);
      await crashed;
      await reopen(place);
    },
    async readCopy() {
      const copy = await readStoredCopy(tabs[0], accountId);
      for (const title of copy.refused) titles.refused(title);
      return copy;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function noteWrites(context: BrowserContext, writes: NotedWrites): void {
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const method = response.request().method();
    const status = response.status();
    if (!/^\/(app\/)?api\//.test(pathname)) return;
    writes.count(status);
    if (method === 'GET') return;
    const read = status === 204 ? Promise.resolve(null) : response.json();
    // A response whose body the page did not read acknowledged nothing.
    read.then(
      (body: unknown) => writes.note(method, pathname, status, body),
      () => undefined,
    );
  });
}
