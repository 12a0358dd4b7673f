import { randomBytes, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExecutionContext } from 'ava';
import { connectAuthDatabase } from '#auth-server/database/auth-orm.ts';
import { sweepExpired } from '#auth-server/sweep/expired-records.ts';
import { connectSql, type Sql } from '#tests/support/connect-sql.ts';
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
    add: createRowMaker(sql, accountId),
    counts: () => countRows(sql),
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

/** How many rows each table holds that a sweep may remove from. */
async function countRows(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; total: number }>`
    select 'oauth_token' as name, count(*)::integer as total from auth.oauth_token
    union all select 'oauth_interaction', count(*)::integer from auth.oauth_interaction
    union all select 'oauth_grant', count(*)::integer from auth.oauth_grant
    union all select 'browser_session', count(*)::integer from auth.browser_session
    union all select 'reminder_delivery', count(*)::integer from auth.reminder_delivery
    union all select 'password_reset', count(*)::integer from auth.password_reset
    union all select 'used_challenge', count(*)::integer from auth.used_challenge
    union all select 'mail_link', count(*)::integer from auth.mail_link
    union all select 'former_address', count(*)::integer from auth.former_address
    union all select 'revoked_access_token', count(*)::integer from auth.revoked_access_token
    union all select 'audit_event', count(*)::integer from auth.audit_event
    union all select 'oauth_client', count(*)::integer from auth.oauth_client
    union all select 'client_logo', count(*)::integer from auth.client_logo`;
  return Object.fromEntries(rows.map(({ name, total }) => [name, total]));
}

/** Rows as the service keeps them. */
function createRowMaker(sql: Sql, accountId: string) {
  const add = {
    async client(clientId: string, unusedSince: Date | null): Promise<void> {
      await sql`insert into auth.oauth_client (client_id, metadata, created_at, unused_since)
        values (${clientId}, '{}', '2029-01-01', ${unusedSince})`;
    },
    async clientLogo(clientId: string, unusedSince: Date | null): Promise<void> {
      await sql`insert into auth.client_logo (client_id, image, stored_at, unused_since)
        values (${clientId}, 'a picture', '2029-01-01', ${unusedSince})`;
    },
    async grant(expiresAt: Date, clientId = 'app_test'): Promise<string> {
      const id = randomUUID();
      await sql`insert into auth.oauth_grant (id, account_id, client_id, client_name, scopes, created_at, expires_at)
        values (${id}, ${accountId}, ${clientId}, 'Test app', '{read}', '2029-01-01', ${expiresAt})`;
      return id;
    },
    async token(grantId: string, expiresAt: Date): Promise<void> {
      await sql`insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
        values (${randomBytes(32)}, 'refresh_token', ${grantId}, '{}', ${expiresAt})`;
    },
    async interaction(expiresAt: Date): Promise<void> {
      await sql`insert into auth.oauth_interaction (uid_hash, payload, expires_at)
        values (${randomBytes(32)}, '{}', ${expiresAt})`;
    },
    async browserSession(expiresAt: Date): Promise<void> {
      await sql`insert into auth.browser_session
        (id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at)
        values (${randomUUID()}, ${randomBytes(32)}, ${accountId}, '::1', '', '2029-01-01', '2029-01-01', ${expiresAt})`;
    },
    async reminderDelivery(claimedAt: Date): Promise<void> {
      await sql`insert into auth.reminder_delivery (account_id, subject_id, civil_time, claimed_at)
        values (${accountId}, ${randomUUID()}, '2001-01-01', ${claimedAt})`;
    },
    async passwordReset(expiresAt: Date): Promise<void> {
      await sql`insert into auth.password_reset (token_hash, account_id, expires_at)
        values (${randomBytes(32)}, ${accountId}, ${expiresAt})`;
    },
    async usedChallenge(expiresAt: Date): Promise<void> {
      await sql`insert into auth.used_challenge (challenge_hash, expires_at)
        values (${randomBytes(32)}, ${expiresAt})`;
    },
    async mailLink(expiresAt: Date): Promise<void> {
      await sql`insert into auth.mail_link (token_hash, kind, email, expires_at)
        values (${randomBytes(32)}, 'sign_up', 'ada@example.com', ${expiresAt})`;
    },
    async formerAddress(expiresAt: Date): Promise<void> {
      await sql`insert into auth.former_address (id, account_id, email, email_folded, given_up_at, expires_at)
        values (${randomUUID()}, ${accountId}, 'Ada@example.com', 'ada@example.com', '2029-01-01', ${expiresAt})`;
    },
    async revokedAccessToken(expiresAt: Date): Promise<void> {
      await sql`insert into auth.revoked_access_token (jti, expires_at) values (${randomUUID()}, ${expiresAt})`;
    },
    async auditEvent(happenedAt: Date): Promise<void> {
      await sql`insert into auth.audit_event (account_id, happened_at, event, actor)
        values (${accountId}, ${happenedAt}, 'signed_in', 'owner')`;
    },
  };
  return add;
}
