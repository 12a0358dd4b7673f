import { LRUCache } from 'lru-cache';
import { type LimitVerdict, limitVerdict } from './limit-headers.ts';

/** What this process has accepted of each key in the window that ends now: a sliding log, exact as that of Redis. */
export type AcceptedLog = {
  /** The verdict on one more request. */
  judge(key: string): LimitVerdict;
  /** Counts an accepted request. `isAlone`: Redis has not said anything on it. */
  add(key: string, isAlone: boolean): void;
  /** Uncounts the last one. */
  takeBack(key: string): void;
  /** Redis has refused a request of the key, which was accepted here: it has no place for so long. */
  close(key: string, milliseconds: number): void;
  /** Whether requests were accepted in this window that Redis may not know: then its word alone does not count. */
  isAlone(key: string): boolean;
};

type Log = { acceptedAt: number[]; aloneUntil: number; closedUntil: number };

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
    const log = logs.get(key) ?? { acceptedAt: [], aloneUntil: 0, closedUntil: 0 };
    const start = now() - window;
    while ((log.acceptedAt[0] ?? Number.POSITIVE_INFINITY) <= start) log.acceptedAt.shift();
    return log;
  };
  return {
    judge(key) {
      const { acceptedAt, closedUntil } = present(key);
      const at = now();
      if (closedUntil > at) return limitVerdict(limit, limit + 1, closedUntil - at);
      const consumed = Math.min(acceptedAt.length, limit) + 1;
      return limitVerdict(limit, consumed, (acceptedAt[0] ?? at) + window - at);
    },
    add(key, isAlone) {
      const log = present(key);
      log.acceptedAt.push(now());
      if (isAlone) log.aloneUntil = now() + window;
      logs.set(key, log);
    },
    takeBack: (key) => void present(key).acceptedAt.pop(),
    close(key, milliseconds) {
      const log = present(key);
      log.closedUntil = now() + milliseconds;
      logs.set(key, log);
    },
    isAlone: (key) => present(key).aloneUntil > now(),
  };
}
