import { once } from 'node:events';
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

export type RevokerOptions = {
  redis: Redis | undefined;
  /** For a Redis with failover, where a confirmation may come from an old primary. */
  waitsAlways: boolean;
  observer?: RevocationObserver | undefined;
};

/** Longer than a process uses cached records without reading changes from PostgreSQL (2 s). */
const waitMilliseconds = 2_500;

const ignore = (): void => undefined;

/** Deletes the accounts' versions; if Redis does not confirm that, waits until no process relies on them. */
export function createRevoker({ redis, waitsAlways, observer }: RevokerOptions): Revoker {
  let connecting: Promise<unknown> | undefined;

  /** Only a number confirms the deletion. */
  async function deleteKeys(from: Redis, keys: readonly string[]): Promise<boolean> {
    try {
      connecting ??= from.status === 'ready' ? Promise.resolve() : once(from, 'ready');
      await connecting.finally(() => {
        connecting = undefined;
      });
      return Number.isInteger(await from.del(...keys));
    } catch {
      return false;
    }
  }

  return {
    async confirm(accountIds, since) {
      const concerned = [...new Set(accountIds)];
      const keys = concerned.map(accountVersionKey);
      if (keys.length === 0) return;
      const left = (): number => Math.max(0, since + waitMilliseconds - performance.now());
      const giveUp = new AbortController();
      const tooLate = delay(left(), false, { signal: giveUp.signal }).catch(() => false);
      const isDeleted = redis !== undefined && deleteKeys(redis, keys);
      const isConfirmed = await Promise.race([isDeleted, tooLate]);
      const by = isConfirmed && !waitsAlways ? 'redis' : 'wait';
      giveUp.abort();
      if (by === 'wait') await delay(left());
      observer?.confirmed(by);
      if (isConfirmed) for (const id of concerned) redis?.publish(accountChangeChannel(id), '').catch(ignore);
    },
  };
}
