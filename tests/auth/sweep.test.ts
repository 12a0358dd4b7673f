import { randomBytes, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import test, { type ExecutionContext } from 'ava';
import { openAuthDatabase } from '#auth-server/database/auth-orm.ts';
import { deleteGrant } from '#auth-server/oauth/grant-repository.ts';
import { sweepExpired } from '#auth-server/sweep/expired-records.ts';
import type { Clock } from '#shared/time/clock.ts';
import { connectSql, type Sql, type SqlConnection } from '#tests/support/connect-sql.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { createTestClock, type TestClock } from '#tests/support/test-clock.ts';

const daySeconds = 86_400;
const auditRetentionSeconds = 400 * daySeconds;

type SweepWorld = {
  sql: Sql;
  databaseUrl: string;
  /** With the rights of auth-server, as `sweep` has them. */
  em: EntityManager;
  clock: TestClock;
  sweep(signal?: AbortSignal): Promise<Record<string, number>>;
  /** From the clock's present. */
  in(milliseconds: number): Date;
  accountId: string;
  add: ReturnType<typeof createRowMaker>;
  counts(): Promise<Record<string, number>>;
};

/** No account is erased here. */
const sweepOf = (em: EntityManager, clock: Clock) => ({
  em,
  clock,
  config: { auditRetentionSeconds },
  revoker: { confirm: async () => undefined },
});

/** A database of the test's own, a clock that stands still, and an account. */
async function startSweepWorld(t: ExecutionContext): Promise<SweepWorld> {
  const databaseUrl = await freshDatabaseUrl(t);
  const connection = connectSql(databaseUrl);
  t.teardown(connection.close);
  const { em, close } = await openAsAuthServer(databaseUrl);
  t.teardown(close);
  const clock = createTestClock();
  clock.set('2030-01-01T00:00:00Z');
  const { sql } = connection;
  const { accountId } = await createTestAccounts(sql).createAccount();
  return {
    sql,
    databaseUrl,
    em,
    clock,
    async sweep(signal) {
      const removed = await sweepExpired(sweepOf(em, clock), signal);
      // They have tests of their own.
      const { principal_change: _changes, account: _accounts, export_permit: _permits, ...others } = removed;
      return others;
    },
    in: (milliseconds) => new Date(clock.now().getTime() + milliseconds),
    accountId,
    add: createRowMaker(connection, accountId),
    counts: () => countRows(em),
  };
}

/** The database with the rights of auth-server. */
async function openAsAuthServer(url: string) {
  const { orm } = openAuthDatabase({
    url,
    poolSize: 4,
    waitMilliseconds: 20_000,
    applicationName: 'sweep',
  });
  return { em: orm.em, close: () => orm.close(true) };
}

const id = 'gen_random_uuid()';
const hash = `sha256(${id}::text::bytea)`;

/** Columns and values of a row that goes at `end`, as the service keeps it. */
const rowsOf = (account: string, end: string) => ({
  oauth_interaction: ['uid_hash, payload, expires_at', `${hash}, '{}', ${end}`],
  browser_session: [
    'id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at',
    `${id}, ${hash}, ${account}, '::1', '', ${end}, ${end}, ${end}`,
  ],
  reminder_delivery: [
    'account_id, subject_id, civil_time, claimed_at',
    `${account}, ${id}, '2001-01-01', ${end} - interval '3 days'`,
  ],
  password_reset: ['token_hash, account_id, expires_at', `${hash}, ${account}, ${end}`],
  used_challenge: ['challenge_hash, expires_at', `${hash}, ${end}`],
  mail_link: ['token_hash, kind, email, expires_at', `${hash}, 'sign_up', '', ${end}`],
  former_address: [
    'id, account_id, email, email_folded, given_up_at, expires_at',
    `${id}, ${account}, '', '', ${end}, ${end}`,
  ],
  revoked_access_token: ['jti, expires_at', `${id}, ${end}`],
  audit_event: [
    'account_id, happened_at, event, actor',
    `${account}, ${end} - interval '${auditRetentionSeconds} seconds', 'signed_in', 'owner'`,
  ],
});

type Kind = keyof ReturnType<typeof rowsOf>;
/** Those that need no other row than the account. */
const independentKinds = Object.keys(rowsOf('', '')) as Kind[];
const tables = [...independentKinds, 'oauth_token', 'oauth_grant', 'oauth_client', 'client_logo'];

/** How many rows each table holds that a sweep may remove from. */
async function countRows(em: EntityManager): Promise<Record<string, number>> {
  const counts = tables.map(
    (table) => `select '${table}' as name, count(*)::integer as total from auth.${table}`,
  );
  const rows = await em.fork().execute<{ name: string; total: number }[]>(counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, total }) => [name, total]));
}

function createRowMaker({ sql, run }: SqlConnection, accountId: string) {
  return {
    async rows(kind: Kind, end: Date, count = 1): Promise<void> {
      const row = rowsOf(`'${accountId}'::uuid`, `'${end.toISOString()}'::timestamptz`);
      const [columns, values] = row[kind];
      await run(`insert into auth.${kind} (${columns}) select ${values} from generate_series(1, ${count})`);
    },
    async client(clientId: string, unusedSince: Date | null): Promise<void> {
      await sql`insert into auth.oauth_client (client_id, metadata, created_at, unused_since)
        values (${clientId}, '{}', '2029-01-01', ${unusedSince})`;
    },
    async clientLogo(clientId: string, unusedSince: Date | null): Promise<void> {
      await sql`insert into auth.client_logo (client_id, image, stored_at, unused_since)
        values (${clientId}, 'a picture', '2029-01-01', ${unusedSince})`;
    },
    async grant(expiresAt: Date, clientId = 'app_test'): Promise<string> {
      const grantId = randomUUID();
      await sql`insert into auth.oauth_grant
          (id, account_id, client_id, client_name, scopes, created_at, expires_at)
        values (${grantId}, ${accountId}, ${clientId}, 'Test app', '{read}', '2029-01-01', ${expiresAt})`;
      return grantId;
    },
    async token(grantId: string, expiresAt: Date): Promise<void> {
      await sql`insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
        values (${randomBytes(32)}, 'refresh_token', ${grantId}, '{}', ${expiresAt})`;
    },
  };
}

const nothing = Object.fromEntries(tables.map((table) => [table, 0]));
const weekMilliseconds = 7 * daySeconds * 1_000;

/** One row of each kind that ends at this moment. */
async function addOneOfEach({ add, in: from, clock }: SweepWorld, end: Date): Promise<void> {
  const milliseconds = end.getTime() - clock.now().getTime();
  await add.token(await add.grant(from(weekMilliseconds), 'app_used'), end);
  await add.grant(end, 'app_used');
  await add.client(`app_unused ${milliseconds}`, from(milliseconds - weekMilliseconds));
  await add.clientLogo(`app_unused ${milliseconds}`, from(milliseconds - weekMilliseconds));
  for (const kind of independentKinds) await add.rows(kind, end);
}

test('of each kind, what ends at this moment goes', async (t) => {
  const world = await startSweepWorld(t);
  await addOneOfEach(world, world.in(0));
  const one = Object.fromEntries(tables.map((table) => [table, 1]));
  t.deepEqual(await world.sweep(), one);
  t.deepEqual(await world.counts(), { ...nothing, oauth_grant: 1 }, 'the grant of the token lives on');
  t.deepEqual(await world.sweep(), nothing);
});

test('of each kind, what ends a millisecond later stays', async (t) => {
  const world = await startSweepWorld(t);
  await addOneOfEach(world, world.in(1));
  const before = await world.counts();
  t.true(Object.values(before).every((total) => total > 0));
  t.deepEqual(await world.sweep(), nothing);
  t.deepEqual(await world.counts(), before);
});

test('changes of what tokens may do are kept for two days', async (t) => {
  const { sql, accountId, em, clock } = await startSweepWorld(t);
  for (const hours of [47, 49])
    await sql`insert into auth.principal_change (account_id, changed_at)
      values (${accountId}, now() - make_interval(hours => ${hours}))`;
  t.like(await sweepExpired(sweepOf(em, clock)), { principal_change: 1 });
  t.like(await sweepExpired(sweepOf(em, clock)), { principal_change: 0 });
});

test('a permit to export that has ended goes, though its browser stays signed in', async (t) => {
  const { sql, accountId, em, clock, add, in: from } = await startSweepWorld(t);
  await add.rows('browser_session', from(weekMilliseconds));
  await sql`insert into auth.export_permit (session_id, account_id, profile, expires_at)
    select id, ${accountId}, '{}', ${clock.now()} from auth.browser_session`;
  t.like(await sweepExpired(sweepOf(em, clock)), { export_permit: 1, browser_session: 0 });
});

test('a grant that ends takes along its tokens that would not have ended yet', async (t) => {
  const world = await startSweepWorld(t);
  await world.add.token(await world.add.grant(world.in(0)), world.in(weekMilliseconds));
  t.like(await world.sweep(), { oauth_grant: 1, oauth_token: 0 });
  t.deepEqual(await world.counts(), nothing);
});

/** As many as need three batches. */
const many = 1_203;

async function addManyOfEach({ sql, accountId, clock, add }: SweepWorld): Promise<void> {
  const now = clock.now();
  await sql`insert into auth.oauth_client (client_id, metadata, created_at, unused_since)
    select 'app_' || (n / 3), '{}', ${now}, null from generate_series(0, ${many - 1}) n where n % 3 = 0`;
  await sql`insert into auth.client_logo (client_id, image, stored_at)
    select client_id, 'a picture', ${now} from auth.oauth_client`;
  await sql`insert into auth.oauth_grant
      (id, account_id, client_id, client_name, scopes, created_at, expires_at)
    select gen_random_uuid(), ${accountId}, 'app_' || (n / 3), 'App', '{read}', ${now}, ${now}
    from generate_series(0, ${many - 1}) n`;
  await sql`insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
    select sha256(id::text::bytea), 'refresh_token', id, '{}', ${now} from auth.oauth_grant`;
  for (const kind of independentKinds) await add.rows(kind, now, many);
}

const manyOfEach = {
  ...Object.fromEntries(tables.map((table) => [table, many])),
  oauth_client: 0,
  client_logo: 0,
};

test('one sweep removes more than a batch holds', async (t) => {
  const world = await startSweepWorld(t);
  await addManyOfEach(world);
  t.deepEqual(await world.sweep(), manyOfEach);
  const unused = { ...nothing, oauth_client: many / 3, client_logo: many / 3 };
  t.deepEqual(await world.counts(), unused);
  world.clock.advance(weekMilliseconds);
  t.deepEqual(await world.sweep(), unused);
  t.deepEqual(await world.counts(), nothing);
});

test('concurrent sweepers remove each row once, and mark unused clients and their logos', async (t) => {
  const world = await startSweepWorld(t);
  await addManyOfEach(world);
  const shares = await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
  const total = (table: string) => shares.reduce((sum, share) => sum + (share[table] ?? 0), 0);
  // Sweepers that come second leave the audit events to the first; together they still take them all.
  t.deepEqual(Object.fromEntries(tables.map((table) => [table, total(table)])), manyOfEach);
  t.deepEqual(await world.sql`select client_id from auth.oauth_client where unused_since is null`, []);
  t.deepEqual(await world.sql`select client_id from auth.client_logo where unused_since is null`, []);
});

/** They have no `expires_at`. */
const endOtherwise = ['reminder_delivery', 'audit_event', 'oauth_client', 'client_logo'];

test('a row that somebody works with is left for later, and holds nothing up', async (t) => {
  const world = await startSweepWorld(t);
  await addOneOfEach(world, world.in(0));
  await addOneOfEach(world, world.in(-1));
  const user = connectSql(world.databaseUrl);
  t.teardown(user.close);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const work = world.em.fork().transactional(async (em) => {
    for (const table of tables.filter((name) => !endOtherwise.includes(name)))
      await em.execute(`select from auth.${table} where expires_at = ? for update`, [world.in(0)]);
    await em.execute('select from auth.reminder_delivery order by claimed_at desc limit 1 for update');
    for (const table of ['oauth_client', 'client_logo'])
      await em.execute(`select from auth.${table} where unused_since = ? for update`, [
        world.in(-weekMilliseconds),
      ]);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const one = Object.fromEntries(tables.map((table) => [table, 1]));
  t.deepEqual(await world.sweep(), { ...one, audit_event: 2 });
  release.resolve();
  await work;
  t.deepEqual(await world.sweep(), { ...one, audit_event: 0 });
});

test('a client with a live grant stays with its logo, however old their mark', async (t) => {
  const world = await startSweepWorld(t);
  await world.add.client('app_used', world.in(-2 * weekMilliseconds));
  await world.add.client('app_unused', world.in(-2 * weekMilliseconds));
  for (const clientId of ['app_used', 'app_unused'])
    await world.add.clientLogo(clientId, world.in(-2 * weekMilliseconds));
  await world.add.grant(world.in(1), 'app_used');
  t.like(await world.sweep(), { oauth_client: 1, client_logo: 1 });
  t.deepEqual(await world.sql`select client_id from auth.oauth_client`, [{ client_id: 'app_used' }]);
  t.deepEqual(await world.sql`select client_id from auth.client_logo`, [{ client_id: 'app_used' }]);
});

test('a client goes with its logo seven days after its last grant was ended or has expired', async (t) => {
  const world = await startSweepWorld(t);
  await world.add.client('app_used', null);
  const first = await world.add.grant(world.in(2 * weekMilliseconds), 'app_used');
  await world.add.clientLogo('app_used', null);
  await world.add.client('app_expired', null);
  await world.add.grant(world.in(weekMilliseconds), 'app_expired');
  const last = await world.add.grant(world.in(2 * weekMilliseconds), 'app_used');
  await deleteGrant(world.em.fork(), first, world.clock.now());
  world.clock.advance(weekMilliseconds);
  t.like(await world.sweep(), { oauth_grant: 1, oauth_client: 0 });
  await deleteGrant(world.em.fork(), last, world.clock.now());
  world.clock.advance(weekMilliseconds - 1);
  t.like(await world.sweep(), { oauth_client: 0, client_logo: 0 });
  world.clock.advance(1);
  t.like(await world.sweep(), { oauth_client: 2, client_logo: 1 });
});

test('what can’t be removed keeps nothing else from going, and is told', async (t) => {
  const world = await startSweepWorld(t);
  await addOneOfEach(world, world.in(0));
  await world.sql`revoke delete on auth.oauth_interaction from auth_server`;
  const error = await t.throwsAsync(world.sweep(), { instanceOf: AggregateError });
  t.regex(String(error.cause), /permission denied for table oauth_interaction/);
  t.deepEqual(await world.counts(), { ...nothing, oauth_grant: 1, oauth_interaction: 1 });
});

test('an aborted sweep removes nothing more', async (t) => {
  const world = await startSweepWorld(t);
  await addOneOfEach(world, world.in(0));
  t.deepEqual(await world.sweep(AbortSignal.abort()), nothing);
});
