import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '#shared/database/database.ts';
import type { Logger } from '#shared/logging/logger.ts';

export type PrincipalChanges = ReturnType<typeof createPrincipalChanges>;

type Timestamp = { monotonic: number; wall: number };
type Poll = { snapshot: string; timeline: string; accountIds: (string | null)[] };

const pollMilliseconds = 500;
const leaseMilliseconds = 2_000;
/** After this long without a poll every record is invalid, since changes may have been swept. */
const longestGapMilliseconds = 30_000;
const maximumAccounts = 10_000;

/**
 * Compares snapshots, not sequence numbers, which are assigned before the commit, so a later number may be
 * seen first. Fails on a standby; another timeline is another primary. Transactions above the snapshot come
 * from a restored dump.
 */
const pollStatement = `with present as materialized (select pg_current_snapshot() as snapshot)
  select present.snapshot::text as snapshot, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
    coalesce((
      select array_agg(distinct change.account_id) from auth.principal_change_access change
      where change.xid >= pg_snapshot_xmin(coalesce($1::pg_snapshot, present.snapshot))
        and change.xid < pg_snapshot_xmax(present.snapshot)
        and not pg_visible_in_snapshot(change.xid, coalesce($1::pg_snapshot, present.snapshot))
    ), '{}') as "accountIds"
  from present`;

/**
 * Changes of accounts, tokens, apps and sessions, polled from PostgreSQL from the first request on. A poll
 * grants a lease of two seconds: cached records are valid during the lease, unless a later poll names their
 * account.
 */
export function createPrincipalChanges(db: Queryable, logger: Logger) {
  /** The last event that invalidated records of the account. */
  const accounts = new Map<string, number>();
  const closing = new AbortController();
  let events = 0;
  let allInvalidatedUpTo = 0;
  let applied: Poll | undefined;
  let leasedAt: Timestamp = { monotonic: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  let polling: Promise<void> | undefined;
  let isFailing = false;

  function isWithin(milliseconds: number): boolean {
    const { monotonic, wall } = now();
    const ages = [monotonic - leasedAt.monotonic, wall - leasedAt.wall];
    return ages.every((age) => age >= 0 && age < milliseconds);
  }

  /** In one step, so that no request sees the new lease with records that it invalidates. */
  function apply(poll: Poll, sentAt: Timestamp): void {
    events += 1;
    const isGap = applied?.timeline !== poll.timeline || !isWithin(longestGapMilliseconds);
    if (isGap || poll.accountIds.includes(null) || accounts.size > maximumAccounts) {
      allInvalidatedUpTo = events;
      accounts.clear();
    }
    for (const id of poll.accountIds) if (id !== null) accounts.set(id, events);
    applied = poll;
    leasedAt = sentAt;
  }

  async function poll(): Promise<void> {
    const sentAt = now();
    try {
      const values = [applied?.snapshot ?? null];
      const { rows } = await db.query<Poll>({ name: 'principal-changes', text: pollStatement, values });
      if (rows[0] !== undefined) apply(rows[0], sentAt);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !closing.signal.aborted)
        logger.warn({ err: error }, 'changes of tokens are not known: PostgreSQL is asked with each request');
      isFailing = true;
    }
  }

  /** One at a time, so results are applied in order. */
  async function pollUntilClosed(): Promise<void> {
    while (!closing.signal.aborted) {
      await poll();
      await delay(pollMilliseconds, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    /** The number of an event in this process: later ones have greater numbers. */
    nextEvent: () => ++events,
    /** Records of the account read at or before this event are invalid. */
    invalidatedUpTo: (accountId: string) => Math.max(allInvalidatedUpTo, accounts.get(accountId) ?? 0),
    /** Whether the lease is valid: all changes but those of the last two seconds are known. */
    isFresh() {
      polling ??= pollUntilClosed();
      return isWithin(leaseMilliseconds);
    },
    ageSeconds: () => (performance.now() - leasedAt.monotonic) / 1_000,
    async close() {
      closing.abort();
      await polling;
    },
  };
}

const now = (): Timestamp => ({ monotonic: performance.now(), wall: Date.now() });
