import type { EntityManager } from '@mikro-orm/postgresql';
import { deferRowChanges } from '#shared/database/unanswered-statements.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { todayIn } from '#shared/time/calendar-date.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Account, Principal } from './auth/principal.ts';
import { answerOnce, type KeyedRequest, type OnceAnswer } from './idempotency/answer-once.ts';
import { type OpenFeed, openWrite } from './sync/account-feed.ts';
import type { AccountTurns } from './sync/account-turns.ts';
import { type ChangeRecorder, createChangeRecorder } from './sync/change-recorder.ts';
import type { WriteObserver } from './sync/write-observer.ts';

/** What every service function gets first: whose data, through which connection, at what time. */
export type Session = {
  /** Outside of a write it belongs to the whole process: it takes statements, and refuses to load entities. */
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
  /** Enters in the feed what is noted, before the end of the transaction does: for more than is to be held till then. */
  writeEntries: ChangeRecorder['writeEntries'];
};

export function openReadSession(em: EntityManager, principal: Principal, clock: Clock): Session {
  return openSession(em, principal.account, principal, clock);
}

function openSession(em: EntityManager, account: Account, principal: Principal, clock: Clock): Session {
  const now = clock.now();
  return {
    em,
    account,
    principal,
    // Most requests have no use for it, and a calendar takes as long as a statement to send.
    get today() {
      return todayIn(account.timezone, now);
    },
  };
}

/** Where writes go, in which turns, by which clock, and who is told of them. */
export type WriteStore = {
  em: EntityManager;
  accountTurns: AccountTurns;
  clock: Clock;
  observer?: WriteObserver;
  /** Keeps up what the account's owner wrote, which a suspension does not stop. */
  isUpkeep?: boolean;
};

/**
 * Runs `work` in a transaction that holds the account's lock from its first statement to its commit, flushes, then
 * lets `present` read the result as the commit stores it. Throws account_suspended when the account was suspended
 * meanwhile.
 */
export function runWrite<Result, Presented>(
  store: WriteStore,
  principal: Principal,
  work: (session: WriteSession) => Promise<Result>,
  present: (result: Result, session: WriteSession) => Presented,
): Promise<Presented> {
  return transact(store, principal, { work, present }, (_session, execute) => execute());
}

/**
 * As `runWrite`, but what was answered before under the request's key is answered again, and nothing is done.
 * Throws idempotency_key_reused when the key came with another request.
 */
export async function runWriteOnce<Result>(
  store: WriteStore,
  principal: Principal,
  write: Write<Result, unknown>,
  request: KeyedRequest,
): Promise<OnceAnswer> {
  const answer = await transact(store, principal, write, (session, execute) =>
    answerOnce(session, request, store.clock.now(), execute),
  );
  if (answer.isReplayed) store.observer?.replayed();
  return answer;
}

type Write<Result, Presented> = {
  work(session: WriteSession): Promise<Result>;
  present(result: Result, session: WriteSession): Presented;
};

async function transact<Result, Presented, Answer>(
  { em, accountTurns, clock, observer, isUpkeep = false }: WriteStore,
  principal: Principal,
  { work, present }: Write<Result, Presented>,
  answer: (session: WriteSession, execute: () => Promise<Presented>) => Promise<Answer>,
): Promise<Answer> {
  const wantedAt = performance.now();
  let entryCount = 0;
  const answerInTransaction = async (transaction: EntityManager): Promise<Answer> => {
    const feed = await openWrite(transaction, principal.account.id);
    deferRowChanges(transaction);
    if (feed.account.status === 'suspended' && !isUpkeep) throw new AppError('account_suspended');
    const recorder = createChangeRecorder(transaction, feed);
    const earlierEntries = feed.lastSequence;
    const session: WriteSession = Object.assign(openSession(transaction, feed.account, principal, clock), {
      changedAt: feed.changedAt,
      ...createRanks(feed),
      recordChange: recorder.record,
      writeEntries: recorder.writeEntries,
    });
    return answer(session, async () => {
      const result = await work(session);
      await transaction.flush();
      await recorder.writeEntries();
      entryCount = feed.lastSequence - earlierEntries;
      return present(result, session);
    });
  };
  const answered = await accountTurns.write(principal.account.id, () => {
    observer?.turnCame(performance.now() - wantedAt);
    return em.fork({ freshEventManager: true }).transactional(answerInTransaction);
  });
  observer?.committed(entryCount);
  return answered;
}

/**
 * Ranks grow away from zero with the feed: each placement also makes a feed entry, so the feed's next numbers are
 * beyond every rank in use, and no list has to be asked for its first or last one.
 */
function createRanks({ lastSequence }: OpenFeed): Pick<WriteSession, 'topRank' | 'bottomRank'> {
  let reach = lastSequence;
  return { topRank: () => -++reach, bottomRank: () => ++reach };
}
