import { databaseTimeLeft, spendDatabaseTime } from '#shared/database/request-budget.ts';
import { serviceUnavailable } from '#shared/errors/errors.ts';

/** What a request may spend on its turn of the time that it has left for the database; its work needs some too. */
const shareOfTimeLeft = 0.7;
/** For whoever is not a request. */
const longestWaitMilliseconds = 15_000;
/** Of one account at once: the database makes them wait for what other processes write, each with a connection. */
const mostReads = 2;

type InTurn = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Both throw service_unavailable, with nothing done, when the turn does not come in time; see createAccountTurns.
 */
export type AccountTurns = {
  /** Runs one write of an account after another. */
  write: InTurn;
  /** Runs a read that has to see what the write under way changes. */
  readAfterWrite: InTurn;
};

/**
 * Turns for one pool of connections. The database's lock alone would order an account's writes too, and have reads wait
 * for them, but whoever waits for it holds a connection: a burst of one account's writes, or of its polls during a slow
 * one, would take the whole pool, and all other requests with it.
 */
export function createAccountTurns(): AccountTurns {
  const inWriteTurn = createTurns(1);
  const inReadTurn = createTurns(mostReads);
  const writesUnderWay = new Map<string, Promise<unknown>>();

  return {
    write: (accountId, work) =>
      inWriteTurn(accountId, async () => {
        const writing = work();
        writesUnderWay.set(accountId, writing);
        try {
          return await writing;
        } finally {
          writesUnderWay.delete(accountId);
        }
      }),
    async readAfterWrite(accountId, work) {
      const write = writesUnderWay.get(accountId);
      if (write !== undefined) await waitInTime(Promise.allSettled([write]));
      return await inReadTurn(accountId, work);
    },
  };
}

type Line = { working: number; waiting: Set<() => void> };

/** So many works of an account at once; the others come in the order in which they were asked for. */
function createTurns(most: number): InTurn {
  const lines = new Map<string, Line>();

  return async (accountId, work) => {
    const line = lines.get(accountId) ?? { working: 0, waiting: new Set() };
    lines.set(accountId, line);
    if (line.working < most) line.working += 1;
    else await takeTurn(line);
    try {
      return await work();
    } finally {
      const [next] = line.waiting;
      if (next !== undefined) next();
      else if (line.working > 1) line.working -= 1;
      else lines.delete(accountId);
    }
  };
}

/** Waits for the turn that another's end leaves to this one. */
async function takeTurn({ waiting }: Line): Promise<void> {
  const { promise: turn, resolve } = Promise.withResolvers<void>();
  const come = (): void => {
    waiting.delete(come);
    resolve();
  };
  waiting.add(come);
  // Who has given up must not be left a turn.
  await waitInTime(turn, () => waiting.delete(come));
}

/** At the expense of the request under way. */
function waitInTime(end: Promise<unknown>, onGivingUp: () => void = () => undefined): Promise<void> {
  return spendDatabaseTime(async () => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => {
      onGivingUp();
      reject(serviceUnavailable(new Error('earlier requests of the account took too long')));
    };
    const timer = setTimeout(giveUp, Math.min(longestWaitMilliseconds, shareOfTimeLeft * databaseTimeLeft()));
    try {
      await Promise.race([end, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  });
}
