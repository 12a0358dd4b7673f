import test, { type ExecutionContext } from 'ava';
import { type Admin, startAdmin } from './run-admin.ts';

type Event = {
  at: string;
  event: string;
  actor: string;
  subjectId: string | null;
  subjectName: string | null;
  address: string | null;
  userAgent: string | null;
};

const email = ['--email', 'ada@example.com'];

async function startWithAccount(t: ExecutionContext): Promise<Admin & { trail(): Promise<Event[]> }> {
  const admin = await startAdmin(t);
  await admin.ask('account', 'create', ...email);
  return { ...admin, trail: () => admin.ask<Event[]>('audit', 'list', ...email) };
}

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
  const revoke = ['token', 'revoke', '--token-id', String(tokenId)];
  await admin.ask(...revoke);
  const before = await admin.trail();
  await admin.ask(...revoke);
  await admin.ask('account', 'update', ...email, '--plan', 'premium');
  await admin.fail('account', 'create', ...email);
  await admin.given('short').fail('account', 'update', ...email, '--password', '-');
  await admin.fail('token', 'create', ...email, '--name', '', '--scopes', 'read');
  t.deepEqual(await admin.trail(), before);
});

test('an event shows when it was, who did it, from where, and what it is about', async (t) => {
  const admin = await startWithAccount(t);
  const appId = '6ecd8c99-4036-403d-bf84-cf8400f67836';
  await admin.sql`insert into auth.audit_event
      (account_id, happened_at, event, actor, subject_id, subject_name, address, user_agent)
    select id, '2027-03-04T05:06:07.089Z', 'app_connected', 'owner', ${appId}::uuid, 'Claude “1”', '2001:db8::7',
      'Mozilla/5.0' from auth.account`;
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

test('another account’s events are not shown', async (t) => {
  const admin = await startWithAccount(t);
  await admin.ask('account', 'create', '--email', 'bob@example.com');
  const before = await admin.trail();
  await admin.ask('token', 'create', '--email', 'bob@example.com', '--name', 'x', '--scopes', 'read');
  t.deepEqual(await admin.trail(), before);
});

test('an unknown account and an invalid limit are errors', async (t) => {
  const admin = await startAdmin(t);
  const unknown = ['audit', 'list', '--email', 'nobody@example.com'];
  t.is(await admin.fail(...unknown), 'there is no account with that e-mail address');
  for (const limit of ['0', '-1', '1.5', '1001', '1e3', 'x', ''])
    t.is(await admin.fail(...unknown, `--limit=${limit}`), '--limit must be a whole number from 1 to 1,000');
});
