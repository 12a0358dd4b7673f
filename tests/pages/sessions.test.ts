import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { auditEvents, isSignedIn, newcomer, newPerson, newVisit, sessionsOf } from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true, own: true });

const hourMilliseconds = 3_600_000;

/** Set-Cookie lines by the cookie's name. */
function setCookies(headers: Headers): Map<string, string> {
  return new Map(headers.getSetCookie().map((line) => [line.slice(0, line.indexOf('=')), line]));
}

test('every sign-in begins a session with a secret of its own and ends the one before', async (t) => {
  const { browser, person } = await newVisit(stack);
  const [first] = await sessionsOf(stack, person);
  const secret = browser.cookies.get('tasks_session') ?? '';
  // From a form that was shown before the browser had the cookie.
  const again = createPageBrowser(stack.baseUrl);
  const form = await again.get('/sign-in');
  again.cookies.set('tasks_session', secret);
  const { email, password } = person;
  t.is((await again.submit(form, '/sign-in', { email, password })).status, 303);
  const [second, ...further] = await sessionsOf(stack, person);
  t.deepEqual(further, []);
  t.not(second?.id, first?.id);
  t.not(again.cookies.get('tasks_session'), secret);
  t.false(await isSignedIn(browser));
});

test('forms that were shown before a sign-in do not count after it', async (t) => {
  const person = await newPerson(stack);
  const browser = createPageBrowser(stack.baseUrl);
  const form = await browser.get('/sign-up');
  await browser.signIn(person);
  const { email, password } = newcomer();
  t.is((await browser.submit(form, '/sign-up', { email, password })).status, 403);
});

for (const value of ['x', 'A'.repeat(43), `${'A'.repeat(42)}é`, 'A'.repeat(5_000), '" or 1=1', '%00']) {
  test(`not a session: ${value.slice(0, 12)}, ${Buffer.byteLength(value)} bytes`, async (t) => {
    const browser = createPageBrowser(stack.baseUrl);
    browser.cookies.set('tasks_session', Buffer.from(value).toString('latin1'));
    t.is((await browser.get('/')).status, 200);
    t.false(await isSignedIn(browser));
  });
}

test('cookies are for this host only, HttpOnly and SameSite', async (t) => {
  const person = await newPerson(stack);
  const browser = createPageBrowser(stack.baseUrl);
  const form = await browser.get('/sign-in');
  t.is(
    setCookies(form.headers)
      .get('tasks_csrf')
      ?.replace(/=[\w-]{43};/, '=…;'),
    'tasks_csrf=…; Path=/; HttpOnly; SameSite=Lax',
  );
  const { email, password } = person;
  const { headers } = await browser.submit(form, '/sign-in', { email, password });
  const cookies = setCookies(headers);
  t.deepEqual([...cookies.keys()].toSorted(), ['tasks_browser', 'tasks_csrf', 'tasks_session']);
  t.regex(cookies.get('tasks_browser') ?? '', /; HttpOnly; SameSite=Strict$/);
  t.regex(
    cookies.get('tasks_session') ?? '',
    /^tasks_session=[\w-]{43}; Max-Age=34560000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  );
});

test.serial('a session lasts while its browser comes back in time, up to its absolute end', async (t) => {
  const short = await startStack(t, {
    withAuthServer: true,
    now: '2026-03-01T12:00:00Z',
    environment: { BROWSER_SESSION_TTL_SECONDS: '7200', BROWSER_SESSION_MAXIMUM_SECONDS: '25000' },
  });
  const { browser } = await newVisit(short);
  for (let visit = 0; visit < 3; visit++) {
    short.clock.advance(1.9 * hourMilliseconds);
    t.true(await isSignedIn(browser));
  }
  short.clock.advance(1.2 * hourMilliseconds);
  t.true(await isSignedIn(browser));
  short.clock.advance(0.1 * hourMilliseconds);
  t.false(await isSignedIn(browser));
  const { browser: late } = await newVisit(short);
  short.clock.advance(2 * hourMilliseconds);
  t.false(await isSignedIn(late));
});

test.serial('a session that may be idle for longer than it may last ends with its lifetime', async (t) => {
  const short = await startStack(t, {
    withAuthServer: true,
    now: '2026-03-01T12:00:00Z',
    environment: { BROWSER_SESSION_MAXIMUM_SECONDS: '3600' },
  });
  const { browser } = await newVisit(short);
  short.clock.advance(1.1 * hourMilliseconds);
  t.false(await isSignedIn(browser));
});

test('the button in the header signs out: the session ends, not only its cookie', async (t) => {
  const { browser, person } = await newVisit(stack);
  const secret = browser.cookies.get('tasks_session') ?? '';
  const answer = await browser.submit(await browser.get('/settings'), '/sign-out');
  t.is(answer.status, 303);
  t.is(answer.location, '/');
  t.is(answer.headers.get('clear-site-data'), '"storage"', 'the cookies of others stay');
  t.is(browser.cookies.get('tasks_session'), undefined);
  t.deepEqual(await sessionsOf(stack, person), []);
  browser.cookies.set('tasks_session', secret);
  t.false(await isSignedIn(browser));
  t.deepEqual(
    (await auditEvents(stack, person)).map(({ event }) => event),
    ['signed_in', 'signed_out'],
  );
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

test('the links of the front page work: reference, settings, sign-in and sign-up', async (t) => {
  const browser = createPageBrowser(stack.baseUrl);
  const page = await browser.get('/');
  t.is(page.status, 200);
  const links = page.links.map(({ href }) => href);
  for (const href of ['/api/public/v1/docs', '/settings/api', '/sign-in', '/sign-up'])
    t.true(links.includes(href), href);
  for (const href of links.filter((link) => link.startsWith('/'))) {
    const answer = await browser.get(href).then((linked) => browser.follow(linked));
    t.is(answer.status, 200, href);
  }
});

test('signed-in users see their address, the way to the app and out, not the ways in', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { status, location } = await browser.get('/');
  t.deepEqual([status, location], [303, '/app/'], 'the front page sends on to the app');
  const page = await browser.get('/settings');
  t.true(page.text.includes(person.email));
  t.is(page.form('/sign-out').method, 'POST');
  const links = page.links.map(({ href }) => href);
  t.true(links.includes('/app/'));
  t.false(links.some((href) => /^\/sign-(in|up)/.test(href)));
});
