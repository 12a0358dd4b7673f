import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { auditEvents, isSignedIn, newcomer, newPerson } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });

const newBrowser = () => createPageBrowser(stack.baseUrl);

type AccountRow = { accountId: string; plan: string; timezone: string; status: string };

async function accountOf(email: string): Promise<AccountRow | undefined> {
  const [row] = await stack.sql<AccountRow>`
    select id as "accountId", plan, timezone, status from auth.account where email = ${email}`;
  return row;
}

test('sign-up makes an account and signs in to it', async (t) => {
  const { email, password } = newcomer();
  const browser = newBrowser();
  const form = await browser.get('/sign-up');
  t.is(form.status, 200);
  const answer = await browser.submit(form, '/sign-up', { email, password, timezone: 'Europe/Berlin' });
  t.is(answer.status, 303);
  t.is(answer.location, '/app/inbox');
  t.true(await isSignedIn(browser));

  const account = await accountOf(email);
  t.like(account, { plan: 'free', timezone: 'Europe/Berlin', status: 'active' });
  const events = await auditEvents(stack, { accountId: account?.accountId ?? '' });
  t.deepEqual(
    events.map(({ event, actor }) => [event, actor]),
    [
      ['account_created', 'owner'],
      ['signed_in', 'owner'],
    ],
  );
  await newBrowser().signIn({ email, password });
});

test('sign-up leads back to the page that it was asked for, and to no other host', async (t) => {
  for (const [returnTo, location] of [
    ['/oauth/interaction/abc', '/oauth/interaction/abc'],
    ['//evil.example/', '/app/inbox'],
  ] as const) {
    const browser = newBrowser();
    const signIn = await browser.get(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
    const link = signIn.links.find(({ href }) => href.startsWith('/sign-up'));
    const form = await browser.get(
      returnTo.startsWith('//') ? `/sign-up?return_to=${returnTo}` : (link?.href ?? ''),
    );
    t.is((await browser.submit(form, '/sign-up', newcomer())).location, location);
  }
});

const faults: [what: string, fields: Record<string, string>, says: RegExp][] = [
  ['an address without @', { email: 'nobody' }, /must be an e-mail address/],
  ['no address', { email: '' }, /must be an e-mail address/],
  ['an address of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, /at most 254 characters/],
  ['a short password', { password: 'seven77' }, /8 to 1,024 characters/],
  ['a password of 1,025 characters', { password: 'x'.repeat(1_025) }, /8 to 1,024 characters/],
  ['an unknown time zone', { timezone: 'Mars/Base' }, /Choose one/],
];

for (const [what, fields, says] of faults) {
  test(`${what} is refused beside its field, and what was filled in stays`, async (t) => {
    const [field = ''] = Object.keys(fields);
    const sent = { ...newcomer(), timezone: 'Asia/Tokyo', ...fields };
    const browser = newBrowser();
    const answer = await browser.submit(await browser.get('/sign-up'), '/sign-up', sent);
    t.is(answer.status, 400);
    t.deepEqual(answer.invalidFields, [field]);
    t.regex(answer.description(field), says);
    const kept = Object.fromEntries(answer.form('/sign-up').fields);
    t.is(kept.email, sent.email);
    t.is(kept.password, '');
    if (field !== 'timezone') t.is(kept.timezone, 'Asia/Tokyo');
    t.is(await accountOf(sent.email), undefined);
    t.false(await isSignedIn(browser));
  });
}

test('an address with an account, in any case, is refused and the account is unchanged', async (t) => {
  const person = await newPerson(stack);
  const browser = newBrowser();
  const fields = { email: person.email.toUpperCase(), password: 'another password' };
  const answer = await browser.submit(await browser.get('/sign-up'), '/sign-up', fields);
  t.is(answer.status, 400);
  t.regex(answer.description('email'), /belongs to an account already/);
  t.false(await isSignedIn(browser));
  t.deepEqual(await auditEvents(stack, person), []);
  await newBrowser().signIn(person);
});

test('of sign-ups with one address at the same time, one gets the account', async (t) => {
  const { email, password } = newcomer();
  const attempts = Array.from({ length: 4 }, async () => {
    const browser = newBrowser();
    return browser.submit(await browser.get('/sign-up'), '/sign-up', { email, password });
  });
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  t.deepEqual(statuses.toSorted(), [303, 400, 400, 400]);
});

test('a plan can’t be chosen along the way', async (t) => {
  const { email, password } = newcomer();
  const browser = newBrowser();
  const token = new Map((await browser.get('/sign-up')).form('/sign-up').fields).get('csrf_token');
  await browser.post('/sign-up', { email, password, plan: 'premium', csrf_token: token });
  t.is((await accountOf(email))?.plan, 'free');
});

test('where sign-up is closed the page says so, and a form makes no account', async (t) => {
  const closed = await startStack(t, { withAuthServer: true, environment: { SIGN_UP: 'closed' } });
  const browser = createPageBrowser(closed.baseUrl);
  const page = await browser.get('/sign-up');
  t.is(page.status, 403);
  t.is(page.heading, 'Sign-up is closed');
  t.deepEqual(page.forms, []);

  // The form of a server that was open, when it was closed meanwhile.
  const open = newBrowser();
  const token = new Map((await open.get('/sign-up')).form('/sign-up').fields).get('csrf_token');
  browser.cookies.set('tasks_csrf', open.cookies.get('tasks_csrf') ?? '');
  const answer = await browser.post('/sign-up', { ...newcomer(), csrf_token: token });
  t.is(answer.heading, 'Sign-up is closed');
  t.deepEqual(await closed.sql`select id from auth.account`, []);
});
