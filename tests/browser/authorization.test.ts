import { randomUUID } from 'node:crypto';
import http, { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openDocumentHost } from '#tests/oauth/client-document-host.ts';
import { createOAuthEndpoints, defaultRedirectUri, type TokenAnswer } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { samplePng } from '#tests/oauth/sample-pictures.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { accessibilityFaults, openWindow } from '#tests/support/shown-page.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type Look, looks, startWalk, type Walk, withoutScript } from './walk.ts';

type TinyApp = {
  origin: string;
  clientId: string;
  /** Where the app sends its user's browser now. */
  begin(): string;
  /** What the browser brought back to the beginning that was made last. */
  answer(): Promise<URLSearchParams>;
  redeem(answer: URLSearchParams): Promise<{ status: number; body: TokenAnswer }>;
  refresh(refreshToken: string): Promise<{ status: number; body: TokenAnswer }>;
};

/** A program on the user's computer that registers, waits on a loopback port and keeps its tokens. */
async function startTinyApp(t: ExecutionContext, stack: Stack, clientName: string): Promise<TinyApp> {
  const answers: URLSearchParams[] = [];
  const server = createServer((req, res) => {
    answers.push(new URL(req.url ?? '', 'http://app').searchParams);
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end('<!doctype html><title>App</title><link rel="icon" href="data:,"><h1>Back in the app</h1>');
  });
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const origin = `http://127.0.0.1:${port}`;
  const redirectUri = `${origin}/callback`;
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const registered = await endpoints.register({ redirect_uris: [redirectUri], client_name: clientName });
  const clientId = String(registered.body.client_id);
  let verifier = '';
  return {
    origin,
    clientId,
    begin() {
      const request = authorizationRequest(clientId, { redirect_uri: redirectUri });
      verifier = request.verifier;
      answers.splice(0);
      return endpoints.authorizeUrl(request.parameters);
    },
    answer: () =>
      waitFor(() => answers.at(-1), { what: 'the answer to the app', timeoutMilliseconds: 60_000 }),
    redeem: (answer) =>
      endpoints.token({
        grant_type: 'authorization_code',
        code: answer.get('code') ?? undefined,
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    refresh: (refreshToken) =>
      endpoints.token({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }),
  };
}

const browser = await launchChromium();
// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { withAuthServer: true });
const world = await startOAuthWorld(undefined, {
  publicHosts: { request: http.request, resolve: async () => ['127.0.0.1'], isAllowedAddress: () => true },
});
test.after.always(async () => {
  await browser.close();
  await stack.close();
  await world.stack.close();
});

const password = 'seven quiet harbours';

type Account = { email: string };

function newAccount(): Promise<Account> {
  return stack.createAccount({ password, email: `${randomUUID().slice(0, 8)}@example.com` });
}

async function signIn({ page, write, press }: Walk, { email }: Account): Promise<void> {
  await write(page.getByLabel('E-mail address'), email);
  await write(page.getByLabel('Password'), password);
  await press(page.getByRole('button', { name: 'Sign in' }));
}

async function allow({ page, press }: Walk): Promise<void> {
  await press(page.getByRole('button', { name: 'Allow', exact: true }));
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
}

async function statusesOf(accessToken: string): Promise<number[]> {
  const client = stack.client(accessToken);
  const read = await client.get('/me');
  const write = await client.post('/tasks', { title: 'Written by the app' });
  return [read.status, write.status];
}

const appNames: Readonly<Record<string, string>> = {
  'phone-dark-without-script': `Assistant${'-with-a-name-without-blanks'.repeat(6)}`,
};

async function openWalk(t: Parameters<typeof startWalk>[0], look: Look) {
  const name = appNames[look.name] ?? 'Desk Assistant';
  const app = await startTinyApp(t, stack, name);
  const walk = await startWalk(t, browser, { name: 'app', look, origins: [stack.baseUrl, app.origin] });
  return { app, name, walk };
}

for (const look of looks) {
  test.serial(`an app is connected, used, listed and disconnected: ${look.name}`, async (t) => {
    const { app, name, walk } = await openWalk(t, look);
    const { page, see, press, flip, open } = walk;
    const account = await newAccount();
    await open(app.begin());
    await see('Sign in', 'sign-in');
    await signIn(walk, account);
    await see('use your tasks?', 'consent');
    t.true(await page.getByText(account.email).last().isVisible());
    await flip(page.getByRole('checkbox', { name: /^Write/ }));
    await see('use your tasks?', 'consent-without-write');
    await allow(walk);

    const answer = await app.answer();
    t.is(answer.get('state'), 'state-1');
    t.is(answer.get('iss'), stack.baseUrl);
    const { status, body: tokens } = await app.redeem(answer);
    t.like({ status, scope: tokens.scope }, { status: 200, scope: 'read' });
    t.deepEqual(await statusesOf(tokens.access_token), [200, 403]);

    await open(`${stack.baseUrl}/settings/apps`);
    await see('Connected apps', 'apps');
    const entry = page.getByRole('listitem').filter({ hasText: name });
    t.true(await entry.getByText('See your tasks').isVisible());
    t.false(await entry.getByText('Add tasks').isVisible());
    t.not(await entry.locator('dt:text-is("Last used") + dd').innerText(), 'Never');
    await press(entry.locator('summary'));
    await page.getByRole('button', { name: 'Disconnect this app' }).waitFor();
    await see('Connected apps', 'disconnect');
    await press(page.getByRole('button', { name: 'Disconnect this app' }));
    await page.getByText('The app has been disconnected').waitFor();
    await see('Connected apps', 'disconnected');
    t.deepEqual(await statusesOf(tokens.access_token), [401, 401]);
    t.like(await app.refresh(tokens.refresh_token), { status: 400, body: { error: 'invalid_grant' } });
    await press(page.getByRole('navigation').getByRole('link', { name: 'Security log' }));
    await see('Security log', 'activity');
    t.deepEqual(walk.faults, []);
  });

  test.serial(`who is signed in needs no password and can change accounts: ${look.name}`, async (t) => {
    const { app, walk } = await openWalk(t, look);
    const { page, see, press, open } = walk;
    const [first, second] = [await newAccount(), await newAccount()];
    await open(`${stack.baseUrl}/sign-in?return_to=%2Fsettings`);
    await signIn(walk, first);
    await see('Profile', 'signed-in');

    await open(app.begin());
    await see('use your tasks?', 'consent-at-once');
    t.is(await page.getByLabel('Password').count(), 0);
    await allow(walk);
    const tokens = (await app.redeem(await app.answer())).body;
    t.deepEqual(await statusesOf(tokens.access_token), [200, 201]);

    await open(app.begin());
    await see('use your tasks?', 'consent-again');
    await press(page.getByRole('button', { name: 'Use another account' }));
    await see('Sign in', 'another-account');
    await signIn(walk, second);
    await see('use your tasks?', 'consent-of-another-account');
    t.true(await page.getByText(second.email).last().isVisible());
    t.is(await page.getByText(first.email).count(), 0);
    await press(page.getByRole('button', { name: 'Don’t allow' }));
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    const answer = await app.answer();
    t.is(answer.get('error'), 'access_denied');
    t.is(answer.get('iss'), stack.baseUrl);
    t.false(answer.has('code'));
    await open(`${stack.baseUrl}/settings/apps`);
    t.true(await page.getByText('No app is connected').isVisible());
    t.deepEqual(walk.faults, []);
  });
}

test.serial('who has no account makes one on the way and is asked then', async (t) => {
  const { app, walk } = await openWalk(t, withoutScript);
  const { page, see, press, write, open } = walk;
  await open(app.begin());
  await press(page.getByRole('link', { name: 'Create one' }));
  await see('Create an account', 'sign-up-on-the-way');
  const email = `${randomUUID()}@example.com`;
  await write(page.getByLabel('E-mail address'), email);
  await write(page.getByLabel('Password'), password);
  await press(page.getByRole('button', { name: 'Create the account' }));
  await see('use your tasks?', 'consent-after-sign-up');
  await allow(walk);
  const { status } = await app.redeem(await app.answer());
  t.is(status, 200);
  t.deepEqual(walk.faults, []);
});

/** The consent page, just loaded, of an app that is about to be connected. */
async function openConsent(t: ExecutionContext, options: BrowserContextOptions = {}): Promise<Page> {
  const app = await startTinyApp(t, stack, 'Desk Assistant');
  const { email } = await stack.createAccount({ password, email: `${randomUUID()}@example.com` });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(app.begin());
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  return page;
}

/** Clicks where the button is, without a movement before it, as the mouse that rested there. */
async function clickAtRest(page: Page): Promise<void> {
  const box = await page.locator('button[data-arms]').boundingBox();
  const point = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10 };
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['mousePressed', 'mouseReleased'] as const)
    await devtools.send('Input.dispatchMouseEvent', { type, ...point, button: 'left', clickCount: 1 });
  await devtools.detach();
}

const isAsking = (page: Page): Promise<boolean> =>
  page.getByRole('heading', { name: 'use your tasks?' }).isVisible();

const armed = 'button[data-arms]:not([aria-disabled])';

/** A form that was sent would be gone after these. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))');
}

test('a click that was meant for a window above, closed by its first half, allows nothing', async (t) => {
  const page = await openConsent(t);
  await page.mouse.move(5, 5);
  await page.locator(armed).waitFor();
  await clickAtRest(page);
  await settle(page);
  t.true(await isAsking(page), 'the mouse has not moved on the button');

  await page.locator(armed).hover();
  // A headless browser has no windows that take the focus from each other.
  await page.evaluate("dispatchEvent(new Event('blur')), dispatchEvent(new Event('focus'))");
  await clickAtRest(page);
  await settle(page);
  t.true(await isAsking(page), 'the page has just got the focus back');
  await page.locator(armed).waitFor();
  await clickAtRest(page);
  await settle(page);
  t.true(await isAsking(page), 'the mouse has not moved since');

  await page.mouse.move(5, 5);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
});

test('a key and a tap allow once the page was visible for a second; refusing needs no wait', async (t) => {
  const byKey = await openConsent(t);
  await byKey.locator('button[data-arms]').focus();
  await byKey.evaluate("dispatchEvent(new Event('focus'))");
  await byKey.keyboard.press('Enter');
  await settle(byKey);
  t.true(await isAsking(byKey));
  await byKey.locator(armed).waitFor();
  await byKey.keyboard.press('Enter');
  await byKey.getByRole('heading', { name: 'Back in the app' }).waitFor();

  const byTap = await openConsent(t, { hasTouch: true });
  await byTap.locator(armed).tap();
  await byTap.getByRole('heading', { name: 'Back in the app' }).waitFor();

  const refused = await openConsent(t);
  await refused.getByRole('button', { name: 'Don’t allow' }).click();
  await refused.waitForURL(/error=access_denied/);
});

test.serial('the consent page shows an app’s logo, and its initial without one or until then', async (t) => {
  const { endpoints, owner } = world;
  const host = await openDocumentHost(t);
  const response = Promise.withResolvers<void>();
  host.answerWith(async (req, res) => {
    await response.promise;
    if (req.url === '/none.png') res.writeHead(404).end();
    else res.writeHead(200, { 'Content-Type': 'image/png' }).end(samplePng(300, 300));
  });
  const { page, faults } = await openWindow(t, browser);
  const open = async (logoUri: string) => {
    const metadata = { redirect_uris: [defaultRedirectUri], client_name: 'Claude', logo_uri: logoUri };
    const { body } = await endpoints.register(metadata);
    await page.goto(endpoints.authorizeUrl(authorizationRequest(String(body.client_id)).parameters));
  };
  const initial = () =>
    page.evaluate(`getComputedStyle(document.querySelector('.app-logo'), '::before').content`);
  await open(host.urlOf('/logo.png').href);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'use your tasks?' }).waitFor();
  t.is(await initial(), '"C" / ""');
  t.is(await page.locator('.app-logo img').count(), 0);
  response.resolve();
  await page.locator('.app-logo img').waitFor();
  await takePicture(page, 'consent-logo');
  t.deepEqual(await accessibilityFaults(page), []);

  const failed = page.waitForResponse((response) => response.status() === 204);
  await open(host.urlOf('/none.png').href);
  await failed;
  t.is(await page.locator('.app-logo img').count(), 0);
  await takePicture(page, 'consent-initial');
  t.deepEqual(faults, []);
});
