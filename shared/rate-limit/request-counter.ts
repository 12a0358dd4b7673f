import { randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { accountVersionKey } from '../admission/account-version.ts';
import type { RedisObserver, ReplyWait } from '../redis/reply-wait.ts';
import type { AcceptedLog } from './accepted-log.ts';
import { countRequestsScript } from './count-requests-script.ts';
import { type LimitVerdict, limitVerdict } from './limit-headers.ts';
import type { LimitRule } from './window-limiter.ts';

/** At most `points` requests per key in any `durationSeconds`; refused requests do not count. */
export type Limit = LimitRule & { accepted: AcceptedLog };

export type Count = { limit: Limit; key: string };

/** An account's version, and the number of the connection that read it. */
export type AccountVersion = { value: string; connection: number };

/** A request that Redis counts. Counts without a decision are refunded on disposal. */
type Exchange = Disposable & {
  /** Undefined if Redis failed or timed out. */
  version: AccountVersion | undefined;
  /** Decides one of the counts, finally. */
  decide(count: Count): LimitVerdict;
};

export type RequestCounter = {
  /** One round trip to Redis. Does not reject if Redis fails. */
  exchange(counts: readonly Count[], accountId?: string): Promise<Exchange>;
};

type Reply = { verdicts: (LimitVerdict & { milliseconds: number })[]; version: string | undefined };

const keyOf = ({ limit, key }: Count): string => `${limit.keyPrefix}:${key}`;

/** Counts in Redis, for all processes, and in this process, so that a flush of Redis starts no limit anew. */
export function createRequestCounter(
  redis: Redis,
  wait: ReplyWait,
  observer?: RedisObserver,
): RequestCounter {
  redis.defineCommand('countRequests', { lua: countRequestsScript });
  let connection = 0;
  redis.on('connect', () => {
    connection += 1;
  });

  async function ask(counts: readonly Count[], accountId: string | undefined): Promise<Reply> {
    const keys = [...counts.map(keyOf), ...(accountId === undefined ? [] : [accountVersionKey(accountId)])];
    const rules = counts.flatMap(({ limit }) => [limit.durationSeconds, limit.points]);
    const reply = await redis.countRequests(
      keys.length,
      ...keys,
      counts.length,
      ...rules,
      ...(accountId === undefined ? [] : [randomUUID()]),
    );
    return readReply(counts, reply);
  }

  return {
    async exchange(counts, accountId) {
      const [sentOn, sentAt] = [connection, performance.now()];
      const { reply, inTime } = wait.send(() => ask(counts, accountId));
      let arrived: Reply | undefined;
      const decided: (boolean | undefined)[] = counts.map(() => undefined);
      /** Corrects the count in Redis where it differs from the decision, whichever comes first. */
      const settle = (count: Count, place: number): void => {
        const verdict = arrived?.verdicts[place];
        const isAccepted = decided[place];
        if (verdict === undefined || isAccepted === undefined || verdict.isAllowed === isAccepted) return;
        if (verdict.isAllowed) wait.send(() => redis.rpop(keyOf(count)));
        else count.limit.accepted.block(count.key, verdict.milliseconds);
      };
      void reply.then((theirs) => {
        arrived = theirs;
        counts.forEach(settle);
      });
      const version = (await inTime)?.version;
      return {
        version: version === undefined || sentOn !== connection ? undefined : { value: version, connection },
        decide(count) {
          const place = counts.indexOf(count);
          const theirs = arrived?.verdicts[place];
          if (arrived === undefined) observer?.fellBack();
          const verdict = judge(count, theirs);
          decided[place] = verdict.isAllowed;
          settle(count, place);
          if (verdict.isAllowed) count.limit.accepted.add(count.key, sentAt);
          count.limit.observe?.(verdict);
          return verdict;
        },
        [Symbol.dispose]() {
          counts.forEach((count, place) => {
            if (decided[place] !== undefined) return;
            decided[place] = false;
            settle(count, place);
          });
        },
      };
    },
  };
}

/** The stricter of both verdicts; without one of Redis the process's own. */
function judge({ limit, key }: Count, theirs: LimitVerdict | undefined): LimitVerdict {
  const own = limit.accepted.judge(key);
  return theirs === undefined || theirs.remaining > own.remaining || !own.isAllowed ? own : theirs;
}

function readReply(counts: readonly Count[], [version, ...figures]: readonly (number | string)[]): Reply {
  const verdicts = counts.flatMap(({ limit }, place) => {
    const [consumed, milliseconds] = figures.slice(2 * place).map(Number);
    if (consumed === undefined || milliseconds === undefined) return [];
    return [{ ...limitVerdict(limit.points, consumed, milliseconds), milliseconds }];
  });
  return { verdicts, version: version === '' ? undefined : String(version) };
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    countRequests(
      keyCount: number,
      ...keysAndArguments: (string | number)[]
    ): Result<(number | string)[], Context>;
  }
}
