import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpRows } from '#shared/database/query-rows.ts';
import type { Account } from '../auth/principal.ts';
import type { AccountTurns } from './account-turns.ts';

/** The account's place in its feed while its lock is held. */
export type OpenFeed = {
  account: Account;
  changedAt: Date;
  /** The number of the feed's newest entry. */
  lastSequence: number;
};

type OpenWriteRow = {
  last_sequence: string;
  changed_at: string;
  plan: Account['plan'];
  timezone: string;
  status: Account['status'];
};

/**
 * Takes the account's lock, which the transaction keeps until it ends, and a stamp later than every earlier one.
 * The lock makes stamps and feed numbers follow the order of commits, which is what keeps a reader of
 * `updatedSince` from missing a row, and makes plan caps and repeated completions exact.
 */
export async function openWrite(em: EntityManager, accountId: string): Promise<OpenFeed> {
  const [row] = await lookUpRows<OpenWriteRow>(em, 'select * from tasks.open_write(?)', [accountId]);
  if (row === undefined) throw new Error('the account is not on record');
  return {
    account: { id: accountId, plan: row.plan, timezone: row.timezone, status: row.status },
    changedAt: new Date(row.changed_at),
    lastSequence: Number(row.last_sequence),
  };
}

/** The timestamp of the account's last write when no write was under way; null before the first. */
export type SettledChanges = { lastChangedAt: Date | null };

/**
 * Waits for the writes of the account that are under way. A write may have its timestamp and not be committed yet: a
 * list read without waiting would miss it, and a client that polls from the time of this read would never see it. The
 * statement holds its connection while it waits, so it is sent from the account's queue.
 */
export async function waitForWrites(
  em: EntityManager,
  { id }: Account,
  accountTurns: AccountTurns,
): Promise<SettledChanges> {
  const [row] = await accountTurns.readAfterWrite(id, () =>
    lookUpRows<{ last: string | null }>(em, 'select tasks.settled_changes(?) as last', [id]),
  );
  return { lastChangedAt: row?.last == null ? null : new Date(row.last) };
}
