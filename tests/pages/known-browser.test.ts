import test from 'ava';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { newPerson, newVisit, type Person } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });
const failuresPerAccount = 10;

async function attempt(browser: PageBrowser, { email, password }: Pick<Person, 'email' | 'password'>) {
  const form = await browser.get('/sign-in');
  return (await browser.submit(form, '/sign-in', { email, password })).status;
}

/** Wrong passwords until no more are taken. */
async function guessOut(browser: PageBrowser, { email }: Person): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count <= failuresPerAccount; count++)
    statuses.push(await attempt(browser, { email, password: `guess ${count}` }));
  return statuses;
}

const refusedAtLast = [...Array(failuresPerAccount).fill(400), 429];

async function signOut(browser: PageBrowser): Promise<void> {
  await browser.submit(await browser.get('/sign-out'), '/sign-out');
}

test('a stranger who guesses wrong does not keep the owner’s browser from signing in', async (t) => {
  const { browser, person } = await newVisit(stack);
  await signOut(browser);
  t.deepEqual(await guessOut(createPageBrowser(stack.baseUrl), person), refusedAtLast);
  t.is(await attempt(createPageBrowser(stack.baseUrl), person), 429);
  t.is(await attempt(browser, person), 303);
  t.is((await browser.get('/settings')).status, 200);
});

test('a browser that signed in before may guess no more often than others', async (t) => {
  const { browser, person } = await newVisit(stack);
  await signOut(browser);
  t.deepEqual(await guessOut(browser, person), refusedAtLast);
  t.is(await attempt(browser, person), 429);
  t.is(await attempt(createPageBrowser(stack.baseUrl), person), 303, 'others count for themselves');
});

test('a browser is known to each account that signed in there, and to no other', async (t) => {
  const { browser, person } = await newVisit(stack);
  const [second, stranger] = [await newPerson(stack), await newPerson(stack)];
  await signOut(browser);
  t.is(await attempt(browser, second), 303);
  await signOut(browser);
  for (const each of [person, second, stranger]) await guessOut(createPageBrowser(stack.baseUrl), each);
  t.is(await attempt(browser, stranger), 429);
  t.is(await attempt(browser, person), 303);
  await signOut(browser);
  t.is(await attempt(browser, second), 303);
});

test('a cookie that was made up, or is another account’s, counts for nothing', async (t) => {
  const { browser } = await newVisit(stack);
  const person = await newPerson(stack);
  await guessOut(createPageBrowser(stack.baseUrl), person);
  const own = browser.cookies.get('tasks_browser') ?? '';
  for (const value of [own, `${'A'.repeat(22)}.${own.split('.')[1]}`, 'x', '.', `${own}.${own}`]) {
    const forger = createPageBrowser(stack.baseUrl);
    forger.cookies.set('tasks_browser', value);
    t.is(await attempt(forger, person), 429, value);
  }
});
