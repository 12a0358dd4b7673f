import type { Queryable } from '#shared/database/database.ts';

/**
 * The newest feed number of each account. One statement for all accounts with open streams, so it is not
 * limited to one account.
 */
export async function readFeedNumbers(
  db: Queryable,
  accountIds: readonly string[],
): Promise<{ accountId: string; seq: number }[]> {
  const { rows } = await db.query<{ accountId: string; seq: number }>({
    name: 'read-feed-numbers',
    text: `select account_id as "accountId", last_sequence as seq from tasks.account_feed
      where account_id = any($1::uuid[])`,
    values: [accountIds],
  });
  return rows;
}

/** Returns the unexpired browser sessions among these. */
export async function findLiveSessions(
  db: Queryable,
  sessionIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const { rows } = await db.query<{ sessionId: string }>({
    name: 'find-live-sessions',
    text: `select session_id as "sessionId" from auth.session_access
      where session_id = any($1::uuid[]) and expires_at > $2`,
    values: [sessionIds, now],
  });
  return new Set(rows.map(({ sessionId }) => sessionId));
}
