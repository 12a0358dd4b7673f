import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpRows, lookUpTexts } from '#shared/database/query-rows.ts';
import type { Account, Principal, SettledChanges } from '../auth/principal.ts';
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

/**
 * Waits for the writes of the account that are under way, where they were not waited for with the look-up of the
 * token. A write may have its stamp and not be committed yet: a list read without waiting would miss it, and a
 * reader resuming from the time of this read would never see it.
 */
export async function waitForWrites(
  em: EntityManager,
  principal: Principal,
  accountTurns: AccountTurns,
): Promise<SettledChanges> {
  if (principal.settledChanges) return principal.settledChanges;
  const { id } = principal.account;
  const sql = `select ${settledChangesOf('?')}`;
  const [row] = await accountTurns.readAfterWrite(id, () =>
    lookUpTexts<[lastChangedAt: string | null]>(em, sql, [id]),
  );
  return readSettledChanges(row?.[0]);
}

/**
 * Waits as `waitForWrites` does, within a statement about `account`, an expression of SQL. The statement holds its
 * connection meanwhile: it has to be sent in a turn of `readAfterWrite`.
 */
export function settledChangesOf(account: string): string {
  return `tasks.settled_changes(${account})`;
}

export function readSettledChanges(lastChangedAt: string | null | undefined): SettledChanges {
  return { lastChangedAt: lastChangedAt == null ? null : new Date(lastChangedAt) };
}
