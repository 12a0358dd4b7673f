import type { EntityManager } from '@mikro-orm/postgresql';

type TableWithEnd = 'oauth_token' | 'oauth_interaction' | 'browser_session' | 'revoked_access_token';

/** Removes rows whose `expires_at` has come, the oldest first. */
export function expiredRows(table: TableWithEnd, key: string) {
  return (em: EntityManager, now: Date, limit: number): Promise<number> =>
    removedRows(
      em,
      `delete from auth.${table} where ${key} in (
         select ${key} from auth.${table} where expires_at <= ?
         order by expires_at limit ? for update skip locked)`,
      [now, limit],
    );
}

/** An arbitrary constant: one sweeper at a time removes audit events. */
const auditEventsLock = 7_267_313;

/**
 * Nobody has the right to change an audit event, and without it none to lock its row. So sweepers take turns here:
 * whoever comes second removes nothing and goes on.
 */
export function deleteOldAuditEvents(em: EntityManager, olderThan: Date, limit: number): Promise<number> {
  return removedRows(
    em,
    `with turn as materialized (select pg_try_advisory_xact_lock(?) as is_ours)
     delete from auth.audit_event where sequence in (
       select sequence from auth.audit_event where (select is_ours from turn) and happened_at <= ?
       order by happened_at limit ?)`,
    [auditEventsLock, olderThan, limit],
  );
}

/** Removes clients that have had no grant since then. A mark alone tells nothing: another grant may live. */
export function deleteUnusedClients(em: EntityManager, unusedSince: Date, limit: number): Promise<number> {
  return removedRows(
    em,
    `delete from auth.oauth_client where client_id in (
       select client_id from auth.oauth_client client
       where unused_since <= ?
         and not exists (select from auth.oauth_grant where oauth_grant.client_id = client.client_id)
       order by unused_since limit ? for update skip locked)`,
    [unusedSince, limit],
  );
}

async function removedRows(
  em: EntityManager,
  statement: string,
  values: readonly unknown[],
): Promise<number> {
  const { affectedRows } = await em.execute<{ affectedRows: number }>(statement, [...values], 'run');
  return affectedRows;
}
