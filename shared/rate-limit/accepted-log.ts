import { LRUCache } from 'lru-cache';
import { type LimitVerdict, limitVerdict } from './limit-headers.ts';

/** A sliding log of the requests of each key that this process has accepted. */
export type AcceptedLog = {
  /** The verdict on one more request. */
  judge(key: string): LimitVerdict;
  /** Counts an accepted request. `isUncounted`: without a reply of Redis. */
  add(key: string, isUncounted: boolean): void;
  /** Uncounts the last one. */
  refund(key: string): void;
  /** Redis refused a request that was accepted here: the key is blocked for `milliseconds`. */
  block(key: string, milliseconds: number): void;
  /** Whether this window has accepted requests that Redis may not have counted. */
  hasUncounted(key: string): boolean;
};

type Log = { acceptedAt: number[]; uncountedUntil: number; blockedUntil: number };

const rememberedKeys = 100_000;

/** `now`: monotonic milliseconds. */
export function createAcceptedLog(
  limit: number,
  durationSeconds: number,
  now: () => number = () => performance.now(),
): AcceptedLog {
  const window = durationSeconds * 1_000;
  const logs = new LRUCache<string, Log>({ max: rememberedKeys });

  const present = (key: string): Log => {
    const log = logs.get(key) ?? { acceptedAt: [], uncountedUntil: 0, blockedUntil: 0 };
    const start = now() - window;
    while ((log.acceptedAt[0] ?? Number.POSITIVE_INFINITY) <= start) log.acceptedAt.shift();
    return log;
  };
  return {
    judge(key) {
      const { acceptedAt, blockedUntil } = present(key);
      const at = now();
      if (blockedUntil > at) return limitVerdict(limit, limit + 1, blockedUntil - at);
      const consumed = Math.min(acceptedAt.length, limit) + 1;
      return limitVerdict(limit, consumed, (acceptedAt[0] ?? at) + window - at);
    },
    add(key, isUncounted) {
      const log = present(key);
      // Not `push`, which reserves room for 16 more.
      log.acceptedAt = log.acceptedAt.concat(now());
      if (isUncounted) log.uncountedUntil = now() + window;
      logs.set(key, log);
    },
    refund: (key) => void present(key).acceptedAt.pop(),
    block(key, milliseconds) {
      const log = present(key);
      log.blockedUntil = now() + milliseconds;
      logs.set(key, log);
    },
    hasUncounted: (key) => present(key).uncountedUntil > now(),
  };
}
