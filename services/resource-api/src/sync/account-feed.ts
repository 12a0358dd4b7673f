import type { Database, Queryable, Statement } from '#shared/database/database.ts';
import type { Account } from '../auth/principal.ts';
import type { Actor } from '../history/actor.ts';
import type { AccountQueue } from './account-queue.ts';

/** The account while its lock is held. */
export type OpenedWrite = Omit<Account, 'id'> & {
  /** Later than the stamps of all earlier writes. */
  changedAt: string;
  /** `rankStep` times the number of the feed's newest entry: beyond every rank in use. */
  rankReach: number;
  /** Of rows that were committed when the lock was asked for. */
  storedBytes: number;
};

/**
 * Takes the account's lock, which the transaction holds until it ends, and its stamp. The lock makes stamps and feed
 * numbers follow the order of commits: a poll misses no row, and plan caps and repeated completions are exact. From here
 * on the transaction's changes enter the feed and the history, as changes of `actor`, by triggers (migration 0007).
 */
export function startWrite(accountId: string, actor: Actor): Statement {
  return {
    name: 'start-write',
    text: `select last_sequence as "rankReach", changed_at as "changedAt", plan, timezone, status, coalesce(
        (select stored_bytes + 150 * last_sequence from tasks.account_feed where account_id = $1), 0) as "storedBytes"
      from tasks.start_write($1, $2)`,
    values: [accountId, actor],
  };
}

/**
 * Runs `read` after the writes of the account in progress. A write may have its stamp and not be committed: a poll that
 * did not wait would miss its rows, and so would the next one, which starts where this one was. Waiting takes a
 * connection, so one poll of an account does so at a time. The wait and the first statement of `read`, which sees what
 * was committed before it began, take one round trip.
 */
export async function readSettled<Result>(
  database: Pick<Database, 'connect'>,
  accountId: string,
  accountQueue: AccountQueue,
  read: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  const text = 'select tasks.settled_changes($1) as "changedAt"';
  const readOnOneConnection = async (): Promise<Result> => {
    const connection = await database.connect();
    const waiting = connection.query({ name: 'settled-changes', text, values: [accountId] });
    const [waited, result] = await Promise.allSettled([waiting, read(connection)]);
    connection.release();
    if (waited.status === 'rejected') throw waited.reason;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  };
  return accountQueue.run(accountId, readOnOneConnection, 1);
}

export type FeedRow = {
  seq: number;
  entity: 'task' | 'project' | 'section' | 'area';
  id: string;
  change: 'created' | 'updated' | 'deleted';
  at: string;
};

/** Entries after `since`, oldest first, at most `limit`. */
export async function readFeed(
  db: Queryable,
  accountId: string,
  since: number,
  limit: number,
): Promise<FeedRow[]> {
  const { rows } = await db.query<FeedRow>({
    text: `select sequence as seq, entity, entity_id as id, change, changed_at as at from tasks.feed_entry
      where account_id = $1 and sequence > $2 order by sequence limit $3`,
    values: [accountId, since, limit],
  });
  return rows;
}
