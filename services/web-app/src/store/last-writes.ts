import { deviceStorage } from './device-storage.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { presentAccount } from './present-account.ts';

type Unwritten = readonly Omit<OutboxRecord, 'n'>[];

/** Begins the names of what pages of the account have left. */
export const leftBy = (accountId: string) => `unwritten-${accountId}-`;

const namesOf = (accountId: string) =>
  Object.keys(deviceStorage).filter((name) => name.startsWith(leftBy(accountId)));

export function forgetLeft(accountId: string): void {
  for (const name of namesOf(accountId)) deviceStorage.removeItem(name);
}

/**
 * A browser may drop what a closing page has just given to its database: the page leaves it in localStorage too, and who
 * reads the outbox next adds what is missing there.
 */
export function createLastWrites(accountId: string) {
  const name = leftBy(accountId) + crypto.randomUUID();
  let unwritten: Unwritten | null = null;
  let isLeaving = false;

  function leave(): void {
    // Nothing stays on a device after a sign-out.
    if (!isLeaving || unwritten === null || presentAccount() !== accountId) return;
    try {
      deviceStorage.setItem(name, JSON.stringify(unwritten));
    } catch {
      // There is no room.
    }
  }
  window.addEventListener('pagehide', () => {
    isLeaving = true;
    leave();
  });

  return {
    async whileWriting<Result>(records: Unwritten, written: Promise<Result>): Promise<Result> {
      unwritten = records;
      leave();
      try {
        return await written;
      } finally {
        unwritten = null;
        deviceStorage.removeItem(name);
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
