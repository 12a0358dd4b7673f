import test from 'ava';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { isSignedIn, newcomer, newPerson } from './visitors.ts';

const stack = await startStack(test, {
  withAuthServer: true,
  environment: { SIGN_IN_FAILURES_PER_ACCOUNT: '3' },
});

type Credentials = { email: string; password: string };

async function attempt({ email, password }: Credentials, browser = createPageBrowser(stack.baseUrl)) {
  return browser.submit(await browser.get('/sign-in'), '/sign-in', { email, password });
}

async function guess(email: string, count: number, on: Stack = stack): Promise<void> {
  const browser = createPageBrowser(on.baseUrl);
  for (let index = 0; index < count; index++) await attempt({ email, password: `guess ${index}` }, browser);
}

/** Refused for a while, with words that say for how long. */
function assertRefused(
  t: { is(a: unknown, b: unknown): void; regex(a: string, b: RegExp): void },
  page: PageView,
) {
  t.is(page.status, 429);
  t.regex(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.is(Number(page.headers.get('retry-after')) <= 900, true);
  t.regex(page.text, /Try again in (\d+ seconds?|1?\d minutes)\./);
}

test('after as many failures as are allowed an account takes no password, the right one included', async (t) => {
  const person = await newPerson(stack);
  await guess(person.email, 3);
  const browser = createPageBrowser(stack.baseUrl);
  const refused = await attempt(person, browser);
  assertRefused(t, refused);
  t.false(await isSignedIn(browser));
  assertRefused(t, await attempt({ ...person, email: person.email.toUpperCase() }));

  const usable = new Map(refused.form('/sign-in').fields);
  t.is(usable.get('email'), person.email);
  t.is(usable.get('password'), '');
  t.is((await attempt(await newPerson(stack))).status, 303, 'others sign in as ever');
});

test('an address that has no account is limited alike', async (t) => {
  const { email } = newcomer();
  await guess(email, 3);
  assertRefused(t, await attempt({ email, password: 'one more guess' }));
});

test('guesses that are made at once can’t all pass', async (t) => {
  const person = await newPerson(stack);
  const guesses = Array.from({ length: 12 }, (_, index) =>
    attempt({ email: person.email, password: `guess ${index}` }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  t.deepEqual(statuses.toSorted(), [...Array(3).fill(400), ...Array(9).fill(429)]);
});

test('whoever signs in has not failed', async (t) => {
  const person = await newPerson(stack);
  await guess(person.email, 2);
  for (let count = 0; count < 3; count++) t.is((await attempt(person)).status, 303);
  t.is((await attempt({ ...person, password: 'wrong' })).status, 400);
  assertRefused(t, await attempt(person));
});

test('a form without an address or a password is no attempt', async (t) => {
  const person = await newPerson(stack);
  for (let count = 0; count < 4; count++) t.is((await attempt({ ...person, password: '' })).status, 400);
  t.is((await attempt(person)).status, 303);
});

const fromAddress = (address: string, browser: PageBrowser, { email, password }: Credentials) =>
  browser
    .get('/sign-in')
    .then((form) =>
      browser.submit(form, '/sign-in', { email, password }, { headers: { 'x-forwarded-for': address } }),
    );

test('an address that fails with many accounts is refused, IPv6 by its network, and others are not', async (t) => {
  const environment = { SIGN_IN_FAILURES_PER_ADDRESS: '3', TRUSTED_PROXY_HOPS: '1' };
  const limited = await startStack(t, { withAuthServer: true, environment });
  const person = await newPerson(limited);
  const from = (address: string, credentials: Credentials) =>
    fromAddress(address, createPageBrowser(limited.baseUrl), credentials);
  for (let count = 1; count <= 3; count++) {
    t.is((await from(`2001:db8:0:1::${count}`, newcomer())).status, 400);
  }
  assertRefused(t, await from('2001:db8:0:1::9', person));
  t.is((await from('2001:db8:0:2::1', person)).status, 303);
});

test('an account that is locked does not use up the address of whoever tries it on', async (t) => {
  const environment = { SIGN_IN_FAILURES_PER_ADDRESS: '4', SIGN_IN_FAILURES_PER_ACCOUNT: '3' };
  const limited = await startStack(t, { withAuthServer: true, environment });
  const person = await newPerson(limited);
  const { email } = newcomer();
  await guess(email, 6, limited);
  t.is((await attempt(person, createPageBrowser(limited.baseUrl))).status, 303);
  await guess(newcomer().email, 1, limited);
  assertRefused(t, await attempt(person, createPageBrowser(limited.baseUrl)));
});

test('ADDRESS_LIMIT_EXEMPT lifts the limit of an address, never that of an account', async (t) => {
  const exempt = await startStack(t, {
    withAuthServer: true,
    environment: {
      SIGN_IN_FAILURES_PER_ADDRESS: '1',
      SIGN_IN_FAILURES_PER_ACCOUNT: '3',
      SIGN_UPS_PER_ADDRESS_PER_HOUR: '1',
      ADDRESS_LIMIT_EXEMPT: '127.0.0.0/8',
    },
  });
  for (let count = 0; count < 3; count++) {
    const browser = createPageBrowser(exempt.baseUrl);
    t.is((await attempt(newcomer(), browser)).status, 400);
    await browser.signUp(newcomer());
  }
  const person = await newPerson(exempt);
  await guess(person.email, 3, exempt);
  assertRefused(t, await attempt(person, createPageBrowser(exempt.baseUrl)));
});

test('an address makes so many accounts in an hour, and no more', async (t) => {
  const environment = { SIGN_UPS_PER_ADDRESS_PER_HOUR: '2' };
  const limited = await startStack(t, { withAuthServer: true, environment });
  for (let count = 0; count < 2; count++) await createPageBrowser(limited.baseUrl).signUp(newcomer());
  const browser = createPageBrowser(limited.baseUrl);
  const { email, password } = newcomer();
  const refused = await browser.submit(await browser.get('/sign-up'), '/sign-up', { email, password });
  t.is(refused.status, 429);
  t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.regex(refused.text, /Too many accounts .* Try again in \d+ minutes\./);
  t.is(new Map(refused.form('/sign-up').fields).get('email'), email);
  t.deepEqual(await limited.sql`select id from auth.account where email = ${email}`, []);
});

test('pages are limited by address, with a page that says when to come back', async (t) => {
  const environment = { PAGES_PER_ADDRESS_PER_MINUTE: '2' };
  const limited = await startStack(t, { withAuthServer: true, environment });
  const browser = createPageBrowser(limited.baseUrl);
  t.is((await browser.get('/sign-in')).status, 200);
  t.is((await browser.get('/sign-up')).status, 200);
  const refused = await browser.get('/sign-in');
  t.is(refused.status, 429);
  t.is(refused.heading, 'Too many requests');
  t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.regex(refused.text, /Try again in \d+ seconds?\./);
});

test.serial(
  'a flood of sign-ins is refused in part, unknown addresses cost a password’s work too',
  async (t) => {
    const browsers = Array.from({ length: 4 }, () => createPageBrowser(stack.baseUrl));
    const forms = await Promise.all(
      browsers.map(async (browser) => ({ browser, form: await browser.get('/sign-in') })),
    );
    const flood = Array.from({ length: 100 }, () =>
      forms.map(({ browser, form }) =>
        browser.submit(form, '/sign-in', { ...newcomer(), password: 'a guess' }),
      ),
    ).flat();
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 503);
    t.true(answers.filter(({ status }) => status === 400).length >= 66);
    t.true(refused.length > 0);
    for (const page of refused) {
      t.is(page.heading, 'The service is busy');
      t.regex(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
  },
);
