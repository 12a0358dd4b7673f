import { randomBytes, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExecutionContext } from 'ava';
import { connectAuthDatabase } from '#auth-server/database/auth-orm.ts';
import { sweepExpired } from '#auth-server/sweep/expired-records.ts';
import { connectSql, type Sql, type SqlConnection } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { createTestClock, type TestClock } from '#tests/support/test-clock.ts';

export const daySeconds = 86_400;
export const auditRetentionSeconds = 400 * daySeconds;

export type SweepWorld = {
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

/** A database of the test's own, a clock that stands still, and an account. */
export async function startSweepWorld(t: ExecutionContext): Promise<SweepWorld> {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const connection = connectSql(database.url);
  t.teardown(connection.close);
  const { em, close } = await openAsAuthServer(database.url);
  t.teardown(close);
  const clock = createTestClock();
  clock.set('2030-01-01T00:00:00Z');
  const { sql } = connection;
  const { accountId } = await createTestAccounts(sql).createAccount();
  return {
    sql,
    databaseUrl: database.url,
    em,
    clock,
    async sweep(signal) {
      const removed = await sweepExpired(em, clock, { auditRetentionSeconds }, signal);
      // Kept by another clock, the database's: they have a test of their own.
      const { principal_change: _changes, ...others } = removed;
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
  const orm = await connectAuthDatabase({
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
export const independentKinds = Object.keys(rowsOf('', '')) as Kind[];
export const tables = [...independentKinds, 'oauth_token', 'oauth_grant', 'oauth_client', 'client_logo'];

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
      await sql`insert into auth.oauth_grant (id, account_id, client_id, client_name, scopes, created_at, expires_at)
        values (${grantId}, ${accountId}, ${clientId}, 'Test app', '{read}', '2029-01-01', ${expiresAt})`;
      return grantId;
    },
    async token(grantId: string, expiresAt: Date): Promise<void> {
      await sql`insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
        values (${randomBytes(32)}, 'refresh_token', ${grantId}, '{}', ${expiresAt})`;
    },
  };
}
