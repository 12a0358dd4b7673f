import type { Queryable } from '#shared/database/database.ts';

/** So long Activity shows a change, and it can be undone. */
const historyDays = 30;

/** Removes at most `limit` changes of any account that are too old, the oldest first. Returns how many. */
export async function deleteOldChanges(db: Queryable, now: Date, limit: number): Promise<number> {
  const changedUntil = new Date(now.getTime() - historyDays * 24 * 3_600 * 1_000);
  const { rowCount } = await db.query({
    text: `with old as materialized (
        select account_id, sequence from tasks.change_history where changed_at <= $1
        order by changed_at limit $2 for update skip locked
      )
      delete from tasks.change_history change using old
      where change.account_id = old.account_id and change.sequence = old.sequence`,
    values: [changedUntil, limit],
  });
  return rowCount ?? 0;
}
