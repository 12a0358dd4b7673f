import { historyDays } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';

/**
 * Removes at most `limit` changes of any account that are too old, the oldest first. Returns how many. The accounts'
 * feeds, which count the bytes, are locked first; those that are written to are left.
 */
export async function deleteOldChanges(db: Queryable, now: Date, limit: number): Promise<number> {
  const changedUntil = new Date(now.getTime() - historyDays * 24 * 3_600 * 1_000);
  const { rowCount } = await db.query({
    text: `with old as materialized (
        select account_id, sequence from tasks.change_history where changed_at <= $1
        order by changed_at limit $2
      ), locked as materialized (
        select account_id from tasks.account_feed where account_id in (select account_id from old)
        order by account_id for update skip locked
      )
      delete from tasks.change_history change using old join locked using (account_id)
      where change.account_id = old.account_id and change.sequence = old.sequence`,
    values: [changedUntil, limit],
  });
  return rowCount ?? 0;
}
