import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { accountChangeChannel, accountVersionKey } from './account-version.ts';

/** Counts for the metrics; must not throw. */
export type RevocationObserver = { confirmed(by: 'redis' | 'wait'): void };

export type Revoker = {
  /**
   * Call it after the commit of a change of tokens' rights (or when the change was already made) and before
   * the response: no request sent after that response is authorised by the old state. `since`:
   * `performance.now()` at that time.
   */
  confirm(accountIds: Iterable<string>, since: number): Promise<void>;
};

type RevokerOptions = {
  redis: Redis | undefined;
  /** For a Redis with failover, where a confirmation may come from an old primary. */
  waitsAlways: boolean;
  observer?: RevocationObserver | undefined;
};

/** Longer than a process uses cached records without reading changes from PostgreSQL (2 s). */
const waitMilliseconds = 2_500;

/** Deletes the accounts' versions; if Redis does not confirm that, waits until no process relies on them. */
export function createRevoker({ redis, waitsAlways, observer }: RevokerOptions): Revoker {
  return {
    async confirm(accountIds, since) {
      const affected = [...new Set(accountIds)];
      if (affected.length === 0) return;
      const deleted = await redis?.del(affected.map(accountVersionKey)).catch(() => undefined);
      // A connection that is not ready, or gets no reply, rejects.
      const isDeleted = Number.isInteger(deleted);
      const by = isDeleted && !waitsAlways ? 'redis' : 'wait';
      if (by === 'wait') await delay(Math.max(0, since + waitMilliseconds - performance.now()));
      observer?.confirmed(by);
      if (!isDeleted) return;
      for (const id of affected) redis?.publish(accountChangeChannel(id), '').catch(() => undefined);
    },
  };
}
