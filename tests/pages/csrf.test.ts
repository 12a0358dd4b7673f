import test from 'ava';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { isSignedIn, newPerson, newVisit } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });

async function tokenFor(browser: PageBrowser, action: string): Promise<string> {
  const fields = new Map((await browser.get(action)).form(action).fields);
  return fields.get('csrf_token') ?? '';
}

test('a form without its token is refused, and does nothing', async (t) => {
  const { browser } = await newVisit(stack);
  const answer = await browser.post('/sign-out', {});
  t.is(answer.status, 403);
  t.is(answer.heading, 'This form is no longer valid');
  t.true(await isSignedIn(browser));
});

test('the token of another form is refused', async (t) => {
  const person = await newPerson(stack);
  const browser = createPageBrowser(stack.baseUrl);
  const token = await tokenFor(browser, '/sign-up');
  const { email, password } = person;
  t.is((await browser.post('/sign-in', { email, password, csrf_token: token })).status, 403);
  t.false(await isSignedIn(browser));
});

test('the token of another browser is refused, so nobody can be signed in to a stranger’s account', async (t) => {
  const stranger = await newPerson(stack);
  const token = await tokenFor(createPageBrowser(stack.baseUrl), '/sign-in');
  const { email, password } = stranger;
  const victim = createPageBrowser(stack.baseUrl);
  t.is((await victim.post('/sign-in', { email, password, csrf_token: token })).status, 403);
  await victim.get('/sign-in');
  t.is((await victim.post('/sign-in', { email, password, csrf_token: token })).status, 403);
  t.false(await isSignedIn(victim));
});

for (const token of ['', 'x', 'é'.repeat(43), 'A'.repeat(43), 'A'.repeat(10_000)]) {
  test(`a token that is none is refused: ${token.slice(0, 5)} (${token.length})`, async (t) => {
    const { browser } = await newVisit(stack);
    t.is((await browser.post('/sign-out', { csrf_token: token })).status, 403);
    t.true(await isSignedIn(browser));
  });
}

const otherSites: Record<string, Record<string, string | undefined>> = {
  'another site': { 'sec-fetch-site': 'cross-site' },
  'another host of the same site': { 'sec-fetch-site': 'same-site' },
  'no page at all': { 'sec-fetch-site': 'none' },
  'a value that nobody knows': { 'sec-fetch-site': 'same-origin, cross-site' },
  'another origin, from a browser that says no more': {
    'sec-fetch-site': undefined,
    origin: 'https://evil.example',
  },
  'the base URL with a path': { 'sec-fetch-site': undefined, origin: `${stack.baseUrl}/` },
};

for (const [from, headers] of Object.entries(otherSites)) {
  test(`a form that comes from ${from} is refused, even with its token`, async (t) => {
    const { browser } = await newVisit(stack);
    const csrfToken = await tokenFor(browser, '/sign-out');
    const answer = await browser.post('/sign-out', { csrf_token: csrfToken }, headers);
    t.is(answer.status, 403);
    t.is(answer.heading, 'This form came from somewhere else');
    t.true(await isSignedIn(browser));
  });
}

const ownPages: Record<string, Record<string, string | undefined>> = {
  'Chromium, whose Origin our referrer policy makes null': {
    'sec-fetch-site': 'same-origin',
    origin: 'null',
  },
  'a browser that names the origin': { 'sec-fetch-site': 'same-origin', origin: stack.baseUrl },
  'a browser without Sec-Fetch-Site': { 'sec-fetch-site': undefined, origin: stack.baseUrl },
  'a browser without Sec-Fetch-Site, with Origin: null': { 'sec-fetch-site': undefined, origin: 'null' },
  'a browser that says nothing': { 'sec-fetch-site': undefined, origin: undefined },
};

for (const [from, headers] of Object.entries(ownPages)) {
  test(`a form of ours is accepted from ${from}`, async (t) => {
    const { browser } = await newVisit(stack);
    const csrfToken = await tokenFor(browser, '/sign-out');
    const answer = await browser.post('/sign-out', { csrf_token: csrfToken }, headers);
    t.is(answer.status, 303);
    t.false(await isSignedIn(browser));
  });
}
