import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import {
  addOwner,
  type ConnectedApp,
  connectApp,
  type OAuthWorld,
  obtainCode,
} from '#tests/oauth/oauth-flow.ts';
import { isSignedIn, newVisit } from '#tests/pages/visitors.ts';
import { connectApp as addApp } from '#tests/settings/signed-in-owner.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { adminOf } from './run-admin.ts';

const stack = await startStack(test, { withAuthServer: true });
const admin = adminOf(stack);

test('a locked account has no session, app or token, and gets none until it is unlocked', async (t) => {
  const { person, browser } = await newVisit(stack);
  const email = `--email=${person.email}`;
  await addApp(stack, person);
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

test('a password reset of a locked account takes effect, and the account stays locked', async (t) => {
  const { person } = await newVisit(stack);
  const email = `--email=${person.email}`;
  await admin('account', 'lock', email);
  const { url } = await admin('account', 'reset-link', email);
  const owner = createPageBrowser(stack.baseUrl);
  const password = 'eleven loud harbours';
  t.is((await owner.submit(await owner.get(url), '/sign-in/reset', { password })).status, 303);
  await t.throwsAsync(owner.signIn({ email: person.email, password }), undefined, 'it is locked');
  await admin('account', 'unlock', email);
  await t.throwsAsync(createPageBrowser(stack.baseUrl).signIn(person));
  await owner.signIn({ email: person.email, password });
  t.true(await isSignedIn(owner));
});

test('Activity shows that the operator suspended, reactivated and made a reset link', async (t) => {
  const { person, browser } = await newVisit(stack);
  const email = `--email=${person.email}`;
  for (const status of ['suspended', 'active', 'active'])
    await admin('account', 'update', email, `--status=${status}`);
  await admin('account', 'reset-link', email);
  const { text } = await browser.get('/settings/activity');
  const now = '\\s+just now, by the operator';
  t.regex(text, new RegExp(`A link to choose another password was made${now}`));
  t.regex(text, new RegExp(`active again${now}\\s+The account was suspended: read-only${now}`));
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

type App = {
  appId: string;
  clientId: string;
  name: string;
  scopes: string[];
  createdAt: string;
  lastUsedAt: string;
};

const endpoints = createOAuthEndpoints(stack.baseUrl);

async function ownWorld(): Promise<OAuthWorld> {
  return { stack, endpoints, ...(await addOwner(stack)) };
}

const list = (email: string): Promise<App[]> => admin('app', 'list', '--email', email);

function idsOf(apps: readonly (App | ConnectedApp)[]): string[] {
  return apps.map((app) => ('appId' in app ? app.appId : app.grantId));
}

test('apps are listed oldest first, once their codes are redeemed', async (t) => {
  const own = await ownWorld();
  t.deepEqual(await list(own.owner.email), []);
  const reader = await connectApp(own, { scopes: ['read'] });
  const writer = await connectApp(own);
  await obtainCode(own);
  await connectApp(await ownWorld());
  const apps = await list(own.owner.email.toUpperCase());
  t.deepEqual(idsOf(apps), idsOf([reader, writer]));
  const [first, second] = apps;
  t.deepEqual(Object.keys(first ?? {}), ['appId', 'clientId', 'name', 'scopes', 'createdAt', 'lastUsedAt']);
  t.like(first, { clientId: reader.clientId, name: 'Test app', scopes: ['read'] });
  t.like(second, { clientId: writer.clientId, scopes: ['read', 'write'] });
  t.regex(first?.createdAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.true((first?.lastUsedAt ?? '') >= (first?.createdAt ?? ''));
});

test('disconnecting returns the app, ends it at its next request, and leaves the others', async (t) => {
  const own = await ownWorld();
  const [ended, other] = [await connectApp(own), await connectApp(own)];
  const [shown] = await list(own.owner.email);
  t.is(await endpoints.me(ended.tokens.access_token), 200);
  const answer: App = await admin('app', 'disconnect', '--app-id', ended.grantId.toUpperCase());
  // Its use is written down some moments after it.
  t.deepEqual({ ...answer, lastUsedAt: shown?.lastUsedAt }, shown);
  t.is(await endpoints.me(ended.tokens.access_token), 401);
  t.is(await endpoints.me(other.tokens.access_token), 200);
  t.deepEqual(idsOf(await list(own.owner.email)), idsOf([other]));
});

test('a disconnected app is shown with its last use, however its id was spelled', async (t) => {
  const own = await ownWorld();
  const { grantId } = await connectApp(own);
  const lastUsedAt = '2099-01-01T00:00:00.000Z';
  await stack.sql`insert into tasks.token_last_use (account_id, token_id, last_used_at)
    values (${own.owner.accountId}, ${grantId}, ${lastUsedAt})`;
  t.like(await admin('app', 'disconnect', '--app-id', grantId.toUpperCase()), { lastUsedAt });
});

test('an app that is unknown, malformed or disconnected already is one error', async (t) => {
  const own = await ownWorld();
  const { grantId } = await connectApp(own);
  await admin('app', 'disconnect', '--app-id', grantId);
  for (const id of [grantId, randomUUID(), 'x', ''])
    t.is(await admin('app', 'disconnect', '--app-id', id), 'there is no connected app with that id\n');
  const events = await stack.sql`select from auth.audit_event
    where account_id = ${own.owner.accountId} and event = 'app_disconnected'`;
  t.is(events.length, 1);
});
