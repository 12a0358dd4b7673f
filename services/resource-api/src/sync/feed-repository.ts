import type { EntityManager } from '@mikro-orm/postgresql';
import { queryRows, tellNext } from '#shared/database/query-rows.ts';
import type { OpenFeed } from './account-feed.ts';
import type { FeedChange, FeedEntity, FeedEntry } from './feed-entry.ts';

/**
 * Appends to the account's feed, whose lock the transaction holds, with numbers that have no gap: at the latest with
 * its commit.
 */
export async function appendEntries(
  em: EntityManager,
  feed: OpenFeed,
  entries: readonly FeedEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const earlier = feed.lastSequence;
  feed.lastSequence += entries.length;
  await tellNext(
    em,
    `with appended as (
       insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
       select ?::uuid, ?::bigint + entry.position, entry.entity, entry.id, entry.change, ?::timestamptz
       from rows from (jsonb_to_recordset(?::jsonb) as (entity text, id uuid, change text))
         with ordinality as entry (entity, id, change, position)
     )
     update tasks.account_feed set last_sequence = ? where account_id = ?`,
    [feed.account.id, earlier, feed.changedAt, JSON.stringify(entries), feed.lastSequence, feed.account.id],
  );
}

export type FeedRow = { seq: number; entity: FeedEntity; id: string; change: FeedChange; at: string };

/** Entries after `since`, oldest first, in pages of at most `limit`. */
export async function readFeed(
  em: EntityManager,
  accountId: string,
  since: number,
  limit: number,
): Promise<FeedRow[]> {
  const rows = await queryRows<Omit<FeedRow, 'seq' | 'at'> & { seq: string; at: string }>(
    em,
    `select sequence as seq, entity, entity_id as id, change, changed_at as at from tasks.feed_entry
     where account_id = ? and sequence > ? order by sequence limit ?`,
    [accountId, since, limit],
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq), at: new Date(row.at).toISOString() }));
}
