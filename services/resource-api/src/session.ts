import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { todayIn } from '#shared/time/calendar-date.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Account, Principal } from './auth/principal.ts';
import { type OpenFeed, openWrite } from './sync/account-feed.ts';
import { inTurn } from './sync/account-turns.ts';
import { type ChangeRecorder, createChangeRecorder } from './sync/change-recorder.ts';

/** What every service function gets first: whose data, through which connection, at what time. */
export type Session = {
  em: EntityManager;
  account: Account;
  principal: Principal;
  /** The account's civil date at the time of the request. */
  today: CalendarDate;
};

/** A session inside the account's one open write transaction. */
export type WriteSession = Session & {
  /** The stamp of this transaction: every row it changes carries it, and no earlier transaction has a later one. */
  changedAt: Date;
  /** A rank above every rank given out so far, and one below. */
  topRank(): number;
  bottomRank(): number;
  /** Notes a change for the feed; what the unit of work flushes is noted by itself. */
  recordChange: ChangeRecorder['record'];
};

export function openReadSession(em: EntityManager, principal: Principal, clock: Clock): Session {
  const { account } = principal;
  return { em: em.fork(), account, principal, today: todayIn(account.timezone, clock.now()) };
}

/**
 * Runs `work` in a transaction that holds the account's lock from its first statement to its commit, flushes, then
 * lets `present` read the result as it was stored. Throws account_suspended when the account was suspended meanwhile.
 */
export async function runWrite<Result, Presented>(
  em: EntityManager,
  principal: Principal,
  clock: Clock,
  work: (session: WriteSession) => Promise<Result>,
  present: (result: Result, session: WriteSession) => Presented,
): Promise<Presented> {
  const transact = async (transaction: EntityManager): Promise<Presented> => {
    const feed = await openWrite(transaction, principal.account.id);
    if (feed.account.status === 'suspended') throw new AppError('account_suspended');
    const recorder = createChangeRecorder(transaction, feed);
    const session: WriteSession = {
      em: transaction,
      account: feed.account,
      principal,
      today: todayIn(feed.account.timezone, clock.now()),
      changedAt: feed.changedAt,
      ...createRanks(feed),
      recordChange: recorder.record,
    };
    const result = await work(session);
    await transaction.flush();
    await recorder.writeEntries();
    return present(result, session);
  };
  return inTurn(principal.account.id, () => em.fork({ freshEventManager: true }).transactional(transact));
}

/**
 * Ranks grow away from zero with the feed: each placement also makes a feed entry, so the feed's next numbers are
 * beyond every rank in use, and no list has to be asked for its first or last one.
 */
function createRanks({ lastSequence }: OpenFeed): Pick<WriteSession, 'topRank' | 'bottomRank'> {
  let reach = lastSequence;
  return { topRank: () => -++reach, bottomRank: () => ++reach };
}
