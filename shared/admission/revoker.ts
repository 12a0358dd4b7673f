import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { accountVersionKey } from './account-version.ts';

/** Counts for the metrics; must not throw. */
export type RevocationObserver = { confirmed(by: 'redis' | 'wait'): void };

export type Revoker = {
  /**
   * To be called when a change of what tokens may do is committed, or was found to be made already, and before that is
   * answered: no request that is sent after the answer is let in by what was. `since`: `performance.now()` then.
   */
  confirm(accountIds: Iterable<string>, since: number): Promise<void>;
};

export type RevokerOptions = {
  redis: Redis | undefined;
  /** Where more than one Redis may be alive, as in a failover, one of them confirms nothing. */
  waitsAlways: boolean;
  observer?: RevocationObserver | undefined;
};

/** Longer than any process believes what it has read without having asked PostgreSQL what changed (2 s). */
const waitMilliseconds = 2_500;

/** Deletes the accounts' versions; unless Redis confirms that, waits until no process can rely on them. */
export function createRevoker({ redis, waitsAlways, observer }: RevokerOptions): Revoker {
  let connecting: Promise<unknown> | undefined;

  /** Only a number confirms. An error may mean anything. */
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
      const keys = [...new Set(accountIds)].map(accountVersionKey);
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
    },
  };
}
