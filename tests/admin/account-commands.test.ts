import test from 'ava';
import { verifyPassword } from '#auth-server/accounts/password-hash.ts';
import { startAdmin } from './run-admin.ts';
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

test('an address belongs to one account, whatever its case', async (t) => {
  const admin = await startAdmin(t);
  await admin.given(password).ask(...create('ada@example.com'));
  t.is(
    await admin.given(password).fail(...create('ADA@example.com')),
    '--email belongs to an account already',
  );
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

test('the password is stored as an argon2id hash, which no output shows', async (t) => {
  const admin = await startAdmin(t);
  const { stdout } = await admin.given(password).run(...create('ada@example.com'));
  const [row] = await admin.sql<{ password_hash: string }>`select password_hash from auth.account`;
  t.true(await verifyPassword(password, row?.password_hash ?? ''));
  t.false(/argon2|hash|password/i.test(stdout));
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

test('a password is read from standard input, and refused on the command line, which others see', async (t) => {
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
