import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { auditEvents, isSignedIn, newVisit, sessionsOf } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });

test('the button in the header signs out: the session ends, not only its cookie', async (t) => {
  const { browser, person } = await newVisit(stack);
  const secret = browser.cookies.get('tasks_session') ?? '';
  const answer = await browser.submit(await browser.get('/'), '/sign-out');
  t.is(answer.status, 303);
  t.is(answer.location, '/');
  t.is(browser.cookies.get('tasks_session'), undefined);
  t.deepEqual(await sessionsOf(stack, person), []);
  browser.cookies.set('tasks_session', secret);
  t.false(await isSignedIn(browser));
  t.deepEqual(
    (await auditEvents(stack, person)).map(({ event }) => event),
    ['signed_in', 'signed_out'],
  );
});

test('signing out clears what the browser has stored for this host, and leaves the cookies of others alone', async (t) => {
  const { browser } = await newVisit(stack);
  const answer = await browser.submit(await browser.get('/'), '/sign-out');
  t.is(answer.headers.get('clear-site-data'), '"storage"');
});

test('signing out in one browser leaves the others alone', async (t) => {
  const { browser, person } = await newVisit(stack);
  const other = createPageBrowser(stack.baseUrl);
  await other.signIn(person);
  await browser.submit(await browser.get('/'), '/sign-out');
  t.true(await isSignedIn(other));
});

test('a link asks before it signs anybody out', async (t) => {
  const { browser, person } = await newVisit(stack);
  const page = await browser.get('/sign-out');
  t.is(page.status, 200);
  t.true(page.text.includes(person.email));
  t.true(await isSignedIn(browser));
  await browser.submit(page, '/sign-out');
  t.false(await isSignedIn(browser));
});

test('sign-out leads back to a page of ours and to nothing else', async (t) => {
  for (const [returnTo, location] of [
    ['/oauth/interaction/abc', '/oauth/interaction/abc'],
    ['https://evil.example/', '/'],
  ]) {
    const { browser } = await newVisit(stack);
    const token = new Map((await browser.get('/sign-out')).form('/sign-out').fields).get('csrf_token');
    const answer = await browser.post('/sign-out', { csrf_token: token, return_to: returnTo });
    t.is(answer.location, location ?? null);
    t.false(await isSignedIn(browser));
  }
});

test('whoever is signed out already is led to the front page', async (t) => {
  const { browser } = await newVisit(stack);
  const page = await browser.get('/');
  const again = await browser.get('/sign-out');
  await browser.submit(page, '/sign-out');
  t.is((await browser.get('/sign-out')).location, '/');
  t.is((await browser.submit(again, '/sign-out')).status, 403, 'the form is of the time before');
});

test('without script and without a csrf cookie, the header leads to the page that asks', async (t) => {
  const { browser } = await newVisit(stack);
  const secret = browser.cookies.get('tasks_session') ?? '';
  browser.cookies.clear();
  browser.cookies.set('tasks_session', secret);
  const page = await browser.get('/');
  t.true(page.links.some(({ href }) => href === '/sign-out'));
  await browser.submit(await browser.get('/sign-out'), '/sign-out');
  t.false(await isSignedIn(browser));
});
