import { type FeedPosition, noRows, type RowLists } from './batch.ts';
import type { OutboxRecord } from './outbox-record.ts';
import type { ReplicaState } from './replica.ts';
import type { RowKey, TaskRow } from './row-types.ts';

export type SavedRows = {
  rows: RowLists;
  gone: readonly RowKey[];
  /** Deletes all other rows. */
  replacesAll: boolean;
};

/** Persistent storage, one per account and browser, shared by tabs. */
export type Disk = {
  load(): Promise<{ state: ReplicaState; rows: RowLists } | undefined>;
  /**
   * Stores rows and their position atomically. Does nothing unless the stored position is `after` and the
   * format is the same: after a failed write, later changes must not be stored either.
   */
  save(state: ReplicaState, after: FeedPosition | null, saved?: SavedRows): Promise<void>;
  position(): Promise<FeedPosition | null>;
  /** Deletes past tasks that another tab has not stored again since they were loaded. */
  forgetTasks(ids: readonly string[], isPast: (task: TaskRow) => boolean): Promise<void>;
  /** Keeps the outbox. */
  clearRows(): Promise<void>;
  /** Adds records in order, atomically; returns them with their positions. */
  addRecords(records: readonly Omit<OutboxRecord, 'n'>[]): Promise<OutboxRecord[]>;
  records(): Promise<OutboxRecord[]>;
  /** Changes or removes (null) the records that still exist, in one transaction. Returns them as before. */
  changeRecords(
    places: readonly number[],
    change: (record: OutboxRecord) => OutboxRecord | null,
  ): Promise<OutboxRecord[]>;
  /** Server's ids by temporary id. */
  renames(): Promise<[string, string][]>;
  addRenames(renames: readonly (readonly [string, string])[]): Promise<void>;
  /** If the browser deletes the database, these records are in the next one. */
  keepIfLost?(records: () => readonly OutboxRecord[]): void;
};

/** In memory, for browsers without storage. */
export function createMemoryDisk(): Disk {
  const kept = new Map<number, OutboxRecord>();
  const renamed = new Map<string, string>();
  let last = 0;
  let savedState: ReplicaState | undefined;
  return {
    load: async () => savedState && { state: { ...savedState, position: null }, rows: noRows },
    save: async (state) => {
      savedState = state;
    },
    position: async () => savedState?.position ?? null,
    forgetTasks: async () => undefined,
    clearRows: async () => {
      savedState = undefined;
    },
    addRecords: async (records) => {
      const added = records.map((record) => {
        last += 1;
        return { ...record, n: last };
      });
      for (const record of added) kept.set(record.n, record);
      return added;
    },
    records: async () => [...kept.values()],
    changeRecords: async (places, change) => {
      const found = places.flatMap((n) => kept.get(n) ?? []);
      for (const record of found) {
        const next = change(record);
        if (next === null) kept.delete(record.n);
        else kept.set(record.n, next);
      }
      return found;
    },
    renames: async () => [...renamed],
    addRenames: async (added) => {
      for (const [from, to] of added) renamed.set(from, to);
    },
  };
}
