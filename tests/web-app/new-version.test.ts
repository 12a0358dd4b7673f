import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { launchChromium } from '#tests/support/chromium.ts';
import { webAppDirectoryOf } from '#tests/support/service-settings.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { addByKeys, rowOf, waitFor } from './page-steps.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'web-app-'));
const browser = await launchChromium();
const stack = await startStack(undefined, {
  withAuthServer: true,
  environment: { WEB_APP_DIRECTORY: directory },
});
test.after.always(async () => {
  await browser.close();
  await stack.close();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  cpSync(webAppDirectoryOf(path.join(import.meta.dirname, '../..')), directory, { recursive: true });
});

/** The build again, as another one: a page that names its version, and a worker with a store of its own. */
function publish(version: string): void {
  const change = (name: string, pattern: RegExp, replacement: string) => {
    const file = path.join(directory, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, replacement));
    for (const extension of ['br', 'gz']) rmSync(`${file}.${extension}`, { force: true });
  };
  change('index.html', /<title>/, `<meta name="version" content="${version}"><title>`);
  change('sw.js', /"app-[0-9a-f]{12}"/, `"app-${version}"`);
}

const shows = (page: Page, version: string) =>
  waitFor(async () => (await page.locator(`meta[name="version"][content="${version}"]`).count()) === 1);
const offer = (page: Page) => page.getByText('A new version is ready.');

/** One for each window. */
const locks = (page: Page) =>
  page.evaluate('navigator.locks.query().then(({ held, pending }) => held.length + pending.length)');

/** A window that runs the present version, and in which a newer one waits. */
async function openBeforeUpdate(t: Parameters<typeof openApp>[0]) {
  const app = await openApp(t, browser, stack);
  await app.visit('/app/inbox');
  await app.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  // No reload, which would take a version that comes before the page has started.
  await app.visit('/app/inbox');
  const findNewVersion = async () => {
    publish('second');
    await app.page.evaluate(
      'navigator.serviceWorker.ready.then((found) => found.update()).then(() => undefined)',
    );
    await offer(app.page).waitFor();
  };
  return { ...app, findNewVersion };
}

test.serial('a reload of the only window takes the version that waits, once', async (t) => {
  const { page, context, findNewVersion } = await openBeforeUpdate(t);
  await findNewVersion();
  const other = await context.newPage();
  await other.goto(`${stack.baseUrl}/app/inbox`);
  await offer(other).waitFor();
  await page.reload();
  await offer(page).waitFor();
  await other.close();
  await waitFor(async () => (await locks(page)) === 1, { what: 'the other window to be gone' });

  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.reload();
  await shows(page, 'second');
  await page.locator('h1:focus').waitFor();
  await addByKeys(page, 'Made in the new version');
  await rowOf(page, 'Made in the new version').waitFor();
  t.is(await offer(page).count(), 0);
  t.is(loads, 2);
});

test.serial('a reload leaves the version that waits alone while changes are unsent', async (t) => {
  const { page, context, findNewVersion } = await openBeforeUpdate(t);
  await findNewVersion();
  await context.setOffline(true);
  await page.getByText('Offline.').waitFor();
  await addByKeys(page, 'Unsent');
  await page.reload();
  await page.getByText('1 change waits').waitFor();
  await rowOf(page, 'Unsent').waitFor();
  t.is(await page.locator('meta[name="version"]').count(), 0);
  await context.setOffline(false);
  await offer(page).waitFor();
  await page.reload();
  await shows(page, 'second');
  await rowOf(page, 'Unsent').waitFor();
});
