import test from 'ava';
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
