import { LRUCache } from 'lru-cache';
import { type LimitVerdict, limitVerdict } from './limit-headers.ts';

/** A sliding log of the requests of each key that this process has accepted. */
export type AcceptedLog = {
  /** The verdict on one more request. */
  judge(key: string): LimitVerdict;
  /** Counts an accepted request. `sentAt`: when Redis was asked, so it expires here no later than there. */
  add(key: string, sentAt: number): void;
  /** Redis refused a request that was accepted here: the key is blocked for `milliseconds`. */
  block(key: string, milliseconds: number): void;
};

type Log = { acceptedAt: number[]; blockedUntil: number };

const rememberedKeys = 100_000;

/** Its times are those of `performance.now()`. */
export function createAcceptedLog(limit: number, durationSeconds: number): AcceptedLog {
  const window = durationSeconds * 1_000;
  // By size, because `max` would reserve 2 MB for each limit.
  const logs = new LRUCache<string, Log>({ maxSize: rememberedKeys, sizeCalculation: () => 1 });

  const present = (key: string): Log => {
    const log = logs.get(key) ?? { acceptedAt: [], blockedUntil: 0 };
    const start = performance.now() - window;
    while ((log.acceptedAt[0] ?? Number.POSITIVE_INFINITY) <= start) log.acceptedAt.shift();
    return log;
  };
  return {
    judge(key) {
      const { acceptedAt, blockedUntil } = present(key);
      const at = performance.now();
      if (blockedUntil > at) return limitVerdict(limit, limit + 1, blockedUntil - at);
      const consumed = Math.min(acceptedAt.length, limit) + 1;
      return limitVerdict(limit, consumed, (acceptedAt[0] ?? at) + window - at);
    },
    add(key, sentAt) {
      const log = present(key);
      // Not `push`, which reserves room for 16 more.
      log.acceptedAt = log.acceptedAt.concat(sentAt);
      logs.set(key, log);
    },
    block(key, milliseconds) {
      const log = present(key);
      log.blockedUntil = performance.now() + milliseconds;
      logs.set(key, log);
    },
  };
}
