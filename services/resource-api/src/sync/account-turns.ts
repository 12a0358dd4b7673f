import { databaseTimeLeft, spendDatabaseTime } from '#shared/database/request-budget.ts';
import { serviceUnavailable } from '#shared/errors/errors.ts';

/** What a request may spend on its turn of the time that it has left for the database; the write needs some too. */
const shareOfTimeLeft = 0.7;
/** For whoever is not a request. */
const longestWaitMilliseconds = 15_000;

/** Runs one write of an account after another; see createAccountTurns. */
export type AccountTurns = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Turns for the writes of one pool of connections. The database's lock alone would order them too, but every writer
 * waiting for it holds a connection: a burst of one account's writes would take the whole pool, and all other
 * requests with it. Throws service_unavailable, with nothing done, when the turn does not come in time.
 */
export function createAccountTurns(): AccountTurns {
  /** Of each account with a write under way, what settles when its latest write has ended. */
  const latestTurns = new Map<string, Promise<void>>();

  return async (accountId, work) => {
    const earlier = latestTurns.get(accountId);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const turn = Promise.all([earlier, ended]).then(() => {
      if (latestTurns.get(accountId) === turn) latestTurns.delete(accountId);
    });
    latestTurns.set(accountId, turn);
    try {
      if (earlier !== undefined) await spendDatabaseTime(() => waitFor(earlier));
      return await work();
    } finally {
      end();
    }
  };
}

async function waitFor(earlier: Promise<void>): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const giveUp = (): void =>
    reject(serviceUnavailable(new Error('earlier writes of the account took too long')));
  const waitMilliseconds = Math.min(longestWaitMilliseconds, shareOfTimeLeft * databaseTimeLeft());
  const timer = setTimeout(giveUp, waitMilliseconds);
  try {
    await Promise.race([earlier, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
