import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { isSignedIn, newVisit } from '../pages/visitors.ts';
import { connectApp } from '../settings/signed-in-owner.ts';
import { runAdminHere } from './run-admin.ts';

const stack = await startStack(test, { withAuthServer: true });

async function admin(...words: string[]) {
  const { stdout, stderr } = await runAdminHere(words, {
    DATABASE_URL: stack.databaseUrl,
    BASE_URL: stack.baseUrl,
  });
  return stderr === '' ? JSON.parse(stdout) : stderr;
}

test('a locked account has no session, app or token, and its owner gets none until it is unlocked', async (t) => {
  const { person, browser } = await newVisit(stack);
  const email = `--email=${person.email}`;
  await connectApp(stack, person);
  const { secret } = await admin('token', 'create', email, '--name=script', '--scopes=read,write');
  const api = stack.client(secret);
  const task = await api.post('/tasks', { title: 'Stays' });
  t.is(task.status, 201);
  const { url } = await admin('account', 'reset-link', email);
  t.is((await browser.get(url)).status, 200);

  t.like(await admin('account', 'lock', email), { status: 'locked' });
  t.is((await api.get('/me')).status, 401);
  t.false(await isSignedIn(browser));
  t.is((await browser.get(url)).heading, 'This link no longer works');
  t.deepEqual(await admin('app', 'list', email), []);
  t.deepEqual(await admin('token', 'list', email), []);
  t.regex(await admin('token', 'create', email, '--name=other', '--scopes=read'), /the account is locked/);
  const stranger = createPageBrowser(stack.baseUrl);
  const form = await stranger.get('/sign-in');
  const { email: address, password } = person;
  const refused = await stranger.submit(form, '/sign-in', { email: address, password });
  t.is(refused.status, 403);
  t.regex(refused.text, /This account is locked/);
  const guessed = await stranger.submit(form, '/sign-in', { email: address, password: 'another guess' });
  t.is(guessed.status, 400);
  t.notRegex(guessed.text, /locked/);

  t.like(await admin('account', 'unlock', email), { status: 'active' });
  await stranger.signIn(person);
  t.true(await isSignedIn(stranger));
  t.is((await api.get('/me')).status, 401);
  const renewed = await admin('token', 'create', email, '--name=script', '--scopes=read');
  const found = await stack.client(renewed.secret).get<{ items: unknown[] }>('/tasks');
  t.is(found.body.items.length, 1);
});

test('the owner sees that the operator suspended the account, ended that, and made a link to another password', async (t) => {
  const { person, browser } = await newVisit(stack);
  const email = `--email=${person.email}`;
  for (const status of ['suspended', 'active', 'active'])
    await admin('account', 'update', email, `--status=${status}`);
  await admin('account', 'reset-link', email);
  const { text } = await browser.get('/settings/activity');
  t.regex(text, /A link to choose another password was made\s+just now, by the operator/);
  t.regex(
    text,
    /active again\s+just now, by the operator\s+The account was suspended: read-only\s+just now, by the operator/,
  );
});

test('the operator lists the browsers of an account and ends one', async (t) => {
  const { person, browser } = await newVisit(stack);
  const other = createPageBrowser(stack.baseUrl);
  await other.signIn(person);
  const email = `--email=${person.email}`;
  const [, first] = await admin('session', 'list', email);
  t.like(await admin('session', 'end', email, `--session-id=${first.sessionId}`), first);
  t.false(await isSignedIn(browser));
  t.true(await isSignedIn(other));
  t.regex(await admin('session', 'end', email, `--session-id=${first.sessionId}`), /no session with that id/);
});
