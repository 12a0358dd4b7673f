import test from 'ava';
import { scopes } from '#shared/scopes.ts';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import { newVisit } from '#tests/pages/visitors.ts';
import type { FormFields, PageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed, textOf } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';
import { trailOf } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true, own: true });

async function create(browser: PageBrowser, fields: FormFields): Promise<PageView> {
  return browser.submit(await browser.get('/settings/api'), '/settings/api', fields);
}

function secretOn(page: PageView): string {
  return /tms_[0-9A-Za-z]{43}/.exec(page.text)?.[0] ?? '';
}

function tokensOf({ accountId }: TestAccount) {
  return stack.sql<{ name: string; scopes: string; expires_at: string | null }>`select name,
    array_to_string(scopes, ' ') as scopes, expires_at from auth.api_token
    where account_id = ${accountId} order by created_at`;
}

test('a created token works at once with the scopes that were ticked', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const page = await create(browser, { name: 'backup script', scope: ['read'] });
  t.is(page.status, 200);
  t.is(page.headers.get('cache-control'), 'no-store');
  const client = stack.client(secretOn(page));
  const { body } = await client.get('/me');
  t.like(body, { accountId: account.accountId, tokenName: 'backup script', scopes: ['read'] });
  t.is((await client.post('/tasks', { title: 'x' })).status, 403);
});

test('the secret is shown once, to be copied, with a first call; only its hash is stored', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const page = await create(browser, { name: 'once', scope: ['read', 'write'] });
  const secret = secretOn(page);
  const [shown] = elementsNamed(page.root, 'code').filter(
    ({ attributes }) => attributes.get('id') === 'secret',
  );
  t.is(shown && textOf(shown), secret);
  t.true(page.markup.includes('data-copy="#secret"'));
  t.true(page.text.includes(`curl -H "Authorization: Bearer ${secret}" ${stack.apiRoot}/me`));

  const list = await browser.get('/settings/api');
  t.false(list.markup.includes(secret));
  t.true(list.text.includes(`…${secret.slice(-4)}`));
  const rows = await stack.sql`select row_to_json(api_token)::text as row from auth.api_token
    where account_id = ${account.accountId}`;
  t.false(JSON.stringify(rows).includes(secret));
  t.false(JSON.stringify(stack.log).includes(secret));
});

test('the first call that a token that may only write is shown with adds a task', async (t) => {
  const { browser } = await newVisit(stack);
  const page = await create(browser, { name: 'adder', scope: ['write'] });
  const call = elementsNamed(page.root, 'code').find(({ attributes }) => attributes.get('id') === 'call');
  const secret = secretOn(page);
  const [, json = ''] = /-d '(.*)' (.*)\/tasks$/.exec(call ? textOf(call) : '') ?? [];
  t.true(page.text.includes('This adds a task to your Inbox:'));
  const { status, body } = await stack.client(secret).post('/tasks', JSON.parse(json));
  t.is(status, 201);
  t.is(body.list, 'inbox');
});

test('a reload of the secret’s page makes no second token and shows no secret', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const form = await browser.get('/settings/api');
  const fields = { name: 'once', scope: ['read'] };
  const first = await browser.submit(form, '/settings/api', fields);
  const again = await browser.submit(form, '/settings/api', fields);
  t.is(again.status, 409);
  t.is(secretOn(again), '');
  t.true(again.text.includes('This form was sent before'));
  t.is((await tokensOf(account)).length, 1);
  t.is((await trailOf(stack, account)).length, 1);
  t.is((await stack.client(secretOn(first)).get('/me')).status, 200);

  const next = await browser.submit(again, '/settings/api', {});
  t.is(next.status, 200);
  t.is((await tokensOf(account)).length, 2);
});

test('nobody chooses the id of a token: the nonce of two accounts makes two', async (t) => {
  const owners = [await newVisit(stack), await newVisit(stack)];
  const nonce = '018f4f2e-9a55-7c3b-8d5e-0123456789ab';
  const ids = new Set([nonce]);
  for (const { browser } of owners) {
    const page = await create(browser, { name: 'mine', scope: ['read'], nonce });
    t.is(page.status, 200);
    const { body } = await stack.client(secretOn(page)).get('/me');
    ids.add(String(body.tokenId));
  }
  t.is(ids.size, 3);
});

test('a form without its nonce is shown again, and makes nothing', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  for (const nonce of [undefined, '', 'x', `${'0'.repeat(36)}`]) {
    const answer = await create(browser, { name: 'kept', scope: ['read'], nonce });
    t.is(answer.status, 400, nonce);
    t.true(answer.form('/settings/api').fields.some(([name, value]) => name === 'name' && value === 'kept'));
  }
  t.deepEqual(await tokensOf(account), []);
});

test('what a token can’t be is said beside the field, with what was sent kept', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const good = { name: 'fine', scope: ['read'] };
  const laterDay = 'Enter today or a later day, or leave it empty.';
  const cases: [FormFields, string, string][] = [
    [{ ...good, name: '' }, 'name', 'The name must not be blank.'],
    [{ ...good, name: ' \u2003' }, 'name', 'The name must not be blank.'],
    [{ ...good, name: 'x'.repeat(201) }, 'name', 'The name must have at most 200 characters.'],
    [{ ...good, name: undefined }, 'name', 'The name must not be blank.'],
    [{ ...good, scope: [] }, 'scope', 'Choose at least one of these.'],
    [{ ...good, scope: ['admin'] }, 'scope', 'Choose at least one of these.'],
    [{ ...good, scope: [...scopes, 'read'] }, 'scope', 'Choose at least one of these.'],
    [{ ...good, expires_on: '2020-01-01' }, 'expires_on', laterDay],
    [{ ...good, expires_on: '2026-02-30' }, 'expires_on', laterDay],
    [{ ...good, expires_on: 'tomorrow' }, 'expires_on', laterDay],
    [{ ...good, expires_on: '9999-12-31' }, 'expires_on', laterDay],
    [{ ...good, expires_on: '+010000-01-01' }, 'expires_on', laterDay],
  ];
  for (const [fields, field, message] of cases) {
    const answer = await create(browser, fields);
    const title = JSON.stringify(fields).slice(0, 80);
    t.is(answer.status, 400, title);
    t.true(answer.invalidFields.every((name) => name === field) && answer.invalidFields.length > 0, title);
    t.true(answer.description(field).startsWith(message), `${title}: ${answer.description(field)}`);
    const kept = answer.form('/settings/api').fields.find(([name]) => name === 'name')?.[1];
    t.is(kept, String(fields.name ?? ''));
  }
  t.deepEqual(await tokensOf(account), []);
});

test('a form with several faults says each beside its field', async (t) => {
  const { browser } = await newVisit(stack);
  for (const lastDay of ['2020-01-01', 'tomorrow']) {
    const answer = await create(browser, { name: '', scope: [], expires_on: lastDay });
    t.deepEqual([...new Set(answer.invalidFields)], ['name', 'scope', 'expires_on'], lastDay);
  }
});

test('a token counts to the end of its last day in the owner’s time zone, then it is marked', async (t) => {
  const clocked = await startStack(t, { withAuthServer: true, now: '2027-03-01T12:00:00Z' });
  const { person: account, browser } = await newVisit(clocked, { timezone: 'America/New_York' });
  const form = await browser.get('/settings/api');
  const page = await browser.submit(form, '/settings/api', {
    name: 'until today',
    scope: ['read'],
    expires_on: '2027-03-01',
  });
  const [row] = await clocked.sql<{ expires_at: string }>`select expires_at from auth.api_token
    where account_id = ${account.accountId}`;
  t.is(new Date(row?.expires_at ?? 0).toISOString(), '2027-03-02T05:00:00.000Z');
  const client = clocked.client(secretOn(page));
  clocked.clock.set('2027-03-02T04:59:59Z');
  t.is((await client.get('/me')).status, 200);
  t.false((await browser.get('/settings/api')).text.includes('until today Expired'));
  clocked.clock.set('2027-03-02T05:00:00Z');
  t.is((await client.get('/me')).status, 401);
  t.true((await browser.get('/settings/api')).text.includes('until today Expired'));
});

test('a token that is revoked, even three times at once, is refused and audited once', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const token = await stack.createToken(account, { name: 'spare key' });
  const page = await browser.get('/settings/api');
  const path = `/settings/api/${token.tokenId}/revoke`;
  const answers = await Promise.all([1, 2, 3].map(() => browser.submit(page, path)));
  t.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  t.false((await browser.get('/settings/api')).text.includes('spare key'));
  t.is((await stack.client(token).get('/me')).status, 401);
  t.deepEqual(await trailOf(stack, account), [
    { event: 'token_revoked', actor: 'owner', subjectId: token.tokenId, subjectName: 'spare key' },
  ]);
});

test('at most 50 tokens are live, also if made at once; expired and revoked ones do not count', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  await stack.sql`insert into auth.api_token
    (id, account_id, name, scopes, token_hash, last_four, created_at, expires_at, revoked_at)
    select gen_random_uuid(), ${account.accountId}, 'old', '{read}', sha256(gen_random_uuid()::text::bytea),
      'abcd', now() - interval '2 days', case when place = 50 then now() - interval '1 day' end,
      case when place = 51 then now() end from generate_series(1, 51) as place`;
  const forms = await Promise.all([1, 2, 3].map(() => browser.get('/settings/api')));
  const fields = { name: 'one more', scope: ['read'] };
  const pages = await Promise.all(forms.map((form) => browser.submit(form, '/settings/api', fields)));
  t.deepEqual(pages.map(({ status }) => status).toSorted(), [200, 409, 409]);
  const refused = pages.find(({ status }) => status === 409);
  t.true(refused?.text.includes('An account has at most 50 tokens. Revoke one that is no longer needed.'));
  await stack.sql`update auth.api_token set revoked_at = now()
    where account_id = ${account.accountId} and name = 'old'`;
  t.is((await create(browser, fields)).status, 200);
});

test('a personal token has 37 characters of which none is likelier than another', (t) => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const tokens = Array.from({ length: 10_000 }, mintApiToken);
  t.is(new Set(tokens).size, tokens.length);
  const counts = new Map([...alphabet].map((character) => [character, 0]));
  for (const token of tokens) {
    t.regex(token, /^tms_[0-9A-Za-z]{43}$/);
    for (const character of token.slice(4, 41)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  // Chi-square with 61 degrees of freedom lies beyond 130 once in a million runs.
  const expected = (tokens.length * 37) / alphabet.length;
  const chiSquare = counts.values().reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  t.is(counts.size, 62);
  t.true(chiSquare < 140, String(chiSquare));
});
