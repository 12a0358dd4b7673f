import { createHash } from 'node:crypto';
import test from 'ava';
import { decodeJwt } from 'jose';
import type { PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import type { Parameters } from './oauth-endpoints.ts';
import {
  addOwner,
  authorizationRequest,
  authorize,
  connectApp,
  consentAction,
  decide,
  openConsentPage,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';
import { whileLocked } from './while-locked.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack } = world;

const request = (changes: Parameters = {}) =>
  endpoints.authorizeUrl(authorizationRequest(clientId, changes).parameters);

type Asked = { browser: PageBrowser; accountId: string; page: PageView; action: string };

/** Somebody new, in front of the question. */
async function ask(changes: Parameters = {}): Promise<Asked> {
  const { owner, browser } = await addOwner(stack);
  const page = await openConsentPage(browser, request(changes));
  return { browser, accountId: owner.accountId, page, action: consentAction(page) };
}

async function grantsOf(accountId: string): Promise<{ scopes: string[] }[]> {
  return stack.sql`select scopes from auth.oauth_grant where account_id = ${accountId}`;
}

async function eventsOf(accountId: string): Promise<string[]> {
  const rows = await stack.sql<{ event: string }>`select event from auth.audit_event
    where account_id = ${accountId} and event like 'app_%' order by sequence`;
  return rows.map(({ event }) => event);
}

test('every code needs the user’s consent, also after earlier ones (RFC 8252 §8.6)', async (t) => {
  const { browser } = await addOwner(stack);
  for (let count = 0; count < 3; count += 1) {
    const answer = await browser.get(request());
    t.deepEqual([answer.status, answer.location], [200, null]);
    t.true((await decide(browser, answer)).searchParams.has('code'));
  }
  const silent = await browser.get(request({ prompt: 'none' }));
  t.is(new URL(silent.location ?? '').searchParams.get('error'), 'interaction_required');
});

for (const [left, refused] of [
  ['read', 'write'],
  ['write', 'read'],
]) {
  test(`unticking ${refused} narrows grant, tokens and refreshes to ${left} (RFC 9700 §2.3)`, async (t) => {
    const { owner, browser } = await addOwner(stack);
    const app = await connectApp({ endpoints, browser }, { clientId, scopes: [left ?? ''] });
    t.deepEqual(await grantsOf(owner.accountId), [{ scopes: [left ?? ''] }]);
    t.deepEqual([app.tokens.scope, decodeJwt(app.tokens.access_token).scope], [left, left]);
    const { body } = await endpoints.token(refreshRequest(app));
    t.deepEqual([body.scope, decodeJwt(body.access_token).scope], [left, left]);
    for (const scope of ['read write', refused]) {
      const wider = await endpoints.token({ ...refreshRequest(app, body.refresh_token), scope });
      t.like(wider, { status: 400, body: { error: 'invalid_scope' } });
    }
  });
}

test('what was not asked for can’t be ticked in, and what is no scope is none (RFC 6749 §3.3)', async (t) => {
  const { browser, page, action, accountId } = await ask({ scope: 'read' });
  const token = page.csrfToken(action);
  const fields = {
    csrf_token: token,
    decision: 'allow',
    scope: ['write', 'read', 'read', 'admin', '__proto__'],
  };
  t.is((await browser.post(action, fields)).status, 303);
  t.deepEqual(await grantsOf(accountId), [{ scopes: ['read'] }]);

  const other = await ask({ scope: 'read' });
  const answer = await other.browser.post(other.action, {
    csrf_token: other.page.csrfToken(other.action),
    decision: 'allow',
    scope: 'write',
  });
  t.is(answer.status, 400);
  t.deepEqual(await grantsOf(other.accountId), []);
});

test('a refusal returns access_denied, state and issuer, without a grant (RFC 6749 §4.1.2.1)', async (t) => {
  const { browser, page, accountId } = await ask({ state: 'a b+c' });
  const target = await decide(browser, page, { decision: 'deny' });
  const { error_description: description, ...rest } = Object.fromEntries(target.searchParams);
  t.deepEqual(rest, { error: 'access_denied', state: 'a b+c', iss: stack.baseUrl });
  t.truthy(description);
  t.deepEqual([await grantsOf(accountId), await eventsOf(accountId)], [[], []]);
});

test('with nothing ticked, or nothing decided, the question is asked again', async (t) => {
  const { browser, page, action, accountId } = await ask();
  const token = page.csrfToken(action);
  const submissions = [
    { decision: 'allow' },
    { decision: 'allow', scope: 'admin' },
    { scope: ['read', 'write'] },
    { decision: 'ALLOW', scope: 'read' },
    { decision: '', scope: 'read' },
  ];
  for (const fields of submissions) {
    const again = await browser.post(action, { csrf_token: token, ...fields });
    t.deepEqual([again.status, again.location, consentAction(again)], [400, null, action]);
    t.true(again.description('scope').includes('at least one'));
  }
  t.deepEqual(await grantsOf(accountId), []);
  t.true((await decide(browser, page)).searchParams.has('code'));
});

for (const [first, second, isGranted] of [
  ['Allow', 'Don’t allow', true],
  ['Don’t allow', 'Allow', false],
] as const) {
  test(`«${first}» stays the decision when «${second}» is pressed after it`, async (t) => {
    const { browser, page, action, accountId } = await ask();
    const decided = await browser.submit(page, action, {}, { button: first });
    const again = await browser.submit(page, action, {}, { button: second });
    t.deepEqual([again.status, again.location], [303, decided.location]);
    const { searchParams } = new URL((await browser.get(decided.location ?? '')).location ?? '');
    t.is(searchParams.has('code'), isGranted);
    t.is((await grantsOf(accountId)).length, isGranted ? 1 : 0);
  });
}

test('a form that is sent five times at once connects once', async (t) => {
  const { browser, page, action, accountId } = await ask();
  const statement = 'select 1 from auth.account where id = $1 for update';
  const answers = await whileLocked(
    stack,
    { table: 'account', statement, values: [accountId], end: 'rollback' },
    () => Array.from({ length: 5 }, () => browser.submit(page, action, {}, { button: 'Allow' })),
  );
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  t.is(new Set(answers.map(({ location }) => location)).size, 1);
  t.is((await grantsOf(accountId)).length, 1);
  t.deepEqual(await eventsOf(accountId), ['app_connected']);
});

test('a decision whose request ends while it is being made does not bring it back', async (t) => {
  const { browser, page, action, accountId } = await ask();
  const uidHash = createHash('sha256')
    .update(action.split('/').at(-1) ?? '')
    .digest();
  const statement = `with ended as (delete from auth.oauth_interaction where uid_hash = $1 returning 1)
    select 1 from auth.browser_session, ended where account_id = $2 for update of browser_session`;
  const [answer] = await whileLocked(
    stack,
    { table: 'browser_session', statement, values: [uidHash, accountId], end: 'commit' },
    () => [browser.submit(page, action, {}, { button: 'Allow' })],
  );
  t.is(answer?.status, 400);
  t.is((await browser.get(action)).status, 400);
});

test('a browser that goes back with its decision three times at once brings one code', async (t) => {
  const { browser, page, action } = await ask();
  const { location } = await browser.submit(page, action, {}, { button: 'Allow' });
  const hash = createHash('sha256')
    .update(action.split('/').at(-1) ?? '')
    .digest();
  const statement = 'select 1 from auth.oauth_interaction where uid_hash = $1 for update';
  const answers = await whileLocked(
    stack,
    { table: 'oauth_interaction', statement, values: [hash], end: 'rollback' },
    () => Array.from({ length: 3 }, () => browser.get(location ?? '')),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [303, 400, 400]);
});

test('nobody decides in another browser, though they know the address (RFC 9700 §4.7)', async (t) => {
  const victim = await ask();
  const attacker = await ask();
  for (const path of [victim.action, victim.action.replace('interaction', 'authorize')]) {
    const answer = await attacker.browser.get(path);
    t.deepEqual([answer.status, answer.location], [400, null]);
  }
  const fields = new Map(attacker.page.form(attacker.action).fields);
  const answer = await attacker.browser.post(victim.action, {
    ...Object.fromEntries(fields),
    decision: 'allow',
  });
  t.is(answer.status, 403);

  const [name, value] = ['oauth_interaction', attacker.browser.cookies.get('oauth_interaction')];
  const signature = attacker.browser.cookies.get('oauth_interaction.sig');
  attacker.browser.cookies.keep([
    `${name}=${value}; path=${victim.action}`,
    `${name}.sig=${signature}; path=${victim.action}`,
  ]);
  t.is((await attacker.browser.get(victim.action)).status, 400);
  t.deepEqual(await grantsOf(victim.accountId), []);
  t.true((await decide(victim.browser, victim.page)).searchParams.has('code'));
});

test('a code goes only to the browser that asked and decided (RFC 6749 §10.12)', async (t) => {
  const victim = await ask();
  const decided = await victim.browser.submit(victim.page, victim.action, {}, { button: 'Allow' });
  const stranger = await addOwner(stack);
  const answer = await stranger.browser.get(decided.location ?? '');
  t.deepEqual([answer.status, answer.location], [400, null]);
  t.true(new URL((await victim.browser.get(decided.location ?? '')).location ?? '').searchParams.has('code'));
});

test('a reload after the decision says that the request is over, not that it was faulty', async (t) => {
  const { browser, page, action } = await ask();
  const { location } = await browser.submit(page, action, {}, { button: 'Allow' });
  t.is((await browser.get(location ?? '')).status, 303);
  for (const path of [action, location ?? '']) {
    const { status, heading } = await browser.get(path);
    t.deepEqual([status, heading], [400, 'This request has expired'], path);
  }
});

test('a user who signs out in between signs in again, and decides for the new account', async (t) => {
  const { browser, page, action, accountId } = await ask();
  const otherAccount = page.forms.find(({ names }) => names.has('return_to'));
  const left = await browser.post('/sign-out', Object.fromEntries(otherAccount?.fields ?? []));
  t.deepEqual([left.status, left.location], [303, action]);
  const signIn = await browser.get(action);
  t.is(signIn.status, 200);
  t.is((await browser.submit(page, action, {}, { button: 'Allow' })).status, 403, 'the form of before');

  const { owner } = await addOwner(stack);
  const back = await browser.submit(signIn, '/sign-in', { email: owner.email, password: owner.password });
  t.deepEqual([back.status, back.location], [303, action]);
  const target = await decide(browser, await browser.get(action));
  t.true(target.searchParams.has('code'));
  t.deepEqual([(await grantsOf(accountId)).length, (await grantsOf(owner.accountId)).length], [0, 1]);
});

test('who is signed out while the decision is on its way connects nothing', async (t) => {
  const { browser, page, action, accountId } = await ask();
  const statement = 'delete from auth.browser_session where account_id = $1';
  const [answer] = await whileLocked(
    stack,
    { table: 'browser_session', statement, values: [accountId], end: 'commit' },
    () => [browser.submit(page, action, {}, { button: 'Allow' })],
  );
  t.deepEqual([answer?.status, answer?.location], [303, action]);
  t.deepEqual([await grantsOf(accountId), await eventsOf(accountId)], [[], []]);
});

test('the owner of a suspended account is told so, and can refuse an app but not connect it', async (t) => {
  const { browser, page, action, accountId } = await ask();
  await stack.sql`update auth.account set status = 'suspended' where id = ${accountId}`;
  for (const scope of [['read', 'write'], []]) {
    const answer = await browser.submit(page, action, { scope }, { button: 'Allow' });
    t.deepEqual([answer.status, answer.heading], [423, 'Your account is suspended']);
  }
  const again = await browser.get(action);
  t.true(again.text.includes('Your account is suspended: it is read-only.'));
  t.deepEqual(
    again.form(action).buttons.map(({ text }) => text),
    ['Don’t allow'],
  );
  t.deepEqual([await grantsOf(accountId), await eventsOf(accountId)], [[], []]);
  const target = await decide(browser, again, { decision: 'deny' });
  t.is(target.searchParams.get('error'), 'access_denied');
});

// Serial: another test's decision that waits would be taken for this one.
test.serial('an account that is suspended while the decision is on its way connects nothing', async (t) => {
  const { browser, page, action, accountId } = await ask();
  const statement = `update auth.account set status = 'suspended' where id = $1`;
  const [answer] = await whileLocked(
    stack,
    { table: 'account', statement, values: [accountId], end: 'commit' },
    () => [browser.submit(page, action, {}, { button: 'Allow' })],
  );
  t.is(answer?.status, 423);
  t.deepEqual([await grantsOf(accountId), await eventsOf(accountId)], [[], []]);
});

test('a request waits a quarter of an hour and no longer', async (t) => {
  const later = await startOAuthWorld(t, { now: new Date() });
  const id = await registerClient(later);
  const url = later.endpoints.authorizeUrl(authorizationRequest(id).parameters);
  const [inTime, late] = [
    await openConsentPage(later.browser, url),
    await openConsentPage(later.browser, url),
  ];
  later.stack.clock.advance(899_000);
  t.true((await decide(later.browser, inTime)).searchParams.has('code'));
  later.stack.clock.advance(1_000);
  const answer = await later.browser.submit(late, consentAction(late), {}, { button: 'Allow' });
  t.deepEqual([answer.status, answer.location], [400, null]);
  t.true(answer.text.includes('expired'));
  t.is((await later.stack.sql`select 1 from auth.oauth_grant`).length, 1);
});

test('what nobody redeemed is no connected app, and ends by itself', async (t) => {
  const { owner, browser } = await addOwner(stack);
  await authorize({ endpoints, browser }, authorizationRequest(clientId).parameters);
  t.notRegex((await browser.get('/settings/apps')).text, /Test app/);
  const [grant] = await stack.sql<{ seconds: number }>`
    select extract(epoch from expires_at - created_at)::int as seconds from auth.oauth_grant
    where account_id = ${owner.accountId}`;
  t.is(grant?.seconds, 120);
});

test('an account has at most 100 connected apps, however many are allowed at once', async (t) => {
  const asked = await ask();
  await stack.sql`insert into auth.oauth_grant
    (id, account_id, client_id, client_name, scopes, created_at, last_used_at, expires_at)
    select gen_random_uuid(), ${asked.accountId}, ${clientId}, 'An app', '{read}', now(), now(),
      now() + case when place < 100 then interval '1 day' else interval '-1 day' end
    from generate_series(1, 120) as place`;
  const pages = [asked.page, await openConsentPage(asked.browser, request())];
  const decided = await Promise.all(
    pages.map((page) => asked.browser.submit(page, consentAction(page), {}, { button: 'Allow' })),
  );
  t.deepEqual(decided.map(({ status }) => status).toSorted(), [303, 403]);
  const refused = decided.find(({ status }) => status === 403);
  t.true(refused?.text.includes('You have connected 100 apps, the most there can be. Disconnect one'));
  const again = decided.findIndex(({ status }) => status === 303);
  const page = pages[again] ?? asked.page;
  const repeated = await asked.browser.submit(page, consentAction(page), {}, { button: 'Allow' });
  t.is(repeated.status, 303);
});
