import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { openWatchedPage, press, signIn } from './watched-page.ts';

type Shown = { status: number; headers: Record<string, string>; body: Record<string, unknown> };

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const browser = await launchChromium();
const world = await startOAuthWorld(undefined);
const site = await openAssistantSite();
test.after.always(async () => {
  await browser.close();
  await world.stack.close();
  await site.close();
});

const { baseUrl, apiRoot } = world.stack;
const api = `${apiRoot}/me`;

function call<Answer = Shown>(page: Page, name: string, ...values: unknown[]): Promise<Answer> {
  return page.evaluate(`assistant.${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
}

/** From the app's page by ours and back again; the app has its tokens then. */
async function connect(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  // It leads away from the page, so there is nothing to wait for in it.
  await page.evaluate(`void assistant.connect(${JSON.stringify(api)})`);
  await page.waitForURL(`${baseUrl}/oauth/authorize?*`);
  await signIn(page, world.owner);
  await page.waitForURL(`${baseUrl}/oauth/interaction/*`);
  await press(page, 'Allow');
  await page.waitForURL(`${origin}/callback?*`);
  if ((await call<string>(page, 'finish')) !== 'AUTHORIZED') throw new Error('the SDK is not content');
}

test('a page of another origin connects, works, renews and leaves', async (t) => {
  const { page, faults } = await openWatchedPage(t, browser, baseUrl);
  await connect(page, site.origin);
  const first = await call<Record<string, string>>(page, 'tokens');
  t.is((await call(page, 'get', api)).status, 200);

  t.is(await call<string>(page, 'refresh'), 'AUTHORIZED');
  const second = await call<Record<string, string>>(page, 'tokens');
  t.not(second.access_token, first.access_token);
  t.is((await call(page, 'get', api)).status, 200);

  const leave = { token: second.refresh_token, client_id: await call<string>(page, 'clientId') };
  t.is((await call(page, 'post', `${baseUrl}/oauth/revoke`, leave)).status, 200);
  t.is((await call(page, 'get', api)).status, 401);
  t.deepEqual(faults, []);
});

type AssistantSite = { origin: string; close(): Promise<void> };

/**
 * Serves the page of an app whose script holds an SDK. Its origin differs from ours by name and by port, so that to
 * a browser the two are not even the same site.
 */
async function openAssistantSite(): Promise<AssistantSite> {
  const script = await bundle();
  const server = createServer((req, res) => {
    const isScript = req.url === '/assistant.js';
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    res.end(
      isScript ? script : '<!doctype html><title>Assistant</title><script src="/assistant.js"></script>',
    );
  });
  const { port, close } = await listenOnFreePort(server);
  return { origin: `http://localhost:${port}`, close };
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./assistant-page.js', import.meta.url))],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map(({ text }) => text).join('\n');
}
