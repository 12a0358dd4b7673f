import type { Database, Queryable, Statement } from '#shared/database/database.ts';
import type { Account } from '../auth/principal.ts';
import type { Actor } from '../history/actor.ts';
import { storedBytesOfFeed } from '../plans/storage-limit.ts';
import type { AccountQueue } from './account-queue.ts';

/** The account, read under its lock. */
export type OpenedWrite = Omit<Account, 'id'> & {
  /** Later than the timestamps of all earlier writes. */
  changedAt: string;
  /** `rankStep` times the newest feed number: above every rank in use. */
  lastRank: number;
  /** Bytes of the committed rows when the lock was requested. */
  storedBytes: number;
};

/**
 * Takes the account lock until the end of the transaction, and its timestamp. Timestamps and feed numbers
 * thus follow commit order: polls miss no row, and plan limits and repeated completions are exact. From then
 * on triggers write the transaction's changes to the feed and the history, as changes of `actor` (migration
 * 0007).
 */
export function startWrite(accountId: string, actor: Actor): Statement {
  return {
    name: 'start-write',
    text: `select last_sequence as "lastRank", changed_at as "changedAt", plan, timezone, status, coalesce(
        (select ${storedBytesOfFeed} from tasks.account_feed where account_id = $1), 0) as "storedBytes"
      from tasks.start_write($1, $2)`,
    values: [accountId, actor],
  };
}

/**
 * Runs `read` after the account's writes in progress. A write may have its timestamp before it is committed,
 * so a poll that did not wait would miss its rows, and so would the next one. Waiting needs a connection, so
 * only one poll per account waits at a time. The wait and the first statement of `read` take one round trip;
 * the statement has a later snapshot.
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
