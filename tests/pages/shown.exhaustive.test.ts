import test, { type ExecutionContext } from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest } from '#tests/oauth/oauth-flow.ts';
import { samplePng } from '#tests/oauth/sample-pictures.ts';
import { connectApp, furtherBrowser } from '#tests/settings/signed-in-owner.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { addCookies, inspect, openWindow, type ShownPage } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { newcomer, newPerson, newVisit, type Visit } from './visitors.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const longAddress = () =>
  `ada.lovelace.of.the.analytical.engine.${crypto.randomUUID()}@mathematics.example.com`;
const longName = `Nightly ${'W'.repeat(120)} \u202egnihtemos`;

/** An account with some of everything. */
async function busyOwner(): Promise<Visit> {
  const owner = await newVisit(stack, { email: longAddress() });
  const { person: account } = owner;
  await stack.createToken(account, { name: 'Backup script', scopes: ['read'] });
  await stack.createToken(account, { name: longName, expiresAt: new Date('2026-01-02T03:04:05Z') });
  await connectApp(stack, account, { name: 'Claude', clientId: 'https://claude.ai/oauth/client-metadata' });
  await connectApp(stack, account, { name: longName, scopes: 'write' });
  await stack.sql`insert into auth.client_logo (client_id, image, stored_at)
    values ('https://claude.ai/oauth/client-metadata', ${samplePng(96, 48)}, now()) on conflict do nothing`;
  await furtherBrowser(stack, owner, 'x'.repeat(200));
  await stack.sql`insert into auth.audit_event (account_id, happened_at, event, actor, address, user_agent)
    select ${account.accountId}, now() - make_interval(hours => n / 4), 'sign_in_failed', 'service',
      case when n < 12 then '2001:db8:85a3:8d3:1319:8a2e:370:7348' else '203.0.113.7' end, 'curl/8.14.1'
    from generate_series(1, 20) n order by n desc`;
  const api = await owner.browser.get('/settings/api');
  await owner.browser.submit(api, '/settings/api', { name: longName, scope: ['read', 'write'] });
  return owner;
}

/** A window of Chromium in which the owner is signed in. */
async function openSignedIn(t: ExecutionContext, owner: Visit): Promise<ShownPage> {
  const window = await openWindow(t, browser);
  await addCookies(window.context, stack.baseUrl, owner.browser.cookies.header('/'));
  return window;
}

async function consentUrl(redirectUri: string, clientName: string): Promise<string> {
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const { body } = await endpoints.register({
    redirect_uris: [redirectUri],
    client_name: clientName,
    // A name that is never given out: the initial remains.
    logo_uri: 'https://logo.invalid/logo.png',
  });
  const { parameters } = authorizationRequest(String(body.client_id), { redirect_uri: redirectUri });
  return endpoints.authorizeUrl(parameters);
}

const visitorPaths = [
  '/',
  '/sign-in',
  '/sign-up',
  '/sign-in/forgot',
  '/sign-in/reset',
  '/sign-in/elsewhere',
  '/mcp',
];

/** Each with a notice that one of its forms ends with. */
const tabs = [
  ['', 'timezone-saved'],
  ['/api', 'revoked'],
  ['/apps', 'disconnected'],
  ['/sessions', 'ended'],
  ['/activity', undefined],
] as const;

test.serial('every page for visitors can be used by everybody', async (t) => {
  const window = await openWindow(t, browser);
  const { page } = window;
  for (const path of visitorPaths) {
    await page.goto(stack.baseUrl + path);
    await inspect(t, window, `visitors${path.replaceAll('/', '-')}`);
  }
  for (const [path, email] of Object.entries({ '/sign-in': longAddress(), '/sign-up': 'nobody' })) {
    await page.goto(stack.baseUrl + path);
    const form = page.locator('main form').first();
    // Past the checks that the browser itself makes.
    await form.evaluate((element) => element.setAttribute('novalidate', ''));
    await form.getByLabel('E-mail address').fill(email);
    await form.getByLabel('Password').fill('short');
    await form.getByRole('button').click();
    await page.locator('.error').first().waitFor();
    await inspect(t, window, `visitors${path.replaceAll('/', '-')}-refused`);
  }
});

test.serial('every settings page can be used by everybody', async (t) => {
  const empty = await openSignedIn(t, await newVisit(stack));
  const busy = await openSignedIn(t, await busyOwner());
  for (const [tab, notice] of tabs) {
    const name = `settings${tab.replace('/', '-')}`;
    await empty.page.goto(`${stack.baseUrl}/settings${tab}`);
    await inspect(t, empty, `${name}-empty`);
    if (notice) await busy.context.addCookies([{ name: 'tasks_notice', value: notice, url: stack.baseUrl }]);
    await busy.page.goto(`${stack.baseUrl}/settings${tab}`);
    t.is(await busy.page.locator('.notice').count(), notice ? 1 : 0);
    await inspect(t, busy, name);
  }
  await busy.page.goto(`${stack.baseUrl}/sign-out`);
  await inspect(t, busy, 'sign-out');
});

test.serial('the secret’s page and what refuses a form can be used by everybody', async (t) => {
  const window = await openSignedIn(t, await newVisit(stack));
  const { page } = window;
  await page.goto(`${stack.baseUrl}/settings/api`);
  await page.getByLabel('Read').uncheck();
  await page.getByLabel('Name').fill(' ');
  await page.getByRole('button', { name: 'Create the token' }).click();
  await page.getByText('Choose at least one of these.').waitFor();
  await inspect(t, window, 'settings-api-refused');
  await page.getByLabel('Name').fill('Backup script');
  await page.getByLabel('Read').check();
  await page.getByRole('button', { name: 'Create the token' }).click();
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  await inspect(t, window, 'settings-secret');
  await page.goto(`${stack.baseUrl}/settings`);
  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('8 to 1,024 characters').waitFor();
  await inspect(t, window, 'settings-refused');
});

test.serial('the consent page can be used by everybody', async (t) => {
  const window = await openSignedIn(t, await busyOwner());
  const targets: [string, string, string][] = [
    ['web', 'https://claude.ai/api/mcp/auth_callback', 'Claude'],
    ['loopback', 'http://127.0.0.1:33418/callback', 'Claude” is checked by us. “'],
    ['private-scheme', 'com.example.a-long-name-of-an-app.for-tests:/callback', longName],
    ['long-host', `https://${'a-very-long-label-of-a-host-name.'.repeat(6)}example.com/callback`, 'Desk'],
    ['reversed-name', 'https://a.example.com/callback', 'Assistant \u202edesrever\u202c \u200b\u2066 مساعد'],
    ['piled-up-name', 'https://a.example.com/callback', `Z${'\u0335\u0321\u0327'.repeat(60)} Assistant`],
    ['endless-name', 'https://a.example.com/callback', 'W'.repeat(200)],
  ];
  for (const [kind, redirectUri, clientName] of targets) {
    await window.page.goto(await consentUrl(redirectUri, clientName));
    await inspect(t, window, `consent-${kind}`);
  }
  await window.page.getByLabel('Read').uncheck();
  await window.page.getByLabel('Write').uncheck();
  await window.page.getByRole('button', { name: 'Allow', exact: true }).click();
  await window.page.getByText('Choose at least one').waitFor();
  await inspect(t, window, 'consent-refused');
});

test.serial('the first key leads past the header to the content (WCAG 2.2 §2.4.1)', async (t) => {
  const { page } = await openWindow(t, browser);
  await page.goto(`${stack.baseUrl}/sign-in`);
  await page.keyboard.press('Tab');
  const skip = page.locator(':focus');
  t.is(await skip.innerText(), 'Skip to the content');
  t.true((await skip.boundingBox())?.x === 8);
  await page.keyboard.press('Enter');
  t.is(await page.locator(':focus').getAttribute('id'), 'main');
  await page.keyboard.press('Tab');
  t.is(await page.locator(':focus').getAttribute('name'), 'email');
});

const view = { width: 1280, height: 900, colorScheme: 'light' } as const;

test.serial('without script everything works but for what script adds', async (t) => {
  const { email, password } = newcomer();
  const { page } = await openWindow(t, browser, view, { javaScriptEnabled: false });
  await page.goto(`${stack.baseUrl}/`);
  t.is(await page.getByRole('button', { name: 'Copy' }).count(), 0);
  await page.goto(`${stack.baseUrl}/sign-up`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL(`${stack.baseUrl}/app/inbox`);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL(`${stack.baseUrl}/settings`);
});

/** A window in which somebody is signed in, who sees their own address. */
async function signedInWindow(
  t: ExecutionContext,
  { timezone = 'UTC', timezoneId = 'UTC' }: { timezone?: string; timezoneId?: string } = {},
) {
  const { email, password, accountId } = await newPerson(stack, { timezone });
  const { page, context } = await openWindow(t, browser, view, { timezoneId });
  await page.goto(`${stack.baseUrl}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${stack.baseUrl}/app/`);
  await page.goto(`${stack.baseUrl}/settings`);
  t.true((await page.content()).includes(email));
  return { page, context, email, accountId };
}

test.serial('points in time are shown in the zone of the account, which they name', async (t) => {
  const zones = { timezone: 'America/Lima', timezoneId: 'Asia/Kolkata' };
  const { page, accountId, email } = await signedInWindow(t, zones);
  await stack.createToken({ accountId, email });
  await stack.sql`update auth.api_token set created_at = '2026-03-01T20:00:00Z'
      where account_id = ${accountId}`;
  await page.goto(`${stack.baseUrl}/settings/api`);
  const created = page.locator('time[datetime="2026-03-01T20:00:00.000Z"]').first();
  t.is(await created.innerText(), '1 Mar 2026, 15:00 GMT-5');
});

test.serial('after signing out nothing is stored, and going back shows nothing of the account', async (t) => {
  const { page, email } = await signedInWindow(t);
  await page.evaluate("localStorage.setItem('kept', 'by some page')");

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${stack.baseUrl}/`);
  t.is(await page.evaluate('localStorage.length'), 0);
  await page.goBack();
  await page.waitForURL(/\/sign-in\?return_to=/);
  t.false((await page.content()).includes(email));
});

test.serial('who signs out is shown in no other window; without an answer nobody has', async (t) => {
  const { page, context, email } = await signedInWindow(t);
  const other = await context.newPage();
  await other.goto(`${stack.baseUrl}/settings`);
  t.true((await other.content()).includes(email));
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await context.route('**/*', (route) => route.abort());
  await signOut.click();
  await page.getByRole('alert').filter({ hasText: 'you are still signed in' }).waitFor();
  t.true((await other.content()).includes(email));
  await context.unroute('**/*');
  await signOut.click();
  await other.getByRole('status').waitFor();
  t.false((await other.content()).includes(email));
});
