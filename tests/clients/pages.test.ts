import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { authorizationRequest, registerClient, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import type { Person } from '#tests/pages/visitors.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type WatchedPage = {
  page: Page;
  /** What our own pages must not do: break their policy, log an error. */
  faults: string[];
};

/** A page in a browser of its own; closed at the end of the test. */
async function openWatchedPage(t: ExecutionContext, browser: Browser, baseUrl: string): Promise<WatchedPage> {
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
async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Does not wait for where the answer leads: it may be no page at all. */
async function press(page: Page, button: 'Allow' | 'Don’t allow'): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click({ noWaitAfter: true });
}

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
 * Serves the page of an app whose script holds an SDK. Its origin differs from ours by name and by port, so
 * that to a browser the two are not even the same site.
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

/** Every address that the page began to load. What the policy blocks never becomes one. */
type AskedPage = WatchedPage & { asked: string[] };

async function openConsentPage(t: ExecutionContext, redirectUri: string): Promise<AskedPage> {
  const clientId = await registerClient(world, redirectUri);
  const { parameters } = authorizationRequest(clientId, { redirect_uri: redirectUri });
  const { page, faults } = await openWatchedPage(t, browser, world.stack.baseUrl);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(world.endpoints.authorizeUrl(parameters));
  await signIn(page, world.owner);
  await page.waitForURL(`${world.stack.baseUrl}/oauth/interaction/*`);
  return { page, faults, asked };
}

/** The code's address, once the browser goes there. */
function findAnswer({ asked, faults }: AskedPage, redirectUri: string): Promise<string> {
  return waitFor(
    () => {
      if (faults.length > 0) throw new Error(faults.join('\n'));
      return asked.find((url) => url.startsWith(`${redirectUri}?`));
    },
    { what: `the browser to go to ${redirectUri}`, timeoutMilliseconds: 120_000 },
  );
}

/** An app that waits for its code on this machine (RFC 8252 §7.3). */
async function listenOn(t: ExecutionContext, host: string): Promise<{ port: number; received: string[] }> {
  const received: string[] = [];
  const server = createServer((req, res) => {
    received.push(req.url ?? '');
    res.end('You may close this window.');
  });
  const { port, close } = await listenOnFreePort(server, host);
  t.teardown(close);
  return { port, received };
}

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

for (const { host, listener } of [
  { host: '127.0.0.1', listener: '127.0.0.1' },
  { host: 'localhost', listener: '127.0.0.1' },
  { host: '[::1]', listener: '::1' },
]) {
  const declare = listener === '::1' && !hasIpv6 ? test.serial.skip : test.serial;
  declare(`the user’s answer reaches an app that listens on ${host}`, async (t) => {
    const { port, received } = await listenOn(t, listener);
    const redirectUri = `http://${host}:${port}/callback`;
    const { page, faults } = await openConsentPage(t, redirectUri);
    await press(page, 'Allow');
    await page.waitForURL(`${redirectUri}?*`);
    t.regex(received[0] ?? '', /^\/callback\?code=[\w-]{43}&state=state-1&iss=/);
    t.deepEqual(faults, []);
  });
}

test.serial('the user’s answer reaches a site', async (t) => {
  const redirectUri = 'https://app.example.com/callback';
  const { page, faults } = await openConsentPage(t, redirectUri);
  await answerInPlaceOf(page, 'https://app.example.com/*');
  await press(page, 'Allow');
  await page.waitForURL(`${redirectUri}?*`);
  t.is(await page.innerText('body'), 'Connected.');
  t.deepEqual(faults, []);
});

/** Playwright's own routes are not asked where a redirect leads. */
async function answerInPlaceOf(page: Page, urlPattern: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  devTools.on('Fetch.requestPaused', ({ requestId }) => {
    const body = Buffer.from('<!doctype html><body>Connected.').toString('base64');
    const responseHeaders = [{ name: 'Content-Type', value: 'text/html' }];
    void devTools.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body });
  });
  await devTools.send('Fetch.enable', { patterns: [{ urlPattern }] });
}

for (const redirectUri of [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vendor.extension/callback',
  'com.example.app:/oauth/callback',
]) {
  test.serial(`the user’s answer is handed to the app that opens ${redirectUri}`, async (t) => {
    const opened = await openConsentPage(t, redirectUri);
    await press(opened.page, 'Allow');
    const { searchParams } = new URL(await findAnswer(opened, redirectUri));
    t.is(searchParams.get('state'), 'state-1');
    t.truthy(searchParams.get('code'));
    t.deepEqual(opened.faults, []);
  });
}
