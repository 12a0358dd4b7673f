import test, { type ExecutionContext } from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { isSignedIn, newcomer, newPerson } from './visitors.ts';

type LimitTest = (t: ExecutionContext, stack: Stack) => Promise<void>;

const threePerAccount = { SIGN_IN_FAILURES_PER_ACCOUNT: '3' };
/** For tests of accounts: each has accounts of its own. */
const byAccount = await startStack(undefined, { withAuthServer: true, environment: threePerAccount });
test.after.always(() => byAccount.close());

/**
 * A test of limits, of an address on a stack of its own. Without Redis a process counts for itself, from
 * nothing, and a machine that is too busy for Redis to answer in time looks the same: what happened across
 * such a change is tried again.
 */
function testLimit(title: string, environment: Record<string, string>, run: LimitTest): void {
  test.serial(title, async (t) => {
    const attempt = async (): Promise<boolean> => {
      const isShared = environment === threePerAccount;
      const stack = isShared ? byAccount : await startStack(undefined, { withAuthServer: true, environment });
      const noted = stack.log.length;
      const result = await t.try((attempted) => run(attempted, stack));
      if (!isShared) await stack.close();
      const isOneCount = !stack.log.slice(noted).some(({ msg }) => msg.startsWith('Redis is unavailable'));
      if (isOneCount) result.commit();
      else result.discard();
      return isOneCount;
    };
    await waitFor(attempt, { timeoutMilliseconds: 120_000, what: 'a minute in which Redis answers' });
  });
}

type Credentials = { email: string; password: string };

async function attempt({ baseUrl }: Stack, { email, password }: Credentials, address?: string) {
  const browser = createPageBrowser(baseUrl);
  const form = await browser.get('/sign-in');
  const headers = { 'x-forwarded-for': address };
  return browser.submit(form, '/sign-in', { email, password }, { headers });
}

async function guess(stack: Stack, email: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await attempt(stack, { email, password: `guess ${index}` });
}

/** Refused for a while, with words that say for how long. */
function assertRefused(t: ExecutionContext, page: PageView): void {
  t.is(page.status, 429);
  t.regex(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.true(Number(page.headers.get('retry-after')) <= 900);
  t.regex(page.text, /Try again in (\d+ seconds?|1?\d minutes)\./);
}

testLimit(
  'after some failures an account takes no password, not even its own',
  threePerAccount,
  async (t, stack) => {
    const person = await newPerson(stack);
    await guess(stack, person.email, 3);
    const browser = createPageBrowser(stack.baseUrl);
    const { email, password } = person;
    const refused = await browser.submit(await browser.get('/sign-in'), '/sign-in', { email, password });
    assertRefused(t, refused);
    t.false(await isSignedIn(browser));
    assertRefused(t, await attempt(stack, { ...person, email: email.toUpperCase() }));

    const usable = new Map(refused.form('/sign-in').fields);
    t.is(usable.get('email'), email);
    t.is(usable.get('password'), '');
    t.is((await attempt(stack, await newPerson(stack))).status, 303, 'others sign in as ever');
  },
);

testLimit('an address that has no account is limited alike', threePerAccount, async (t, stack) => {
  const { email } = newcomer();
  await guess(stack, email, 3);
  assertRefused(t, await attempt(stack, { email, password: 'one more guess' }));
});

testLimit('guesses that are made at once can’t all pass', threePerAccount, async (t, stack) => {
  const { email } = await newPerson(stack);
  const guesses = Array.from({ length: 12 }, (_, index) =>
    attempt(stack, { email, password: `guess ${index}` }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  t.deepEqual(statuses.toSorted(), [...Array(3).fill(400), ...Array(9).fill(429)]);
});

testLimit('whoever signs in has not failed', threePerAccount, async (t, stack) => {
  const person = await newPerson(stack);
  await guess(stack, person.email, 2);
  for (let count = 0; count < 3; count++) t.is((await attempt(stack, person)).status, 303);
  t.is((await attempt(stack, { ...person, password: 'wrong' })).status, 400);
  assertRefused(t, await attempt(stack, person));
});

const threePerAddress = { SIGN_IN_FAILURES_PER_ADDRESS: '3', TRUSTED_PROXY_HOPS: '1' };

testLimit(
  'an address that fails with many accounts is refused, IPv6 by its network',
  threePerAddress,
  async (t, stack) => {
    const person = await newPerson(stack);
    for (let count = 1; count <= 3; count++) {
      t.is((await attempt(stack, newcomer(), `2001:db8:0:1::${count}`)).status, 400);
    }
    assertRefused(t, await attempt(stack, person, '2001:db8:0:1::9'));
    t.is((await attempt(stack, person, '2001:db8:0:2::1')).status, 303);
  },
);

testLimit(
  'guesses from many networks of one IPv6 site count together, twice as many',
  threePerAddress,
  async (t, stack) => {
    const person = await newPerson(stack);
    for (let count = 1; count <= 6; count++)
      t.is((await attempt(stack, newcomer(), `2001:db8:0:a${count}::1`)).status, 400);
    assertRefused(t, await attempt(stack, person, '2001:db8:0:a9::1'));
    t.is((await attempt(stack, person, '2001:db8:0:1b9::1')).status, 303);
  },
);

const fourPerAddress = { SIGN_IN_FAILURES_PER_ADDRESS: '4', SIGN_IN_FAILURES_PER_ACCOUNT: '3' };

testLimit(
  'a locked account does not use up the address of whoever tries it on',
  fourPerAddress,
  async (t, stack) => {
    const person = await newPerson(stack);
    await guess(stack, newcomer().email, 6);
    t.is((await attempt(stack, person)).status, 303);
    await guess(stack, newcomer().email, 1);
    assertRefused(t, await attempt(stack, person));
  },
);

const exemptAddress = {
  SIGN_IN_FAILURES_PER_ADDRESS: '1',
  SIGN_IN_FAILURES_PER_ACCOUNT: '3',
  SIGN_UPS_PER_ADDRESS_PER_HOUR: '1',
  ADDRESS_LIMIT_EXEMPT: '127.0.0.0/8',
};

testLimit(
  'ADDRESS_LIMIT_EXEMPT lifts the limit of an address, never that of an account',
  exemptAddress,
  async (t, stack) => {
    for (let count = 0; count < 3; count++) {
      t.is((await attempt(stack, newcomer())).status, 400);
      await createPageBrowser(stack.baseUrl).signUp(newcomer());
    }
    const person = await newPerson(stack);
    await guess(stack, person.email, 3);
    assertRefused(t, await attempt(stack, person));
  },
);

const twoSignUps = { SIGN_UPS_PER_ADDRESS_PER_HOUR: '2' };

testLimit('an address makes so many accounts in an hour, and no more', twoSignUps, async (t, stack) => {
  for (let count = 0; count < 2; count++) await createPageBrowser(stack.baseUrl).signUp(newcomer());
  const browser = createPageBrowser(stack.baseUrl);
  const { email, password } = newcomer();
  const refused = await browser.submit(await browser.get('/sign-up'), '/sign-up', { email, password });
  t.is(refused.status, 429);
  t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.regex(refused.text, /Too many sign-ups .* Try again in \d+ minutes\./);
  t.is(new Map(refused.form('/sign-up').fields).get('email'), email);
  t.deepEqual(await stack.sql`select id from auth.account where email = ${email}`, []);
});

async function askForAccount({ baseUrl }: Stack, fields: Credentials): Promise<PageView> {
  const browser = createPageBrowser(baseUrl);
  return browser.submit(await browser.get('/sign-up'), '/sign-up', fields);
}

testLimit('whether an address has an account can’t be asked without end', twoSignUps, async (t, stack) => {
  const { email, password } = await newPerson(stack);
  for (let count = 0; count < 2; count++) t.is((await askForAccount(stack, { email, password })).status, 400);
  t.is((await askForAccount(stack, { email, password })).status, 429);
});

test.serial('a flood of sign-ins is refused in part: unknown addresses cost as much work', async (t) => {
  // Of its own: others would be refused, too.
  const stack = await startStack(t, { withAuthServer: true, own: true });
  const browser = createPageBrowser(stack.baseUrl);
  const form = await browser.get('/sign-in');
  const flood = Array.from({ length: 200 }, () =>
    browser.submit(form, '/sign-in', { ...newcomer(), password: 'a guess' }),
  );
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 503);
  t.true(answers.filter(({ status }) => status === 400).length >= 66);
  t.true(refused.length > 0);
  for (const page of refused) {
    t.is(page.heading, 'The service is busy');
    t.regex(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
});
