import type { Sql } from '#tests/support/connect-sql.ts';
import type { StoredAccount, StoredEntry, StoredTask } from './check-acknowledged.ts';

/** Everything that is stored of the accounts, read past the service. */
export async function readStoredAccounts(sql: Sql, accountIds: readonly string[]): Promise<StoredAccount[]> {
  const accounts: StoredAccount[] = [];
  for (const accountId of accountIds) {
    const [feed] = await sql<{ last: number }>`
      select last_sequence::float8 as last from tasks.account_feed where account_id = ${accountId}`;
    const entries = await sql<StoredEntry>`
      select sequence::float8 as sequence, entity, entity_id as "entityId",
        (extract(epoch from changed_at) * 1000)::float8 as "changedAt"
      from tasks.feed_entry where account_id = ${accountId} order by sequence`;
    const tasks = await sql<StoredTask>`
      select id, title, status, list, trashed_at is not null as "inTrash",
        (extract(epoch from updated_at) * 1000)::float8 as "updatedAt"
      from tasks.task where account_id = ${accountId}`;
    accounts.push({ accountId, lastSequence: feed?.last ?? 0, entries, tasks });
  }
  return accounts;
}
