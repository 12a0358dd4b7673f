import test from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest, registerClient } from '#tests/oauth/oauth-flow.ts';
import { newPerson } from '#tests/pages/visitors.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { givePassword, setUpApp } from './second-factors.ts';

const now = new Date('2026-03-02T09:00:00Z');
const stack = await startStack(test, {
  withAuthServer: true,
  now,
  environment: { SECOND_FACTOR: 'required' },
});

/** As the web app does. */
const askForToken = (browser: PageBrowser) =>
  browser.post('/app/session/token', '{}', { 'content-type': 'application/json', origin: stack.baseUrl });

test('where a second factor is required, nothing opens before one is set up, and then what was asked for', async (t) => {
  const person = await newPerson(stack);
  const { browser, page } = await givePassword(stack, person, '/settings/apps');
  const security = await browser.follow(page);
  t.is(security.heading, 'Security');
  t.regex(security.text, /This service requires a second factor/);
  for (const path of ['/settings', '/settings/api', '/settings/data', '/settings/sessions'])
    t.is((await browser.follow(await browser.get(path))).heading, 'Security', path);
  t.is((await askForToken(browser)).status, 401);

  const { codes } = await setUpApp(browser, now, security.path);
  t.is(codes.length, 10);
  t.is((await browser.get('/settings/api')).status, 200);
  t.is((await askForToken(browser)).status, 200);
});

test('where a second factor is required, no app is allowed anything before one is set up', async (t) => {
  const person = await newPerson(stack);
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const { parameters } = authorizationRequest(await registerClient({ endpoints }));
  const browser = createPageBrowser(stack.baseUrl);
  const form = await browser.follow(await browser.get(endpoints.authorizeUrl(parameters)));
  const { email, password } = person;
  const asked = await browser.follow(await browser.submit(form, '/sign-in', { email, password }));
  t.is(asked.heading, 'Security');
  const done = await setUpApp(browser, now, asked.path);
  const [, onward = ''] = /href="(\/oauth\/interaction\/[^"]+)"/.exec(done.page.markup) ?? [];
  t.is((await browser.get(onward)).heading, 'Let “Test app” use your tasks?');
});
