import { createHash, randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { verifyPassword } from '#auth-server/accounts/password-hash.ts';
import { isApiToken } from '#shared/tokens/api-token.ts';
import { runAdminHere, startAdmin } from './run-admin.ts';
import { runProgram } from './run-program.ts';

const password = 'correct horse';
const create = (email: string, ...more: string[]) => [
  'account',
  'create',
  '--email',
  email,
  '--password',
  '-',
  ...more,
];

test('an account is created with defaults, shown and found in any case of its address', async (t) => {
  const admin = await startAdmin(t);
  const account = await admin.given(password).ask(...create('Ada@Example.com'));
  t.deepEqual(Object.entries(account).slice(1), [
    ['email', 'Ada@Example.com'],
    ['plan', 'free'],
    ['timezone', 'UTC'],
    ['status', 'active'],
  ]);
  t.regex(String(account.accountId), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.deepEqual(await admin.ask('account', 'show', '--email', 'ada@eXAMPLE.com'), account);
});

test('plan and time zone can be given, and an address beyond ASCII folds too', async (t) => {
  const admin = await startAdmin(t);
  const account = await admin
    .given(password)
    .ask(...create('ÄRGER@example.com', '--plan', 'premium', '--timezone=Europe/Berlin'));
  t.like(account, { plan: 'premium', timezone: 'Europe/Berlin' });
  t.deepEqual(await admin.ask('account', 'show', '--email', 'ärger@example.com'), account);
});

test('an account gets another address, which no other has', async (t) => {
  const admin = await startAdmin(t);
  const account = await admin.given(password).ask(...create('ada@example.com'));
  await admin.given(password).ask(...create('bob@example.com'));
  const update = ['account', 'update', '--email', 'ada@example.com', '--new-email'];
  t.is(await admin.fail(...update, 'BOB@example.com'), '--new-email belongs to an account already');
  t.is(await admin.fail(...update, 'ada'), '--new-email must be an e-mail address of at most 254 characters');
  t.deepEqual(await admin.ask(...update, 'Ada@example.org'), { ...account, email: 'Ada@example.org' });
  t.deepEqual(
    await admin
      .given(password)
      .ask(...create('ada@example.com', '--plan', 'premium'))
      .then(({ plan }) => plan),
    'premium',
  );
  const events = await admin.sql`select event, subject_name from auth.audit_event where actor = 'operator'
    and account_id = ${account.accountId} order by sequence`;
  t.deepEqual(events.at(-1), { event: 'address_changed', subject_name: 'ada@example.com' });
});

test('update changes what is named and nothing else', async (t) => {
  const admin = await startAdmin(t);
  const account = await admin.given(password).ask(...create('ada@example.com'));
  const update = (...changes: string[]) =>
    admin.given('battery staple').ask('account', 'update', '--email', 'ADA@example.com', ...changes);
  t.deepEqual(await update('--status', 'suspended'), { ...account, status: 'suspended' });
  const changes = ['--plan', 'premium', '--timezone', 'Asia/Tokyo', '--status', 'active'];
  const changed = { ...account, plan: 'premium', timezone: 'Asia/Tokyo' };
  t.deepEqual(await update(...changes), changed);
  t.deepEqual(await update('--password', '-'), changed);
  const [row] = await admin.sql<{ password_hash: string; is_later: boolean }>`
    select password_hash, updated_at > created_at as is_later from auth.account`;
  t.true(await verifyPassword('battery staple', row?.password_hash ?? ''));
  t.true(row?.is_later);
});

const passwordRule = '--password must have 8 to 1,024 characters';
const emailRule = '--email must be an e-mail address of at most 254 characters';
const timezoneRule = '--timezone must be the name of a time zone, such as Europe/Berlin';

const refused: [string, string[], string][] = [
  ['no @', ['--email', 'ada'], emailRule],
  ['two @', ['--email', 'ada@home@example.com'], emailRule],
  ['a blank', ['--email', 'ada @example.com'], emailRule],
  ['255 characters', ['--email', `${'x'.repeat(243)}@example.com`], emailRule],
  ['nothing before @', ['--email', '@example.com'], emailRule],
  ['an angle bracket', ['--email', 'ada<b@example.com'], emailRule],
  ['another plan', ['--plan', 'gold'], '--plan must be one of free, premium'],
  ['an invented zone', ['--timezone', 'Europe/Atlantis'], timezoneRule],
  ['an offset', ['--timezone', '+01:00'], timezoneRule],
];

test('invalid values of an account are refused, and nothing is stored', async (t) => {
  const admin = await startAdmin(t);
  for (const [title, [option = '', value = ''], message] of refused) {
    const given = { '--email': 'ada@example.com', [option]: value };
    t.is(await admin.fail('account', 'create', ...Object.entries(given).flat()), message, title);
  }
  for (const wrong of ['1234567', '🔑'.repeat(7), 'x'.repeat(1_025)])
    t.is(await admin.given(wrong).fail(...create('ada@example.com')), passwordRule, wrong);
  const several = ['--email', 'ada', '--password', '-', '--plan', 'gold'];
  t.is(
    await admin.given('short').fail('account', 'create', ...several),
    [emailRule, passwordRule, '--plan must be one of free, premium'].join('; '),
  );
  t.deepEqual(await admin.sql`select id from auth.account`, []);
});

test('the shortest and the longest values are accepted', async (t) => {
  const admin = await startAdmin(t);
  await admin.given('🦊🚲🌧🍋🔑🎻🧭🪁').ask(...create('a@b'));
  const longest = `${'x'.repeat(242)}@example.com`;
  await admin.given('seven quiet harbours '.repeat(49).slice(0, 1_024)).ask(...create(longest));
  t.like(await admin.ask('account', 'show', '--email', longest), { email: longest });
});

const nothingToChange =
  'nothing to change: give --new-email, --plan, --timezone, --status, --password or --revoke-tokens';

test('a database of an earlier release is called not migrated', async (t) => {
  const admin = await startAdmin(t);
  await admin.sql`alter table auth.account drop column locked_at cascade`;
  const notMigrated = 'the database is not migrated; run npm run migrate first';
  t.is(await admin.fail('account', 'create', '--email', 'ada@example.com'), notMigrated);
});

test('errors of an update are reported', async (t) => {
  const admin = await startAdmin(t);
  const update = ['account', 'update', '--email', 'ada@example.com'];
  t.is(await admin.fail(...update, '--plan', 'free'), 'there is no account with that e-mail address');
  await admin.given(password).ask(...create('ada@example.com'));
  t.is(await admin.fail(...update), nothingToChange);
  t.is(await admin.fail(...update, '--status', 'closed'), '--status must be one of active, suspended');
  t.is(await admin.given('short').fail(...update, '--password', '-'), passwordRule);
});

test('without a password one is generated and shown once; the owner signs in with it', async (t) => {
  const admin = await startAdmin(t);
  const answer = await admin.ask('account', 'create', '--email', 'ada@example.com');
  const [row] = await admin.sql<{ password_hash: string }>`select password_hash from auth.account`;
  t.true(await verifyPassword(String(answer.password), row?.password_hash ?? ''));
  t.false('password' in (await admin.ask('account', 'show', '--email', 'ada@example.com')));
});

test('a password is read from standard input, and refused on the command line', async (t) => {
  const admin = await startAdmin(t);
  const words = ['account', 'create', '--email', 'ada@example.com', '--password'];
  for (const refused of [words, ['account', 'update', ...words.slice(2)]])
    t.regex(await admin.fail(...refused, 'battery staple'), /--password - .*standard input$/);
  t.deepEqual(await admin.sql`select id from auth.account`, []);
  const { exitCode } = await runProgram(
    'deploy/admin/admin.ts',
    [...words, '-'],
    admin.env,
    'battery staple\n',
  );
  t.is(exitCode, 0);
  const [row] = await admin.sql<{ password_hash: string }>`select password_hash from auth.account`;
  t.true(await verifyPassword('battery staple', row?.password_hash ?? ''));
});

type Token = { tokenId: string; name: string; scopes: string[]; expiresAt: string | null; secret: string };

const email = ['--email', 'ada@example.com'];

async function startWithAccount(t: ExecutionContext) {
  const admin = await startAdmin(t);
  await admin.ask('account', 'create', ...email);
  return {
    ...admin,
    trail: () => admin.ask<Event[]>('audit', 'list', ...email),
    create: (name: string, scopes: string, ...more: string[]) =>
      admin.ask<Token>('token', 'create', ...email, '--name', name, '--scopes', scopes, ...more),
  };
}

test('a token is created with its secret, of which only the hash is stored', async (t) => {
  const admin = await startWithAccount(t);
  const token = await admin.create('backup', 'write,read', '--expires-at', '2099-01-01T01:00:00+01:00');
  t.deepEqual(Object.keys(token), ['tokenId', 'name', 'scopes', 'expiresAt', 'secret']);
  t.like(token, { name: 'backup', scopes: ['read', 'write'], expiresAt: '2099-01-01T00:00:00.000Z' });
  t.regex(token.secret, /^tms_[0-9A-Za-z]{43}$/);
  t.true(isApiToken(token.secret));
  const [row] = await admin.sql<{ token_hash: Buffer; last_four: string; row: string }>`
    select token_hash, last_four, to_json(api_token)::text as row from auth.api_token`;
  t.deepEqual(row?.token_hash, createHash('sha256').update(token.secret).digest());
  t.is(row?.last_four, token.secret.slice(-4));
  t.false(row?.row.includes(token.secret));
});

test('without an expiry a token never ends, and a repeated scope counts once', async (t) => {
  const admin = await startWithAccount(t);
  t.like(await admin.create('x', 'read,read,read'), { expiresAt: null, scopes: ['read'] });
});

test('tokens are listed oldest first, without secrets and without the revoked ones', async (t) => {
  const admin = await startWithAccount(t);
  t.deepEqual(await admin.ask('token', 'list', ...email), []);
  const shown = async (name: string) => {
    const { secret: _secret, ...token } = await admin.create(name, 'read');
    return token;
  };
  const [first, second, third] = [await shown('first'), await shown('second'), await shown('third')];
  t.deepEqual(await admin.ask('token', 'list', '--email', 'ADA@example.com'), [first, second, third]);
  t.deepEqual(await admin.ask('token', 'revoke', '--token-id', second.tokenId), second);
  t.deepEqual(await admin.ask('token', 'list', ...email), [first, third]);
});

test('invalid values of a token are refused, and nothing is stored', async (t) => {
  const admin = await startWithAccount(t);
  const refused: [string, string, string[], string][] = [
    ['', 'read', [], '--name must not be blank'],
    [' \u00a0', 'read', [], '--name must not be blank'],
    ['x'.repeat(201), 'read', [], '--name must have at most 200 characters'],
    ['x', 'admin', [], '--scopes[0] must be one of read, write'],
    ['x', 'read write', [], '--scopes[0] must be one of read, write'],
    ['x', 'read', ['--expires-at', '2020-01-01T00:00:00Z'], '--expires-at must lie in the future'],
    [
      'x',
      'read',
      ['--expires-at', '2099-01-01'],
      '--expires-at must be an RFC 3339 date-time with an offset',
    ],
  ];
  for (const [name, scopes, more, message] of refused) {
    const args = ['token', 'create', ...email, '--name', name, '--scopes', scopes, ...more];
    t.is(await admin.fail(...args), message);
  }
  t.deepEqual(await admin.sql`select id from auth.api_token`, []);
});

test('unknown or malformed token ids are errors', async (t) => {
  const admin = await startWithAccount(t);
  for (const id of [randomUUID(), 'x', '']) {
    t.is(await admin.fail('token', 'revoke', '--token-id', id), 'there is no token with that id');
  }
});

type Event = {
  at: string;
  event: string;
  actor: string;
  subjectId: string | null;
  subjectName: string | null;
  address: string | null;
  userAgent: string | null;
};

const byOperator = { actor: 'operator', address: null, userAgent: null };
const noSubject = { subjectId: null, subjectName: null };

function withoutTimes(events: readonly Event[]): Omit<Event, 'at'>[] {
  return events.map(({ at: _at, ...event }) => event);
}

test('what the operator does to an account and its tokens is on its trail, newest first', async (t) => {
  const admin = await startWithAccount(t);
  const { tokenId } = await admin.ask('token', 'create', ...email, '--name', 'backup', '--scopes', 'read');
  await admin.ask('token', 'revoke', '--token-id', String(tokenId));
  await admin.given('battery staple').ask('account', 'update', ...email, '--password', '-');
  const token = { subjectId: tokenId, subjectName: 'backup' };
  t.deepEqual(withoutTimes(await admin.trail()), [
    { event: 'password_changed', ...byOperator, ...noSubject },
    { event: 'token_revoked', ...byOperator, ...token },
    { event: 'token_created', ...byOperator, ...token },
    { event: 'account_created', ...byOperator, ...noSubject },
  ]);
});

test('commands that change nothing or fail leave no event', async (t) => {
  const admin = await startWithAccount(t);
  const { tokenId } = await admin.ask('token', 'create', ...email, '--name', 'x', '--scopes', 'read');
  const revoke = ['token', 'revoke', '--token-id'];
  await admin.ask(...revoke, String(tokenId));
  const before = await admin.trail();
  await admin.ask(...revoke, String(tokenId).toUpperCase());
  await admin.ask('account', 'update', ...email, '--plan', 'premium');
  const taken = await admin.fail('account', 'create', '--email', 'ADA@example.com');
  t.is(taken, '--email belongs to an account already');
  await admin.given('short').fail('account', 'update', ...email, '--password', '-');
  await admin.fail('token', 'create', ...email, '--name', '', '--scopes', 'read');
  t.deepEqual(await admin.trail(), before);
});

test('an event shows when it was, who did it, from where, and what it is about', async (t) => {
  const admin = await startWithAccount(t);
  const appId = '6ecd8c99-4036-403d-bf84-cf8400f67836';
  await admin.sql`insert into auth.audit_event
      (account_id, happened_at, event, actor, subject_id, subject_name, address, user_agent)
    select id, '2027-03-04T05:06:07.089Z', 'app_connected', 'owner', ${appId}::uuid,
      'Claude “1”', '2001:db8::7', 'Mozilla/5.0' from auth.account`;
  const answer = await admin.ask<Event[]>('audit', 'list', '--email', 'ADA@example.com', '--limit', '1');
  t.deepEqual(answer, [
    {
      at: '2027-03-04T05:06:07.089Z',
      event: 'app_connected',
      actor: 'owner',
      subjectId: appId,
      subjectName: 'Claude “1”',
      address: '2001:db8::7',
      userAgent: 'Mozilla/5.0',
    },
  ]);
});

test('50 events are shown, or as many as are asked for', async (t) => {
  const admin = await startWithAccount(t);
  await admin.sql`insert into auth.audit_event (account_id, happened_at, event, actor, subject_name)
    select account.id, now(), 'signed_in', 'owner', n::text from auth.account, generate_series(1, 1100) n`;
  const names = async (...more: string[]) =>
    (await admin.ask<Event[]>('audit', 'list', ...email, ...more)).map(({ subjectName }) =>
      Number(subjectName),
    );
  const newest = (count: number) => Array.from({ length: count }, (_, index) => 1100 - index);
  t.deepEqual(await names(), newest(50));
  t.deepEqual(await names('--limit', '1'), newest(1));
  t.deepEqual(await names('--limit', '1000'), newest(1000));
});

test('an unknown account and an invalid limit are errors', async (t) => {
  const admin = await startAdmin(t);
  const unknown = ['audit', 'list', '--email', 'nobody@example.com'];
  t.is(await admin.fail(...unknown), 'there is no account with that e-mail address');
  for (const limit of ['0', '-1', '1.5', '1001', '1e3', 'x', ''])
    t.is(await admin.fail(...unknown, `--limit=${limit}`), '--limit must be a whole number from 1 to 1,000');
});

test('a link to choose a password has the address as the services read it', async (t) => {
  const admin = await startAdmin(t);
  await admin.given(password).ask(...create('ada@example.com'));
  const words = ['account', 'reset-link', '--email', 'ada@example.com'];
  const withAddress = (BASE_URL: string) => runAdminHere(words, { ...admin.env, BASE_URL });
  const { stdout } = await withAddress('https://Tasks.example.com/');
  t.true(JSON.parse(stdout).url.startsWith('https://tasks.example.com/sign-in/reset?'), stdout);
  const refused = await withAddress('tasks.example.com');
  t.regex(refused.stderr, /BASE_URL must be scheme, host and port alone/);
});
