import test, { type ExecutionContext } from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import {
  authorizationRequest,
  consentAction,
  openConsentPage,
  registerClient,
} from '#tests/oauth/oauth-flow.ts';
import { isSignedIn, newVisit, type Visit } from '#tests/pages/visitors.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { createPageBrowser, type FormFields } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectApp, furtherBrowser, trailOf } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

const endpoints = createOAuthEndpoints(stack.baseUrl);
const tabs = ['/settings', '/settings/api', '/settings/apps', '/settings/sessions', '/settings/activity'];

const newPassword = 'a password of somebody else';

/** An owner with something that each form could change, and the forms. */
async function ownerWithForms() {
  const owner = await newVisit(stack);
  const { person: account, browser } = owner;
  await furtherBrowser(stack, owner);
  const token = await stack.createToken(account);
  const { appId } = await connectApp(stack, account);
  const [session] = await stack.sql<{ id: string }>`select id from auth.browser_session
    where account_id = ${account.accountId} order by created_at desc limit 1`;
  const forms: { tab: string; action: string; fields: FormFields }[] = [
    { tab: '/settings', action: '/settings/timezone', fields: { timezone: 'Asia/Tokyo' } },
    { tab: '/settings/api', action: '/settings/api', fields: { name: 'x', scope: ['read'] } },
    { tab: '/settings/api', action: `/settings/api/${token.tokenId}/revoke`, fields: {} },
    { tab: '/settings/apps', action: `/settings/apps/${appId}/disconnect`, fields: {} },
    { tab: '/settings/sessions', action: `/settings/sessions/${session?.id}/end`, fields: {} },
    { tab: '/settings/sessions', action: '/settings/sessions/end-others', fields: {} },
    {
      tab: '/settings',
      action: '/settings/password',
      fields: { current_password: account.password, new_password: newPassword },
    },
  ];
  const requests = await Promise.all(
    forms.map(async ({ tab, action, fields }) => ({
      tab,
      action,
      sent: filled(await browser.get(tab), action, fields),
    })),
  );
  const { parameters } = authorizationRequest(await registerClient({ endpoints }));
  const consentPage = await openConsentPage(browser, endpoints.authorizeUrl(parameters));
  const action = consentAction(consentPage);
  const consent = { action, sent: filled(consentPage, action, { decision: 'allow' }) };
  const signOut = { action: '/sign-out', sent: filled(await browser.get('/sign-out'), '/sign-out', {}) };
  return { ...owner, requests, consent, everyForm: [...requests, signOut, consent] };
}

function filled({ form }: PageView, action: string, fields: FormFields): URLSearchParams {
  const sent = new URLSearchParams(form(action).fields.map(([name, value]) => [name, value]));
  for (const [name, values] of Object.entries(fields)) {
    sent.delete(name);
    for (const value of [values ?? []].flat()) sent.append(name, value);
  }
  return sent;
}

/** Everything that the forms could change. */
async function stateOf({ person: account }: Visit): Promise<unknown> {
  const { accountId } = account;
  const { sql } = stack;
  return {
    account:
      await sql`select timezone, password_hash, credential_version from auth.account where id = ${accountId}`,
    tokens: await sql`select id, revoked_at from auth.api_token where account_id = ${accountId} order by id`,
    apps: await sql`select id from auth.oauth_grant where account_id = ${accountId} order by id`,
    sessions: await sql`select id from auth.browser_session where account_id = ${accountId} order by id`,
    trail: await trailOf(stack, account),
  };
}

/** The authorization request waits for its decision as before. */
async function decides(
  t: ExecutionContext,
  { browser, consent }: Awaited<ReturnType<typeof ownerWithForms>>,
) {
  t.is((await browser.post(consent.action, consent.sent)).status, 303);
}

test('a form without its own token is refused and changes nothing (RFC 9700 §4.7)', async (t) => {
  const owner = await ownerWithForms();
  const neighbour = await ownerWithForms();
  const before = await stateOf(owner);
  for (const [index, { action, sent }] of owner.everyForm.entries()) {
    const tokens = [
      undefined,
      '',
      'x',
      'é'.repeat(43),
      'A'.repeat(43),
      'A'.repeat(10_000),
      neighbour.everyForm[index]?.sent.get('csrf_token'),
      owner.everyForm[(index + 1) % owner.everyForm.length]?.sent.get('csrf_token'),
    ];
    for (const token of tokens) {
      const forged = new URLSearchParams(sent);
      forged.delete('csrf_token');
      if (token != null) forged.set('csrf_token', token);
      const answer = await owner.browser.post(action, forged);
      t.is(answer.status, 403, action);
      t.is(answer.heading, 'This form is no longer valid');
    }
  }
  t.deepEqual(await stateOf(owner), before);
  await decides(t, owner);
});

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

test('a form sent by another site is refused, even with the right token (RFC 9700 §4.7)', async (t) => {
  const owner = await ownerWithForms();
  const before = await stateOf(owner);
  for (const { action, sent } of owner.everyForm) {
    for (const [site, headers] of Object.entries(otherSites)) {
      const answer = await owner.browser.post(action, sent, headers);
      t.is(answer.status, 403, `${action} from ${site}`);
      t.is(answer.heading, 'This form came from somewhere else');
    }
  }
  t.deepEqual(await stateOf(owner), before);
  await decides(t, owner);
});

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
    const answer = await browser.submit(await browser.get('/sign-out'), '/sign-out', {}, { headers });
    t.is(answer.status, 303);
    t.false(await isSignedIn(browser));
  });
}

test('whoever is not signed in is sent to do so, and nothing changes', async (t) => {
  const owner = await ownerWithForms();
  const before = await stateOf(owner);
  const stranger = createPageBrowser(stack.baseUrl);
  await stranger.get('/sign-in');
  for (const { tab, action, sent } of owner.requests) {
    const answer = await stranger.post(action, sent);
    t.is(answer.status, 303);
    t.is(answer.location, `/sign-in?return_to=${encodeURIComponent(tab)}&notice=signed-out`);
  }
  t.deepEqual(await stateOf(owner), before);
  for (const tab of [...tabs, '/settings/activity?before=9']) {
    const answer = await stranger.get(tab);
    t.is(answer.status, 303);
    t.is(answer.location, `/sign-in?return_to=${encodeURIComponent(tab)}`);
    t.deepEqual(answer.forms, []);
  }
});

test('the address of a form, opened again, leads to its tab', async (t) => {
  const { browser, requests } = await ownerWithForms();
  for (const { tab, action } of requests.filter((request) => request.action !== request.tab)) {
    const answer = await browser.get(action);
    t.deepEqual([answer.status, answer.location], [303, tab], action);
  }
});

test('what belongs to another account is unchanged, and looks exactly like what is gone', async (t) => {
  const { run, close } = connectSql(stack.databaseUrl);
  t.teardown(close);
  const owner = await ownerWithForms();
  const neighbour = await ownerWithForms();
  const before = await stateOf(neighbour);
  const things = [
    { table: 'auth.api_token', verb: '/revoke' },
    { table: 'auth.oauth_grant', verb: '/disconnect' },
    { table: 'auth.browser_session', verb: '/end' },
  ];
  for (const { table, verb } of things) {
    const { action: foreign, tab } = neighbour.requests.find(({ action }) => action.endsWith(verb)) ?? fail();
    const { action: own, sent } = owner.requests.find(({ action }) => action.endsWith(verb)) ?? fail();
    // A form's token is bound to its path: the thing is the owner's only while its form is shown.
    const giveTo = ({ person: account }: Visit) =>
      run(`update ${table} set account_id = '${account.accountId}' where id = '${idOf(foreign)}'`);
    await giveTo(owner);
    const form = await owner.browser.get(tab);
    await giveTo(neighbour);
    const answer = await owner.browser.submit(form, foreign);
    t.deepEqual([answer.status, answer.location], [303, tab], foreign);
    const shown = await owner.browser.follow(answer);
    t.true(shown.text.includes('That was gone already: nothing was changed.'), foreign);
    t.deepEqual(await stateOf(neighbour), before);

    await run(`delete from ${table} where id = '${idOf(own)}'`);
    const gone = await owner.browser.post(own, sent);
    t.deepEqual([gone.status, gone.location, gone.markup], [303, tab, answer.markup], own);
  }
});

test('no page shows anything of another account', async (t) => {
  const owner = await newVisit(stack);
  const neighbour = await newVisit(stack);
  await stack.createToken(neighbour.person, { name: 'secret plan' });
  await connectApp(stack, neighbour.person, { name: 'secret plan' });
  await furtherBrowser(stack, neighbour, 'secret plan');
  for (const tab of tabs) {
    const { markup } = await owner.browser.get(tab);
    t.false(markup.includes('secret plan') || markup.includes(neighbour.person.email), tab);
    const own = await neighbour.browser.get(tab);
    t.true(own.markup.includes('secret plan') || tab === '/settings', tab);
  }
});

function idOf(path: string): string {
  return path.split('/')[3] ?? '';
}

function fail(): never {
  throw new Error('a form is missing');
}

test('the owner of a suspended account signs in, reads, and sees why it is read-only', async (t) => {
  const { browser } = await newVisit(stack, { status: 'suspended' });
  for (const tab of tabs) {
    const page = await browser.get(tab);
    t.is(page.status, 200, tab);
    t.true(page.text.includes('Your account is suspended: it is read-only.'), tab);
  }
  t.regex((await browser.get('/settings')).text, /The operator of this service can give you a link/);
  for (const [tab, action] of [
    ['/settings', '/settings/timezone'],
    ['/settings', '/settings/password'],
    ['/settings/api', '/settings/api'],
  ] as const) {
    const page = await browser.get(tab);
    t.false(
      page.forms.some((form) => form.action === action),
      action,
    );
  }
});

test('a form that was shown before the suspension is refused with 423, and nothing changes', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const profile = await browser.get('/settings');
  const api = await browser.get('/settings/api');
  await stack.setStatus(account, 'suspended');
  const state = () => stack.sql`select password_hash, timezone,
    (select count(*) from auth.api_token where account_id = account.id) as tokens
    from auth.account where id = ${account.accountId}`;
  const before = await state();
  const passwords = { current_password: account.password, new_password: 'another password' };
  for (const answer of [
    await browser.submit(profile, '/settings/timezone', { timezone: 'Asia/Tokyo' }),
    await browser.submit(profile, '/settings/password', passwords),
    await browser.submit(api, '/settings/api', { name: 'x', scope: ['read'] }),
  ]) {
    t.is(answer.status, 423);
    t.is(answer.heading, 'Your account is suspended');
  }
  t.deepEqual(await state(), before);
});

test('the owner of a suspended account still revokes, disconnects and signs out', async (t) => {
  const owner = await newVisit(stack, { status: 'suspended' });
  const { person: account, browser } = owner;
  const token = await stack.createToken(account);
  const { appId } = await connectApp(stack, account);
  await furtherBrowser(stack, owner);
  for (const [tab, action] of [
    ['/settings/api', `/settings/api/${token.tokenId}/revoke`],
    ['/settings/apps', `/settings/apps/${appId}/disconnect`],
    ['/settings/sessions', '/settings/sessions/end-others'],
  ] as const) {
    t.is((await browser.submit(await browser.get(tab), action)).status, 303, action);
  }
});
