import { deviceStorage } from './device-storage.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { presentAccount } from './present-account.ts';

type Unwritten = readonly Omit<OutboxRecord, 'n'>[];

/** Prefix of the account's keys. */
export const leftBy = (accountId: string) => `unwritten-${accountId}-`;

const namesOf = (accountId: string) =>
  Object.keys(deviceStorage).filter((name) => name.startsWith(leftBy(accountId)));

export function forgetLeft(accountId: string): void {
  for (const name of namesOf(accountId)) deviceStorage.removeItem(name);
}

/**
 * A browser may drop what a closing page has just given to its database, and one that is deleted takes
 * nothing more: the page leaves it in localStorage too, and who reads the outbox next adds what is missing
 * there.
 */
export function createLastWrites(accountId: string) {
  const name = leftBy(accountId) + crypto.randomUUID();
  let unwritten: Unwritten = [];
  let isLeaving = false;
  let isLost = false;

  function keep(): void {
    // Nothing stays on a device after a sign-out.
    if (!isLeaving || unwritten.length === 0 || presentAccount() !== accountId) return;
    try {
      deviceStorage.setItem(name, JSON.stringify(unwritten));
    } catch {
      // The quota is exceeded.
    }
  }
  function leave(): void {
    isLeaving = true;
    keep();
  }
  window.addEventListener('pagehide', leave);

  return {
    /** The database is gone, with these records. */
    leaveLost(records: Unwritten): void {
      isLost = true;
      unwritten = [...records, ...unwritten];
      leave();
    },
    async whileWriting<Result>(records: Unwritten, write: () => Promise<Result>): Promise<Result> {
      unwritten = [...unwritten, ...records];
      keep();
      let isWritten = false;
      try {
        const result = await write();
        isWritten = true;
        return result;
      } finally {
        if (!isLost && (isWritten || !isLeaving)) {
          unwritten = [];
          deviceStorage.removeItem(name);
        }
      }
    },
    async addLeft(add: (records: Unwritten) => Promise<void>): Promise<void> {
      for (const left of namesOf(accountId)) {
        await add(JSON.parse(deviceStorage.getItem(left) ?? '[]')).then(
          () => deviceStorage.removeItem(left),
          () => undefined,
        );
      }
    },
  };
}
